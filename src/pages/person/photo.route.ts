/** The photo of a connection: shown to its member only, uploaded and removed on the edit page. */

import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import { setPhoto } from '../../connections/editing/set-photo.ts'
import { editConnection } from '../../connections/editing/update-connection.ts'
import { MAX_PHOTO_BYTES, readPhoto } from '../../contact-files/contact/photo.ts'
import { findPhoto } from '../../connections/model/photo-store.ts'
import { CONNECTION_ROUTE, connectionPath, photoPath, smallPhotoPath } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { smallPhotoReader } from '../../members/photo/small-photo.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { imageAnswer } from '../../ui/photo-response.ts'
import { readUploadedPhoto } from '../../ui/uploaded-photo.ts'
import { changeManually, type ChangeRequest } from '../../ui/manual-change.ts'
import { missingPage } from './missing.page.ts'
import { findLive } from './find-live.ts'
import { showEditForm } from './edit.page.ts'
import { formRoute, type PageDeps, pageRoute, fileRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { Changing } from '../../tools/tool.ts'

const ById = Type.Object({ id: Type.String() })

/** Allows for the multipart lines around the file, and for a file that the page refuses as too large. */
const MAX_FORM_BYTES = 12 * MAX_PHOTO_BYTES

export function photoRoutes(deps: PageDeps): Route[] {
  return [showRoute(deps), smallRoute(deps), uploadRoute(deps), removeRoute(deps)]
}

function showRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: photoPath(':photo_id'),
    params: Type.Object({ photo_id: Type.String() }),
    async handle({ params, db }) {
      const photo = await findPhoto(db, params.photo_id)
      if (!photo) throw new RequestError('not_found', t('Photo not found.'))
      return imageAnswer(photo, HEADERS)
    },
  })
}

/** An image at this address never changes. */
const HEADERS = {
  'cache-control': 'private, max-age=31536000, immutable',
  'cross-origin-resource-policy': 'same-origin',
}

function smallRoute(deps: PageDeps): Route {
  const readSmall = smallPhotoReader()
  return pageRoute(deps, {
    path: smallPhotoPath(':photo_id'),
    params: Type.Object({ photo_id: Type.String() }),
    async handle({ params, db }) {
      const photo = await readSmall(db, params.photo_id)
      if (!photo) throw new RequestError('not_found', t('Photo not found.'))
      return imageAnswer(photo, HEADERS)
    },
  })
}

function uploadRoute(deps: PageDeps): Route {
  return fileRoute(deps, {
    path: `${CONNECTION_ROUTE}/photo`,
    params: ById,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { params, body, browser, db } = request
      const connection = await findLive(db, params.id)
      if (!connection) return missingPage(db, params.id)
      const data = await readUploadedPhoto(body, MAX_PHOTO_BYTES)
      const photo = 'refused' in data ? data : readPhoto(data)
      if ('refused' in photo)
        return showEditForm(db, { browser, connection, photoError: photo.refused, status: 422 })
      try {
        return await change(request, params.id, (changing) => setPhoto(changing, params.id, photo))
      } catch (error) {
        if (!hasCode(error, 'conflict')) throw error
        return showEditForm(db, { browser, connection, problem: error.message, status: 409 })
      }
    },
  })
}

function removeRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: `${CONNECTION_ROUTE}/remove-photo`,
    params: ById,
    async handle(request) {
      const { params, db } = request
      const { id } = params
      const connection = await findLive(db, id)
      if (!connection) return missingPage(db, id)
      if (connection.details.photo === undefined) return seeOther(connectionPath(id))
      return change(request, id, async (changing) => {
        const edit = { connection_id: id, details: ['photo='] }
        return editConnection(changing, edit)
      })
    },
  })
}

async function change(
  request: ChangeRequest,
  id: string,
  make: (changing: Changing) => Promise<number | undefined>,
): Promise<Answer> {
  const activityId = await changeManually(request, make)
  return seeOther(changeNoticePath(connectionPath(id), activityId))
}
