/** The member's photo, with the forms that upload and remove it. */

import { MAX_SOURCE_BYTES } from '../../members/photo/crop-photo.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { profilePhotoId } from '../../connections/model/photo-store.ts'
import { fileField, formTokenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { PROFILE_PHOTO_PATH, REMOVE_PROFILE_PHOTO_PATH } from '../../html/site-map.ts'
import { errorSentence } from '../../forms/field-errors.ts'
import { t } from '../../languages/message.ts'
import { largeFace } from '../../html/face.ts'
import { panel } from '../../ui/sections.ts'
import { PHOTO_TYPES } from '../../ui/uploaded-photo.ts'
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
    <div class="actions"><button class="plain danger">Remove photo</button></div>
  </form>`
  return panel(
    'photo-heading',
    t('Photo'),
    html`<div class="photo">
        ${largeFace({ name: member.name, photo: ownPhotoId(member) })}
        <form
          method="post"
          action="${PROFILE_PHOTO_PATH}"
          enctype="multipart/form-data"
          aria-label="Upload a photo"
        >
          ${formTokenField(formToken)}
          ${fileField({
            name: 'photo',
            label: isShown ? t('Replace the photo') : t('Add a photo'),
            accept: PHOTO_TYPES,
            hint: t(
              'JPEG, PNG, WebP or GIF, up to {size}. It is cropped to a square. The location and other data in the file are removed. Save other changes first.',
              { size: formatBytes(MAX_SOURCE_BYTES) },
            ),
            error: errorSentence(t('The photo'), error),
          })}
          <div class="actions"><button class="plain">Upload photo</button></div>
        </form>
      </div>
      ${isShown ? remove : NOTHING}`,
  )
}
