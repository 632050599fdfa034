/** The page shown for a missing connection, with the reason if it is known. */

import { t } from '../../languages/message.ts'
import { publicConnectionId, readConnectionId, UNDONE } from '../../connections/model/connection.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { CONNECTIONS_PATH, connectionPath, DELETED_CONNECTIONS_PATH } from '../../html/site-map.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

export async function missingPage(reader: MemberReader, publicId: string): Promise<Answer> {
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  const mergedInto = found?.mergedInto ?? null
  const title = t('Person not found')
  if (mergedInto !== null && mergedInto !== UNDONE)
    return notFoundPage(title, t('It was merged into another person.'), {
      href: connectionPath(publicConnectionId(mergedInto)),
      label: t('View merged person'),
    })
  if (found && found.deletedAt !== null && mergedInto === null)
    return notFoundPage(title, t('It was deleted. You can restore it for 30 days.'), {
      href: DELETED_CONNECTIONS_PATH,
      label: t('Deleted people'),
    })
  return notFoundPage(title, t('It may have been undone, or was never in your network.'), {
    href: CONNECTIONS_PATH,
    label: t('All people'),
  })
}
