/** The photo of a connection: shown to its member only, uploaded and removed on the edit page. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { setPhoto } from '../../connections/editing/set-photo.ts'
import { editConnection } from '../../connections/editing/update-connection.ts'
import {
  MAX_PHOTO_BYTES,
  readPhoto,
  TOO_LARGE,
  type Photo,
} from '../../contact-files/contact/photo.ts'
import { findPhoto } from '../../connections/model/photo-store.ts'
import { errorPage } from '../../html/message.page.ts'
import { CONNECTION_ROUTE, connectionPath, photoPath } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { changeManually, type Changing } from '../ui/manual-change.ts'
import { editFormOf, findLive } from './edit-form.ts'
import { missingPage } from './missing.page.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FileForm } from '../../http/multipart-form.ts'
import type { ConnectionDeps } from './connection-deps.ts'

const ById = Type.Object({ id: Type.String() })

/** Allows for the multipart lines around the file, and for a file that the page refuses as too large. */
const MAX_FORM_BYTES = 12 * MAX_PHOTO_BYTES

export function photoRoutes(deps: ConnectionDeps): Route[] {
  return [showRoute(deps), uploadRoute(deps), removeRoute(deps)]
}

function showRoute({ database }: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: photoPath(':photo_id'),
    operationId: 'showPhoto',
    summary: 'Show the photo of a connection',
    access: 'session',
    params: Type.Object({ photo_id: Type.String() }),
    answers: {
      200: {
        description: 'The image',
        type: ['image/jpeg', 'image/png', 'image/webp', 'image/gif'],
      },
      404: { description: 'The member has no such photo', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, browser }) {
      const photo = await findPhoto(database.member(browser.member.memberId), params.photo_id)
      if (!photo) throw new RequestError('not_found', 'Photo not found.')
      return { status: 200, headers: headersOf(photo), body: photo.bytes }
    },
  })
}

/** An image at this address never changes, and nothing in it is run, even if it is opened on its own. */
function headersOf({ mediaType }: Photo): Answer['headers'] {
  return {
    'content-type': mediaType,
    'cache-control': 'private, max-age=31536000, immutable',
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'same-origin',
  }
}

function uploadRoute({ database, clock }: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${CONNECTION_ROUTE}/photo`,
    operationId: 'uploadPhoto',
    summary: 'Set the photo of a connection',
    access: 'session',
    params: ById,
    body: { kind: 'file-form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: "Stored; redirects to the connection's page" },
      404: { description: 'The member has no such connection', type: 'text/html' },
      409: {
        description: 'There is no room for further photos: the form again',
        type: 'text/html',
      },
      413: { description: 'The file is far too large', type: 'text/html' },
      422: { description: 'The file is no photo: the form again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, body, browser }) {
      const db = database.member(browser.member.memberId)
      const connection = await findLive(db, id)
      if (!connection) return missingPage(db, id)
      const photo = await photoOf(body)
      if ('refused' in photo)
        return editFormOf(db, { browser, connection, photoError: photo.refused, status: 422 })
      try {
        return await change({ database, clock }, browser, id, (changing) =>
          setPhoto(changing, id, photo),
        )
      } catch (error) {
        if (!(error instanceof RequestError) || error.code !== 'conflict') throw error
        return editFormOf(db, { browser, connection, problem: error.message, status: 409 })
      }
    },
  })
}

function removeRoute({ database, clock }: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${CONNECTION_ROUTE}/remove-photo`,
    operationId: 'removePhoto',
    summary: 'Remove the photo of a connection',
    access: 'session',
    params: ById,
    body: { kind: 'form', maxBytes: 16 * 1024 },
    answers: {
      303: { description: "Removed; redirects to the connection's page" },
      404: { description: 'The member has no such connection', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, browser }) {
      const db = database.member(browser.member.memberId)
      const connection = await findLive(db, id)
      if (!connection) return missingPage(db, id)
      if (connection.details.photo === undefined) return seeOther(connectionPath(id))
      return change({ database, clock }, browser, id, async (changing) => {
        const edit = { connection_id: id, details: ['photo='] }
        return (await editConnection(changing, edit)).activityId
      })
    },
  })
}

async function change(
  { database, clock }: Pick<ConnectionDeps, 'database' | 'clock'>,
  { member }: SignedInRequest,
  id: string,
  make: (changing: Changing) => Promise<number | undefined>,
): Promise<Answer> {
  const activityId = await changeManually(database, member, clock.now(), make)
  return seeOther(changeNoticePath(connectionPath(id), activityId))
}

async function photoOf({ file }: FileForm): Promise<ReturnType<typeof readPhoto>> {
  const chunks: Uint8Array[] = []
  let size = 0
  // A larger file is read to its end, because the browser shows an answer only then, but not kept.
  for await (const chunk of file?.bytes ?? []) {
    size += chunk.byteLength
    if (size <= MAX_PHOTO_BYTES) chunks.push(chunk)
  }
  if (size === 0) return { refused: 'is required' }
  return size > MAX_PHOTO_BYTES ? TOO_LARGE : readPhoto(Buffer.concat(chunks))
}
