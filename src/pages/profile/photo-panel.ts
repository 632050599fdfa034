/** The member's photo, with the forms that upload and remove it. */

import { MAX_SOURCE_BYTES } from '../../members/photo/crop-photo.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { profilePhotoId } from '../../connections/model/photo-store.ts'
import { PROFILE_PHOTO_PATH, REMOVE_PROFILE_PHOTO_PATH } from '../../html/site-map.ts'
import { t } from '../../languages/message.ts'
import { photoControls } from '../../ui/photo-form.ts'
import type { Html } from '../../html/html.ts'
import type { Member } from '../../members/member-row.ts'

/** The ID of the size for a page among the member's own photos, which also shows it while the profile is private. */
export function ownPhotoId({ photo }: Member): string | undefined {
  return photo === null ? undefined : profilePhotoId(photo, 256)
}

export function photoPanel(member: Member, error: string | undefined): Html {
  return photoControls({
    name: member.name,
    photo: ownPhotoId(member),
    paths: { upload: PROFILE_PHOTO_PATH, remove: REMOVE_PROFILE_PHOTO_PATH },
    error,
    hint: t(
      'JPEG, PNG, WebP or GIF, up to {size}. It is cropped to a square. The location and other data in the file are removed.',
      { size: formatBytes(MAX_SOURCE_BYTES) },
    ),
  })
}
