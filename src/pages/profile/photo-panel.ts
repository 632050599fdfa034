/** The member's photo, with the forms that upload and remove it. */

import { MAX_SOURCE_BYTES } from '../../members/photo/crop-photo.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { profilePhotoId } from '../../connections/model/photo-store.ts'
import { formTokenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { PROFILE_PHOTO_PATH, REMOVE_PROFILE_PHOTO_PATH } from '../../html/site-map.ts'
import { errorSentence } from '../../forms/field-errors.ts'
import { t } from '../../languages/message.ts'
import { largeFace } from '../../html/face.ts'
import { photoForm } from '../../ui/photo-form.ts'
import type { Member } from '../../members/member-row.ts'

/** The ID of the size for a page among the member's own photos, which also shows it while the profile is private. */
export function ownPhotoId({ photo }: Member): string | undefined {
  return photo === null ? undefined : profilePhotoId(photo, 256)
}

export function photoPanel(member: Member, formToken: string, error: string | undefined): Html {
  const isShown = member.photo !== null
  const remove = html`<form
    method="post"
    action="${REMOVE_PROFILE_PHOTO_PATH}"
    aria-label="Remove the photo"
  >
    ${formTokenField(formToken)}
    <button class="plain danger">Remove photo</button>
  </form>`
  return html`<div class="photo-line">
    ${photoForm({
      face: largeFace({ name: member.name, photo: ownPhotoId(member) }),
      label: isShown ? t('Replace the photo') : t('Add a photo'),
      button: isShown ? t('Choose another photo') : t('Choose photo'),
      path: PROFILE_PHOTO_PATH,
      formToken,
      error: errorSentence(t('The photo'), error),
    })}
    ${isShown ? remove : NOTHING}
    <p class="hint">
      ${t(
        'JPEG, PNG, WebP or GIF, up to {size}. It is cropped to a square. The location and other data in the file are removed.',
        { size: formatBytes(MAX_SOURCE_BYTES) },
      )}
    </p>
  </div>`
}
