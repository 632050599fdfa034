/** Uploads and removes the photo of the member's own profile. */

import { storeAllPhotos } from '../../connections/model/photo-store.ts'
import { hasCode } from '../../base/request-error.ts'
import { fileRoute, formRoute } from '../../forms/page-route.ts'
import { PROFILE_PHOTO_PATH, REMOVE_PROFILE_PHOTO_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { requireMember } from '../../members/member.ts'
import { MAX_SOURCE_BYTES, photoCropper } from '../../members/photo/crop-photo.ts'
import { changeProfile, profileChange } from '../../members/profile-changes.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { readUploadedPhoto } from '../../ui/uploaded-photo.ts'
import { PROFILE_NOTICES, showProfile, type ProfileEditorDeps } from './profile.page.ts'
import type { Route } from '../../http/route.ts'
import type { Changing } from '../../tools/tool.ts'

/** Allows for the multipart lines around the file, and for a file that the page refuses as too large. */
const MAX_FORM_BYTES = 2 * MAX_SOURCE_BYTES

export function ownPhotoRoutes(deps: ProfileEditorDeps): Route[] {
  return [uploadRoute(deps), removeRoute(deps)]
}

function uploadRoute(deps: ProfileEditorDeps): Route {
  const crop = photoCropper()
  return fileRoute(deps, {
    path: PROFILE_PHOTO_PATH,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { body, browser } = request
      const data = await readUploadedPhoto(body, MAX_SOURCE_BYTES)
      const cropped = 'refused' in data ? data : await crop(browser.member.memberId, data)
      const show = async (why: { photoError: string } | { problem: string }, status: number) => {
        const member = await requireMember(deps.database, browser.member.memberId)
        return showProfile(deps, { browser, member, status, ...why })
      }
      if ('refused' in cropped) return show({ photoError: cropped.refused }, 422)
      const { photo, sizes } = cropped
      try {
        await changeManually(request, async (changing) => {
          await storeAllPhotos(changing.tx, sizes, changing.now)
          await changePhoto(changing, photo)
        })
        return seeOther(PROFILE_NOTICES.pathTo('photo_saved'))
      } catch (error) {
        if (!hasCode(error, 'conflict')) throw error
        return show({ problem: error.message }, 409)
      }
    },
  })
}

function removeRoute(deps: ProfileEditorDeps): Route {
  return formRoute(deps, {
    path: REMOVE_PROFILE_PHOTO_PATH,
    async handle(request) {
      await changeManually(request, (changing) => changePhoto(changing, null))
      return seeOther(PROFILE_NOTICES.pathTo('photo_removed'))
    },
  })
}

async function changePhoto({ tx, now, record }: Changing, photo: string | null): Promise<void> {
  const before = await requireMember(tx.shared, tx.memberId)
  const change = profileChange(before, await changeProfile(tx, before, { photo }, now))
  if (change) await record(change)
}
