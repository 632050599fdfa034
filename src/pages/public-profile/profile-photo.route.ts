/** `/human/:username/photo/:photo_id.jpg`: a size of the photo of a public profile. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { findPhoto, PHOTO_SIDES, profilePhotoId } from '../../connections/model/photo-store.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { publicPhotoPath } from '../../html/site-map.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { findMemberByUsername } from '../../members/member.ts'
import { isListed } from '../../members/member-row.ts'
import { imageAnswer } from '../../ui/photo-response.ts'
import type { Database } from '../../db/database.ts'

interface ProfilePhotoDeps {
  readonly database: Database
}

/** In seconds. An image at this address never changes, but a private profile disappears from caches within a day. */
const CACHE_CONTROL = 'public, max-age=86400, immutable'

export function profilePhotoRoute({ database }: ProfilePhotoDeps): Route {
  return defineRoute({
    method: 'GET',
    path: publicPhotoPath(':username', ':photo_id'),
    operationId: 'getProfilePhoto',
    summary: 'Read the photo of a public profile',
    description: 'The URL is in the avatar_url of the profile.',
    access: 'public',
    limit: LIMITS.profile,
    params: Type.Object({ username: Type.String(), photo_id: Type.String() }),
    answers: {
      200: { description: 'A square image', type: 'image/jpeg' },
      404: { description: 'Replaced, removed, unknown or private', type: 'problem' },
    },
    async handle({ params: { username, photo_id } }) {
      const member = await findMemberByUsername(database, username)
      const current = member && isListed(member) ? member.photo : null
      const isShown =
        current !== null && PHOTO_SIDES.some((side) => profilePhotoId(current, side) === photo_id)
      const photo =
        member && isShown ? await findPhoto(database.member(member.memberId), photo_id) : undefined
      if (!photo) throw new RequestError('not_found', 'Photo not found.')
      return imageAnswer(photo, { 'cache-control': CACHE_CONTROL })
    },
  })
}
