/** The edit page of a stored connection. */

import {
  publicConnectionId,
  readConnectionId,
  type Connection,
} from '../../connections/model/connection.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { readCustomFields } from '../../connections/model/custom-fields.ts'
import { editPage, type EditView } from './edit.page.ts'
import { draftOf } from './person-draft.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Answer } from '../../http/response.ts'

export async function findLive(
  reader: MemberReader,
  publicId: string,
): Promise<Connection | undefined> {
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return found?.deletedAt === null ? found : undefined
}

/** With the stored values, unless a draft is given. */
export async function editFormOf(
  reader: MemberReader,
  {
    connection,
    ...view
  }: Partial<EditView> & Pick<EditView, 'browser'> & { readonly connection: Connection },
): Promise<Answer> {
  const { connectionId, name, version, details } = connection
  const fields = await readCustomFields(reader)
  return editPage({
    publicId: publicConnectionId(connectionId),
    name,
    photo: details.photo,
    draft: draftOf(connection, fields),
    version: String(version),
    fields,
    ...view,
  })
}
