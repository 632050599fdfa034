/** A connection together with what belongs to it. */

import type { Connection } from '../model/connection.ts'
import type { CustomField } from '../custom-fields/custom-fields.ts'
import type { Note } from '../notes/notes.ts'
import type { Tag } from '../model/tag-store.ts'

/** A connection with its tags, its notes and the definitions of its custom fields. */
export interface WholeConnection {
  readonly connection: Connection
  readonly tags: readonly Tag[]
  readonly notes: readonly Note[]
  readonly fields: readonly CustomField[]
}

/** The text of a connection to embed. */
export interface ConnectionDocument {
  readonly connectionId: number
  readonly name: string
  readonly company: string | null
  readonly title: string | null
  readonly location: string | null
  readonly tags: readonly string[]
  readonly notes: readonly string[]
}

/** The data of a connection that semantic search embeds. */
export function documentOf(
  connection: Connection,
  tags: readonly string[],
  notes: readonly string[],
): ConnectionDocument {
  const { connectionId, name, company, title, location } = connection
  return { connectionId, name, company, title, location, tags, notes }
}
