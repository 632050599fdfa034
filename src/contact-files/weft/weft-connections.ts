// Reads `connections.json` of Weft's own export, which has one connection per line and holds more than a contact file:
// details, custom fields, and every note.

import { jsonOf } from '../../base/parse-text.ts'
import { phrase } from '../../languages/message.ts'
import { createHash } from 'node:crypto'
import { checkSchema } from '../../base/schema.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { formatPublicId } from '../../base/public-id.ts'
import { manyLines, oneLine } from '../contact/clean-text.ts'
import {
  type CardLinks,
  type ContactHistory,
  type ContactOrigin,
  type ImportedContact,
  type ImportedCadence,
  type ImportRow,
} from '../contact/contact.ts'
import { rowOf, type ContactDraft } from '../contact/contact-draft.ts'
import type { ContactFile } from '../file/contact-file.ts'
import { cleanDetails } from '../contact/clean-details.ts'
import { followUpsIn, timeIn } from './exported-follow-up.ts'
import { ExportedOrigin, ExportedRecord } from './exported-record.ts'
import { DetailsJson, detailsFromJson } from '../contact/details-json.ts'
import { MAX_TAG_LENGTH, MAX_TEXT_LENGTH, MAX_VALUES } from '../../base/limits.ts'
import { cardKey, fingerprintKey } from '../contact/contact-keys.ts'
import type { ContactDetails, ContactInteraction } from '../contact/details.ts'
import { notePartsOf } from '../contact/note-parts.ts'
import { linkIn, profileUrlIn } from '../contact/urls.ts'
import { photoInUrl } from '../contact/photo.ts'
import { birthdayIn, dayIn } from '../../dates/date-notations.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'

/** The connections of the text. */
export function weftFile(blocks: AsyncIterable<string>): ContactFile {
  return { format: 'table', header: [], columns: () => [], rowBatches: connectionRows(blocks) }
}

/** One batch per text block. */
async function* connectionRows(
  blocks: AsyncIterable<string>,
): AsyncGenerator<ImportRow[], void, undefined> {
  let rest: string[] = []
  let length = 0
  let line = 0
  let row = 0
  const decided = new Map<string, string>()
  const rowsOf = (lines: readonly string[]) =>
    lines.flatMap((text) => {
      line += 1
      const record = text.trim().replace(/,$/, '')
      return record === '' || /^[[\]]+$/.test(record)
        ? []
        : [rowFrom(record, { row: ++row, line, decided })]
    })
  for await (const block of blocks) {
    const [first = '', ...others] = block.split('\n')
    rest.push(first)
    length += first.length
    if (length > MAX_LINE_LENGTH) throw tooLong(line + 1)
    const last = others.pop()
    if (last === undefined) continue
    const lines = [rest.join(''), ...others]
    rest = [last]
    length = last.length
    const rows = rowsOf(lines)
    if (rows.length > 0) yield rows
  }
  const last = rowsOf([rest.join('')])
  if (last.length > 0) yield last
}

/** Characters. A connection can have thousands of notes. */
const MAX_LINE_LENGTH = 20_000_000

function tooLong(line: number): UnreadableFile {
  return new UnreadableFile(
    'json_file',
    {
      source: phrase('Line {line} of connections.json is too long for one person.'),
      values: { line },
    },
    phrase('Import the connections.vcf of the export instead.'),
  )
}

interface RecordPosition {
  readonly row: number
  readonly line: number
  /** Fingerprints of earlier contacts that the member decided are not certain others, by the ID of their connection. */
  readonly decided: Map<string, string>
}

function rowFrom(json: string, { row, line, decided }: RecordPosition): ImportRow {
  const checked = checkSchema(ExportedRecord, jsonOf(json))
  if (!checked.ok) return { row, line, rejected: phrase('This line is not a person of an export') }
  const record = checked.value
  if (record.deleted_at != null) return { row, line, skipped: 'This connection was deleted' }
  const details = checkSchema(DetailsJson, record.details ?? {})
  const known = details.ok ? details.value : {}
  const read = rowOf(row, line, draftOf(record, known))
  if (!('contact' in read)) return read
  const contact = { ...read.contact, ...exactValues({ ...record, details: known }, read.contact) }
  const addedAt = timeIn(record.created_at)
  const history = { ...historyOf(record), ...decisionsOf(record, contact, decided) }
  const cut = [...(read.cut ?? []), ...(details.ok ? [] : ['details'])]
  return {
    ...read,
    contact,
    ...(cut.length > 0 && { cut }),
    ...(hasEntries(history) && { history }),
    ...(record.connection_id != null && {
      record: record.connection_id,
      card: cardOf(record.connection_id, known),
    }),
    ...(addedAt !== null && { addedAt }),
    ...cadenceIn(record),
    ...originIn(record),
  }
}

function cadenceIn({ cadence }: ExportedRecord): { readonly cadence?: ImportedCadence } {
  if (cadence === undefined) return {}
  const { every = null, unit = null, set_on, paused_until, muted = false } = cadence
  if ((every === null) !== (unit === null)) return {}
  return {
    cadence: {
      every,
      unit,
      ...(set_on != null && isDay(set_on) && every !== null && { setOn: set_on }),
      ...(paused_until != null && isDay(paused_until) && { pausedUntil: paused_until }),
      ...(muted && { isMuted: 1 }),
    },
  }
}

/** The numbers of the connections that relations point at are those of the network that was exported. */
function cardOf(id: string, { relations = [] }: DetailsJson): CardLinks {
  const related = detailsFromJson({ relations }).relations ?? []
  return {
    key: recordKey(id),
    references: [],
    relations: related.flatMap(({ connectionId, ...relation }) =>
      connectionId === undefined
        ? []
        : [{ ...relation, key: recordKey(formatPublicId('c', connectionId)) }],
    ),
  }
}

function recordKey(id: string): string {
  return cardKey(`weft:${id}`)
}

function originIn(record: ExportedRecord): { readonly origin?: ContactOrigin } {
  const checked = checkSchema(ExportedOrigin, record)
  if (!checked.ok) return {}
  const { source, field_sources: sources, field_times } = checked.value
  const times = Object.entries(field_times).flatMap(([field, text]) => {
    const time = timeIn(text)
    return time === null ? [] : [[field, time] as const]
  })
  return { origin: { source, sources, times: Object.fromEntries(times) } }
}

function hasEntries({ interactions = [], ...others }: ContactHistory): boolean {
  const { notes, followUps, differentFrom = [] } = others
  return notes.length + followUps.length + interactions.length + differentFrom.length > 0
}

/** Reads the decisions that two people are different. The later one in the file has the decision. */
function decisionsOf(
  { connection_id, different_from = [] }: ExportedRecord,
  contact: ImportedContact,
  decided: Map<string, string>,
): Pick<ContactHistory, 'differentFrom'> {
  if (different_from.length === 0) return {}
  const differentFrom = different_from.flatMap((id) => decided.get(id) ?? [])
  decided.set(connection_id ?? '', fingerprintKey(contact, connection_id ?? undefined))
  return { differentFrom }
}

/** Unchanged, unlike in other files, where such names can mean profiles and groups. */
function exactValues(
  { tags = [], links = [], profile_url, details }: ExportedRecord & { details: DetailsJson },
  { emails, phones, details: read }: ImportedContact,
): Pick<ImportedContact, 'labels' | 'links' | 'profileUrl' | 'details'> {
  const profileUrl = profile_url == null ? null : storedUrl(profile_url)
  const ownLinks = distinct(links.map((link) => storedUrl(link) ?? '')).filter(
    (link) => link !== profileUrl,
  )
  const values = new Set([profileUrl, ...emails, ...phones, ...ownLinks])
  const labels = Object.entries(details.labels ?? {})
    .filter(([value]) => values.has(value))
    .map(([value, label]) => [value, oneLine(label, MAX_TEXT_LENGTH)] as const)
    .filter(([, label]) => label !== '')
  const { labels: _labels, ...others } = read ?? {}
  const whole = { ...others, ...(labels.length > 0 && { labels: Object.fromEntries(labels) }) }
  return {
    labels: distinct(tags.map((tag) => oneLine(tag, MAX_TAG_LENGTH))),
    links: ownLinks,
    profileUrl,
    ...(Object.keys(whole).length > 0 && { details: whole }),
  }
}

/** A profile is stored with readable letters, any other URL as it is encoded. */
function storedUrl(url: string): string | null {
  return profileUrlIn(url) === url ? url : linkIn(url)
}

function distinct(values: readonly string[]): string[] {
  return [...new Set(values)].filter((value) => value !== '').slice(0, MAX_VALUES)
}

function historyOf(record: ExportedRecord): ContactHistory {
  const { notes = [], follow_ups = [], interactions = [] } = record
  return {
    interactions: interactionsIn(interactions),
    notes: notes.flatMap(({ text: written, happened_on, origin: writer, created_at }) => {
      const text = manyLines(written, Infinity)
      const happenedOn = happened_on != null && isDay(happened_on) ? happened_on : null
      const createdAt = timeIn(created_at)
      const origin = writer === 'typed' && createdAt !== null ? 'typed' : 'import'
      return text === ''
        ? []
        : notePartsOf(text).map((part) => ({ text: part, happenedOn, origin, createdAt }))
    }),
    followUps: follow_ups.flatMap(followUpsIn),
  }
}

/** The interactions of several people have the same key. */
function interactionsIn(
  exported: NonNullable<ExportedRecord['interactions']>,
): readonly ContactInteraction[] {
  const given = exported.map((one): ContactInteraction => {
    const { interaction_id: _id, at, zone, direction, subject, text, ...day } = one
    return {
      ...day,
      ...(at != null && zone != null && { at, zone }),
      ...((direction === 'in' || direction === 'out') && { direction }),
      ...(subject != null && { subject }),
      ...(text != null && { text }),
      key: createHash('sha256').update(JSON.stringify(one)).digest('base64url'),
    }
  })
  return cleanDetails({ interactions: given }, new Map())?.interactions ?? []
}

function draftOf(
  record: ExportedRecord,
  { labels: _labels, ...details }: DetailsJson,
): ContactDraft {
  const { emails = [], phones = [], birthday, connected_on } = record
  return {
    fullName: record.name,
    givenName: record.given_name ?? '',
    familyName: record.family_name ?? '',
    company: record.company ?? '',
    title: record.title ?? '',
    location: record.location ?? '',
    emails,
    phones,
    urls: [],
    birthday: birthday == null ? null : birthdayIn(birthday),
    connectedOn: connected_on == null ? null : dayIn(connected_on),
    note: '',
    labels: [],
    details: withoutNumbers(detailsFromJson(details)),
    ...(record.photo != null && { photo: photoInUrl(record.photo) }),
  }
}

function withoutNumbers({ relations, ...details }: ContactDetails): ContactDetails {
  if (relations === undefined) return details
  return { ...details, relations: relations.map(({ connectionId: _number, ...one }) => one) }
}
