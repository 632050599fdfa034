/** A face that is clicked to choose another photo, which a script uploads at once. */

import { formTokenField } from '../html/form.ts'
import { attributes, html, NOTHING, type Html } from '../html/html.ts'
import { icon } from '../html/icon.ts'

interface PhotoForm {
  readonly face: Html
  /** What a click does, such as `Add a photo`. */
  readonly label: string
  /** The text of a button beside the face. */
  readonly button?: string
  readonly path: string
  readonly formToken: string
  /** Why the last file was rejected, as a sentence. */
  readonly error?: string | undefined
}

export function photoForm({ face, label, button, path, formToken, error }: PhotoForm): Html {
  const input = {
    accept: 'image/jpeg,image/png,image/webp,image/gif',
    'aria-invalid': error === undefined ? undefined : 'true',
    'aria-describedby': error === undefined ? undefined : 'photo-error',
  }
  return html`<form
    class="photo"
    method="post"
    action="${path}"
    enctype="multipart/form-data"
    aria-label="Upload a photo"
  >
    ${formTokenField(formToken)}
    <label title="${label}" data-save
      >${face}
      ${
        button === undefined
          ? html`${icon('edit')}<span class="unseen">${label}</span>`
          : html`<span class="button plain">${button}</span>`
      }<input type="file" name="photo" id="photo" required ${attributes(input)}
    /></label>
    ${error === undefined ? NOTHING : html`<p class="error" id="photo-error">${error}</p>`}
    <button class="plain unscripted">Upload photo</button>
  </form>`
}
