/**
 * The files of an archive of everything that a member has. They are written as they are read, a page at a time: what is
 * changed meanwhile may be in one file as before and in another as after.
 */

import { rfc3339 } from '../base/clock.ts'
import {
  FIELD_NAMES,
  publicConnectionId,
  type Connection,
} from '../connections/model/connection.ts'
import { memberStatement } from '../db/statement.ts'
import { accessOf } from './access-file.ts'
import { CSV_HEADER, csvLine } from './connections-csv.ts'
import { connectionPages, type ExportedConnection } from './exported-connection.ts'
import { portableContact } from './contact-mapping.ts'
import { RECORD_FILES } from './record-files.ts'
import { vcardOf } from './vcard.ts'
import type { MemberReader } from '../db/database.ts'
import type { Member } from '../members/member.ts'
import type { ZippedFile } from './zip-stream.ts'

interface ArchiveOf {
  /** Of heavy reads. */
  readonly reader: MemberReader
  readonly member: Member
  /** `WEFT_PUBLIC_URL` */
  readonly publicUrl: string
  readonly now: number
  /** Told of rows as they are written, and of the file that they go into. */
  readonly onRows: (count: number, file: string) => void
}

export function archiveFiles({ reader, member, publicUrl, now, onRows }: ArchiveOf): ZippedFile[] {
  const counted = async function* <Row>(name: string, pages: AsyncIterable<readonly Row[]>) {
    for await (const page of pages) {
      yield page
      onRows(page.length, name)
    }
  }
  const connections = (name: string) => counted(name, connectionPages(reader))
  return [
    { name: 'README.txt', text: once(async () => readme(member, publicUrl, now)) },
    { name: 'profile.json', text: once(async () => jsonText(profileOf(member))) },
    { name: 'connections.csv', text: csvText(connections('connections.csv')) },
    { name: 'connections.vcf', text: vcardText(connections('connections.vcf')) },
    {
      name: 'connections.json',
      text: jsonList(mapped(connections('connections.json'), connectionRecord)),
    },
    ...RECORD_FILES.map((file) => ({
      name: file.name,
      text: jsonList(counted(file.name, file.pages(reader))),
    })),
    { name: 'access.json', text: once(async () => jsonText(await accessOf(reader, now))) },
  ]
}

/** A username has no character that would have to be quoted. */
export function archiveName({ username }: Member, now: number): string {
  return `weft-${username}-${rfc3339(now).slice(0, 'YYYY-MM-DD'.length)}.zip`
}

/** How many rows `onRows` will about tell of. */
export async function countArchiveRows(reader: MemberReader): Promise<number> {
  const row = await reader.get(COUNTS, {})
  return row ? FILES_OF_CONNECTIONS * row.connections + row.others : 0
}

const FILES_OF_CONNECTIONS = 3

async function* csvText(
  pages: AsyncIterable<readonly ExportedConnection[]>,
): AsyncGenerator<string, void> {
  yield CSV_HEADER
  for await (const page of pages)
    yield page
      .filter(isThere)
      .map((one) => csvLine(portableContact(one)))
      .join('')
}

async function* vcardText(
  pages: AsyncIterable<readonly ExportedConnection[]>,
): AsyncGenerator<string, void> {
  for await (const page of pages)
    yield page
      .filter(isThere)
      .map((one) => vcardOf(portableContact(one)))
      .join('')
}

/** Who was deleted is nobody to import again. */
function isThere({ connection }: ExportedConnection): boolean {
  return connection.deletedAt === null
}

/** A record a line. */
async function* jsonList(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string, void> {
  let before = '[\n'
  for await (const page of pages) {
    yield page.reduce<string>((text, row, index) => {
      const comma = index === 0 ? before : ',\n'
      return text + comma + JSON.stringify(row)
    }, '')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function* mapped<Row>(
  pages: AsyncIterable<readonly Row[]>,
  shape: (row: Row) => object,
): AsyncGenerator<readonly object[], void> {
  for await (const page of pages) yield page.map(shape)
}

async function* once(make: () => Promise<string>): AsyncGenerator<string, void> {
  yield await make()
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

function connectionRecord({ connection, tags, notes, followUps }: ExportedConnection): object {
  const { connectionId, source, fieldSources } = connection
  return {
    connection_id: publicConnectionId(connectionId),
    ...fieldsOf(connection),
    tags,
    notes: notes.map((note) => ({ ...note, created_at: rfc3339(note.created_at) })),
    follow_ups: followUps.map((one) => ({ ...one, completed_at: rfc3339(one.completed_at) })),
    source,
    field_sources: Object.fromEntries(
      Object.entries(fieldSources).map(([field, its]) => [publicName(field), its]),
    ),
    created_at: rfc3339(connection.createdAt),
    updated_at: rfc3339(connection.updatedAt),
    deleted_at: rfc3339(connection.deletedAt),
  }
}

function fieldsOf(connection: Connection): object {
  return Object.fromEntries(
    Object.entries(connection).flatMap(([field, value]: [string, unknown]) =>
      Object.hasOwn(FIELD_NAMES, field) ? [[publicName(field), value]] : [],
    ),
  )
}

function publicName(field: string): string {
  const names: Readonly<Record<string, string>> = FIELD_NAMES
  return names[field] ?? field
}

function profileOf(member: Member): object {
  const { memberId: _, avatarUrl, isPublic, version: _version, ...others } = member
  const { joinedAt, updatedAt, disabledAt: _disabled, ...fields } = others
  return {
    ...fields,
    avatar_url: avatarUrl,
    is_public: isPublic,
    joined_at: rfc3339(joinedAt),
    updated_at: rfc3339(updatedAt),
  }
}

function readme({ name, username }: Member, publicUrl: string, now: number): string {
  const records = RECORD_FILES.map((file) => described(file.name, file.about))
  return `Everything that ${name} (@${username}) has at ${publicUrl},
as it was on ${rfc3339(now)}.

To take your contacts elsewhere
${described('connections.csv', "for Google Contacts, Outlook, another Weft: Google's column names")}
${described('connections.vcf', 'for phones and address books, and another Weft: vCard 4.0')}

Another Weft takes this zip file as it is. A contact file holds names, work, place, e-mail
addresses, phone numbers, links, birthday, tags and notes. Only the JSON has the rest.

Everything, for programs (JSON, UTF-8, times in UTC)
${described('profile.json', 'your profile')}
${described('connections.json', 'connections with their tags, notes, follow-ups and where each came from,')}
${described('', 'with those that were deleted and can still be restored')}
${records.join('\n')}
${described('access.json', 'what can reach your network, by name: apps, tokens, passkeys, browsers')}

No password and no secret of a token is in here. What was changed while the archive was
written may be in one file as before and in another as after.
`
}

const NAME_WIDTH = 18

function described(name: string, about: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${about}`
}

/** Each by the primary key of its table, but for the jobs: a member has few. */
const COUNTS = memberStatement<object, { connections: number; others: number }>()(`
  select
    (select count(*) from connections where member_id = :member_id and merged_into is null) as connections,
    (select count(*) from notes where member_id = :member_id)
    + (select count(*) from follow_ups where member_id = :member_id)
    + (select count(*) from activity where member_id = :member_id)
    + (select count(*) from credit_ledger where member_id = :member_id)
    + (select count(*) from jobs where member_id = :member_id) as others`)
