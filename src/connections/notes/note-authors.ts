/** Who wrote the notes of a connection, by its activity. */

import { memberStatement } from '../../db/statement.ts'
import { publicConnectionId } from '../model/connection.ts'
import { numberIn } from '../../records/recorded-table.ts'
import { NOTES } from './notes.ts'
import type { MemberReader } from '../../db/database.ts'

export interface NoteAuthor {
  /** The name of the agent or, for `isMember`, of the member. */
  readonly name: string
  readonly isMember: boolean
}

/** By note number. Omits notes whose addition is no longer in the activity log, and those from imports. */
export async function noteAuthors(
  reader: MemberReader,
  connectionId: number,
): Promise<ReadonlyMap<number, NoteAuthor>> {
  const rows = await reader.all(ADDITIONS, { connection_id: connectionId })
  return new Map(
    rows.flatMap(({ actor, credential_id, ...row }) =>
      notesIn(row, connectionId).map((note) => [
        numberIn(NOTES, note),
        { name: actor, isMember: credential_id === null },
      ]),
    ),
  )
}

/** The public IDs of the notes that a change added. */
function notesIn({ subject_id, added }: Addition, connectionId: number): readonly string[] {
  if (added === null) return [subject_id]
  // As add_connections, update_connections and save_note for several people record it.
  const recorded = JSON.parse(added) as Recorded | { readonly connections: readonly Recorded[] }
  const all = 'connections' in recorded ? recorded.connections : [recorded]
  const id = publicConnectionId(connectionId)
  return all.find(({ connection_id }) => connection_id === id)?.notes ?? []
}

/** A connection with the public IDs of the notes that it was given. */
interface Recorded {
  readonly connection_id: string
  readonly notes?: readonly string[]
}

interface Addition {
  readonly subject_id: string
  /** Connections that were added with notes; null for a note. */
  readonly added: string | null
}

/** By the primary keys of both tables. */
const ADDITIONS = memberStatement<
  { connection_id: number },
  Addition & { readonly actor: string; readonly credential_id: string | null }
>()(`
  select a.subject_id, a.actor, a.credential_id, case when a.action = 'note.add' then null else a.after end as added
  from activity_connections c
  join activity a on a.member_id = :member_id and a.activity_id = c.activity_id
  where c.member_id = :member_id and c.connection_id = :connection_id
    and a.action in ('note.add', 'notes.add', 'connection.add', 'connection.update', 'connections.add', 'connections.update')
    and a.after is not null`)
