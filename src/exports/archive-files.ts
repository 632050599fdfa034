/**
 * The files of a member's export archive. Rows are read and written page by page, so a change during the export may
 * appear in one file and not in another.
 */

import { dayAt } from '../dates/calendar-day.ts'
import { rfc3339 } from '../base/clock.ts'
import {
  FIELD_NAMES,
  publicConnectionId,
  type Connection,
} from '../connections/model/connection.ts'
import { fieldName, fieldOrigins } from '../connections/model/field-sources.ts'
import { ARCHIVE_VERSION } from '../contact-files/contact/network-settings.ts'
import { detailsJsonOf } from '../contact-files/contact/details-json.ts'
import { customFieldIn, customFieldKey } from '../contact-files/contact/details.ts'
import { photoDataUrl, type Photo } from '../contact-files/contact/photo.ts'
import { publicInteractionId } from '../connections/interactions/interaction-store.ts'
import type { ContactTimes } from '../connections/last-contact/read-contact-times.ts'
import { findPhoto, profilePhotoId } from '../connections/model/photo-store.ts'
import { differentPairsOf } from '../connections/matching/match-reviews.ts'
import { memberStatement } from '../db/statement.ts'
import { accessOf } from './access-file.ts'
import { readCustomFields } from '../connections/custom-fields/custom-fields.ts'
import { connectionsCsv } from './connections-csv.ts'
import {
  connectionPages,
  type ExportedConnection,
  type ExportedInteraction,
} from './exported-connection.ts'
import { followUpRecord } from '../connections/follow-ups/portable-follow-ups.ts'
import { portableContact } from './contact-mapping.ts'
import { RECORD_FILES } from './record-files.ts'
import { vcardOf } from './write-vcard.ts'
import type { MemberReader } from '../db/database.ts'
import type { Member } from '../members/member-row.ts'
import type { ZippedFile } from './zip-stream.ts'

interface ArchiveOf {
  /** For heavy reads. */
  readonly reader: MemberReader
  /** For photos, because heavy reads pass through a thread as JSON, which cannot contain bytes. */
  readonly photos: MemberReader
  readonly member: Member
  readonly publicUrl: string
  readonly now: number
  /** Reports the rows written since the last call, and their file. */
  readonly onRows: (count: number, file: string) => void
}

/** The files in the order of the archive. Nothing is read until a file is. */
export function archiveFiles(archive: ArchiveOf): ZippedFile[] {
  const { reader, photos, member, publicUrl, now, onRows } = archive
  const counted = async function* <Row>(name: string, pages: AsyncIterable<readonly Row[]>) {
    for await (const page of pages) {
      yield page
      onRows(page.length, name)
    }
  }
  const connections = (name: string) => counted(name, connectionPages(reader))
  return [
    { name: 'README.txt', text: once(async () => readme(member, publicUrl, now)) },
    { name: 'profile.json', text: once(() => profileText(photos, member)) },
    { name: 'connections.csv', text: csvText(reader, connections('connections.csv')) },
    { name: 'connections.vcf', text: vcardText(photos, connections('connections.vcf')) },
    {
      name: 'connections.json',
      text: jsonList(connectionRecords({ reader, photos }, connections('connections.json'))),
    },
    ...RECORD_FILES.map((file) => ({
      name: file.name,
      text: jsonList(counted(file.name, file.pages(reader))),
    })),
    { name: 'access.json', text: once(async () => jsonText(await accessOf(reader, now))) },
  ]
}

/** Usernames have no characters that need quoting. */
export function archiveName({ username }: Member, now: number): string {
  return `weft-${username}-${rfc3339(now).slice(0, 'YYYY-MM-DD'.length)}.zip`
}

/** The approximate number of rows that `onRows` will report. */
export async function countArchiveRows(reader: MemberReader): Promise<number> {
  const row = await reader.get(COUNTS, {})
  return row ? FILES_OF_CONNECTIONS * row.connections + row.others : 0
}

const FILES_OF_CONNECTIONS = 3

async function* csvText(
  reader: MemberReader,
  pages: AsyncIterable<readonly ExportedConnection[]>,
): AsyncGenerator<string, void> {
  const csv = connectionsCsv(await readCustomFields(reader))
  yield csv.header
  for await (const page of pages)
    yield page
      .filter(isLive)
      .map((one) => csv.line(portableContact(one)))
      .join('')
}

async function* vcardText(
  reader: MemberReader,
  pages: AsyncIterable<readonly ExportedConnection[]>,
): AsyncGenerator<string, void> {
  for await (const page of pages)
    for (const part of partsOf(page.filter(isLive))) {
      const photo = await photoOf(reader, part)
      yield part.map((one) => vcardOf(portableContact(one), photo)).join('')
    }
}

/**
 * The connections in order. Each connection with a photo is a separate part, so that few photos are in memory at once.
 */
function partsOf(page: readonly ExportedConnection[]): ExportedConnection[][] {
  const parts: ExportedConnection[][] = [[]]
  for (const one of page)
    if (one.connection.details.photo === undefined) parts.at(-1)?.push(one)
    else parts.push([one], [])
  return parts.filter((part) => part.length > 0)
}

async function photoOf(
  reader: MemberReader,
  [only]: readonly ExportedConnection[],
): Promise<Photo | undefined> {
  const photo = only?.connection.details.photo
  return photo === undefined ? undefined : findPhoto(reader, photo)
}

/** Deleted connections are only in the JSON, so that importing the archive does not restore them. */
function isLive({ connection }: ExportedConnection): boolean {
  return connection.deletedAt === null
}

/** One record per line. */
async function* jsonList(pages: AsyncIterable<readonly object[]>): AsyncGenerator<string, void> {
  let before = '[\n'
  for await (const page of pages) {
    if (page.length === 0) continue
    yield page.reduce<string>((text, row, index) => {
      const comma = index === 0 ? before : ',\n'
      return text + comma + JSON.stringify(row)
    }, '')
    before = ',\n'
  }
  yield before === '[\n' ? '[]\n' : '\n]\n'
}

async function* connectionRecords(
  { reader, photos }: Pick<ArchiveOf, 'reader' | 'photos'>,
  pages: AsyncIterable<readonly ExportedConnection[]>,
): AsyncGenerator<readonly object[], void> {
  const customFields = await readCustomFields(reader)
  const names = new Map(customFields.map(({ fieldId, name }) => [String(fieldId), name]))
  for await (const page of pages) {
    const ids = page.map(({ connection }) => connection.connectionId)
    const others = othersOf(await differentPairsOf(reader, ids))
    for (const part of partsOf(page)) {
      const photo = await photoOf(photos, part)
      yield part.map((one) =>
        connectionRecord(one, { photo, others: others.get(one.connection.connectionId), names }),
      )
    }
  }
}

/** By connection: those that the member decided are other people. */
function othersOf(pairs: readonly [number, number][]): ReadonlyMap<number, readonly number[]> {
  const both = pairs.flatMap(([one, other]) => [[one, other] as const, [other, one] as const])
  return new Map(
    [...Map.groupBy(both, ([one]) => one)].map(([one, some]) => [one, some.map(([, id]) => id)]),
  )
}

async function* once(make: () => Promise<string>): AsyncGenerator<string, void> {
  yield await make()
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`
}

/** What a record needs beside its connection. */
interface RecordParts {
  readonly photo: Photo | undefined
  /** Connections that the member decided are other people. */
  readonly others: readonly number[] | undefined
  /** Names of custom fields, by number. */
  readonly names: ReadonlyMap<string, string>
}

function connectionRecord(
  { connection, tags, notes, followUps, interactions, fields, times }: ExportedConnection,
  { photo, others, names }: RecordParts,
): object {
  const { connectionId, source } = connection
  const details = detailsJsonOf(connection.details, fields)
  return {
    connection_id: publicConnectionId(connectionId),
    ...fieldsOf(connection),
    ...(details && { details }),
    ...(photo && { photo: photoDataUrl(photo) }),
    tags,
    notes: notes.map((note) => ({ ...note, created_at: rfc3339(note.created_at) })),
    follow_ups: followUps.map(followUpRecord),
    interactions: interactions.map(interactionRecord),
    ...(times && cadenceRecord(times)),
    ...(others && { different_from: others.map(publicConnectionId) }),
    source,
    ...originsOf(connection, names),
    created_at: rfc3339(connection.createdAt),
    updated_at: rfc3339(connection.updatedAt),
    deleted_at: rfc3339(connection.deletedAt),
  }
}

/** Empty if nothing is set. */
function cadenceRecord({ cadence, setOn, pausedUntil, isMuted }: ContactTimes): object {
  const set = {
    ...(cadence && { ...cadence, set_on: setOn }),
    ...(pausedUntil !== null && { paused_until: pausedUntil }),
    ...(isMuted && { muted: true }),
  }
  return Object.keys(set).length === 0 ? {} : { cadence: set }
}

/** Several people have an interaction with the same ID. Empty fields are omitted. */
function interactionRecord(one: ExportedInteraction): object {
  const { direction, happened_at, zone, subject, text } = one
  return {
    interaction_id: publicInteractionId(one.interaction_id),
    kind: one.kind,
    on: dayAt(one.local_at),
    ...(happened_at !== null && zone !== null && { at: rfc3339(happened_at), zone }),
    ...(direction !== null && { direction }),
    ...(subject !== null && { subject }),
    ...(text !== null && { text }),
  }
}

/** The sources and times of fields, custom fields by their names. */
function originsOf(connection: Connection, names: RecordParts['names']): object {
  const nameOf = (field: string) => {
    const custom = customFieldIn(field)
    return custom === undefined ? fieldName(field) : customFieldKey(names.get(custom) ?? custom)
  }
  const { tags } = connection.fieldSources
  const origins = fieldOrigins(connection)
  return {
    field_sources: {
      ...Object.fromEntries(
        origins.flatMap(({ field }) => {
          const source = connection.fieldSources[field]
          return source === undefined ? [] : [[nameOf(field), source]]
        }),
      ),
      ...(tags && { tags }),
    },
    field_times: Object.fromEntries(
      origins.flatMap(({ field, at }) => (at === undefined ? [] : [[nameOf(field), rfc3339(at)]])),
    ),
  }
}

function fieldsOf(connection: Connection): object {
  return Object.fromEntries(
    Object.entries(connection).flatMap(([field, value]: [string, unknown]) =>
      Object.hasOwn(FIELD_NAMES, field) ? [[fieldName(field), value]] : [],
    ),
  )
}

/** The photo as a data URL in its largest size. */
async function profileText(photos: MemberReader, member: Member): Promise<string> {
  const photo =
    member.photo === null ? undefined : await findPhoto(photos, profilePhotoId(member.photo, 512))
  return jsonText({ ...profileOf(member), photo: photo ? photoDataUrl(photo) : null })
}

function profileOf(member: Member): object {
  const { memberId: _, photo: _photo, avatarUrl, isPublic, version: _version, ...others } = member
  const { joinedAt, updatedAt, disabledAt: _disabled, ...fields } = others
  return {
    ...fields,
    avatar_url: avatarUrl,
    is_public: isPublic,
    joined_at: rfc3339(joinedAt),
    updated_at: rfc3339(updatedAt),
    archive_version: ARCHIVE_VERSION,
  }
}

function readme({ name, username }: Member, publicUrl: string, now: number): string {
  const records = RECORD_FILES.map((file) => described(file.name, file.about))
  return `Everything that ${name} (@${username}) has at ${publicUrl},
exported on ${rfc3339(now)}.

To take your contacts elsewhere
${described('connections.csv', "for Google Contacts, Outlook and another Weft: Google's column names")}
${described('connections.vcf', 'for phones, address books and another Weft: vCard 4.0')}

You can import this zip file into another Weft, which reads connections.json,
custom-fields.json, tag-cadences.json, saved-views.json, to-dos.json and profile.json: all fields
with their sources and times, details, custom fields with their kinds, tags, notes with their dates, interactions, follow-ups, and which people you decided are
different. The two contact files hold the same except sources and times, follow-ups, the dates of
notes (all notes are one text), the times of interactions and the kinds of custom fields.

Everything, for programs (JSON, UTF-8, times in UTC)
${described('profile.json', 'your profile')}
${described('connections.json', 'connections with their tags, notes, interactions, follow-ups and sources,')}
${described('', 'including deleted ones that can still be restored')}
${records.join('\n')}
${described('access.json', 'what has access to your network, by name: apps, tokens, passkeys, browsers')}

Passwords and token secrets are not included. A change during the export may appear in one
file and not in another.
`
}

const NAME_WIDTH = 18

function described(name: string, about: string): string {
  return `  ${name.padEnd(NAME_WIDTH)}${about}`
}

/** By primary keys, except for jobs, of which a member has few. */
const COUNTS = memberStatement<object, { connections: number; others: number }>()(`
  select
    (select count(*) from connections where member_id = :member_id and merged_into is null) as connections,
    (select count(*) from notes where member_id = :member_id)
    + (select count(*) from follow_ups where member_id = :member_id)
    + (select count(*) from activity where member_id = :member_id)
    + (select count(*) from credit_ledger where member_id = :member_id)
    + (select count(*) from jobs where member_id = :member_id) as others`)
