/** Finds connections by their email addresses. */

import { emailKey } from '../../contact-files/contact/contact-keys.ts'
import { findPresent } from './connection-store.ts'
import { findByKeys } from './key-store.ts'
import type { MemberReader } from '../../db/database.ts'

/** Numbers of the connections by address. One that several have is left out, or with `isSharedKnown` is that of the first. */
export async function findByEmail(
  reader: MemberReader,
  emails: readonly string[],
  { isSharedKnown = false } = {},
): Promise<ReadonlyMap<string, number>> {
  const found = await findByKeys(reader, emails.map(emailKey))
  const present = await findPresent(
    reader,
    found.map(({ connection_id }) => connection_id),
  )
  const idsByKey = new Map<string, Set<number>>()
  for (const { key, connection_id } of found) {
    const connection = present.get(connection_id)
    if (connection?.deletedAt !== null) continue
    const ids = idsByKey.get(key) ?? new Set()
    idsByKey.set(key, ids.add(connection.connectionId))
  }
  return new Map(
    emails.flatMap((email) => {
      const [id, ...others] = idsByKey.get(emailKey(email)) ?? []
      return id === undefined || (others.length > 0 && !isSharedKnown) ? [] : [[email, id] as const]
    }),
  )
}
