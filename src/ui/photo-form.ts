/** A face that is clicked to choose another photo, which a script uploads at once. */

import { attributes, html, NOTHING, type Html } from '../html/html.ts'
import { largeFace } from '../html/face.ts'
import { icon } from '../html/icon.ts'
import { errorSentence } from '../forms/field-errors.ts'
import { t } from '../languages/message.ts'

interface PhotoForm {
  readonly face: Html
  /** What a click does, such as `Add a photo`. */
  readonly label: string
  /** The text of a button beside the face. */
  readonly button?: string
  readonly path: string
  /** Why the last file was rejected, as a sentence. */
  readonly error?: string | undefined
}

/** The form, which needs no button with scripts. */
export function photoForm({ face, label, button, path, error }: PhotoForm): Html {
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

/** The photo of an edit page beside the forms that upload and remove it. */
export function photoControls({
  name,
  photo,
  paths,
  error,
  hint,
}: {
  readonly name: string
  /** The ID of the stored photo. */
  readonly photo: string | undefined
  readonly paths: { readonly upload: string; readonly remove: string }
  /** Why the last file was rejected, after “The photo”. */
  readonly error: string | undefined
  readonly hint: string
}): Html {
  const remove = html`<form method="post" action="${paths.remove}" aria-label="Remove the photo">
    <button class="plain danger">Remove photo</button>
  </form>`
  return html`<div class="photo-line">
    ${photoForm({
      face: largeFace({ name, photo }),
      label: photo === undefined ? t('Add a photo') : t('Replace the photo'),
      button: photo === undefined ? t('Choose photo') : t('Choose another photo'),
      path: paths.upload,
      error: errorSentence(t('The photo'), error),
    })}
    ${photo === undefined ? NOTHING : remove}
    <p class="hint">${hint}</p>
  </div>`
}
