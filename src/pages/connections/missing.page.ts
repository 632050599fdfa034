/** In place of a connection that is not there: what became of it, as far as that is known. */

import { publicConnectionId, readConnectionId, UNDONE } from '../../connections/model/connection.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { messagePage } from '../../html/message.page.ts'
import { CONNECTIONS_PATH, connectionPath, DELETED_CONNECTIONS_PATH } from '../../html/site-map.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

export async function missingPage(reader: MemberReader, publicId: string): Promise<Answer> {
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  const mergedInto = found?.mergedInto ?? null
  if (mergedInto !== null && mergedInto !== UNDONE)
    return gone('It was merged into another connection.', {
      href: connectionPath(publicConnectionId(mergedInto)),
      label: 'To the other one',
    })
  if (found && found.deletedAt !== null && mergedInto === null)
    return gone('It was deleted. For 30 days it can be restored.', {
      href: DELETED_CONNECTIONS_PATH,
      label: 'Deleted connections',
    })
  return gone('It may have been taken back, or it never was in your network.', {
    href: CONNECTIONS_PATH,
    label: 'Your connections',
  })
}

function gone(text: string, action: { readonly href: string; readonly label: string }): Answer {
  return messagePage({ status: 404, title: 'There is no such connection', text, action })
}
