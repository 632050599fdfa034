// Reads `connections.json` of Weft's own export, which has one connection per line and holds more than a contact file:
// details, custom fields, and every note.

import Type, { type Static } from 'typebox'
import { checkSchema } from '../../../base/schema.ts'
import { manyLines } from '../../model/clean-text.ts'
import { rowOf, type ContactDraft, type DraftValue, type ImportRow } from '../../model/contact.ts'
import { DetailsJson, detailsFromJson } from '../../model/details-json.ts'
import { MAX_NOTE_LENGTH } from '../../model/limits.ts'
import { dataUrlBytes, readPhoto } from '../../model/photo.ts'
import { portableLabels, portableUrls } from '../../model/portable-values.ts'
import { birthdayIn, dayIn } from './dates.ts'
import { UnreadableFile } from './unreadable-file.ts'

/** Whether the text is such a file, also one of an empty network. */
export function holdsWeftConnections(head: string): boolean {
  return /^\[\n\{"connection_id":"c_\d+"/.test(head) || head === '[]\n'
}

/** One batch per text block. */
export async function* weftRowBatches(
  blocks: AsyncIterable<string>,
): AsyncGenerator<ImportRow[], void, undefined> {
  let rest: string[] = []
  let length = 0
  let line = 0
  let row = 0
  const rowsOf = (lines: readonly string[]) =>
    lines.flatMap((text) => {
      line += 1
      const record = text.trim().replace(/,$/, '')
      return record === '' || /^[[\]]+$/.test(record) ? [] : [rowFrom(record, ++row, line)]
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
    `Line ${line} of connections.json is too long for one connection.`,
    'Import the connections.vcf of the export instead.',
  )
}

const text = Type.Optional(Type.Union([Type.String(), Type.Null()]))
const texts = Type.Optional(Type.Array(Type.String()))

const ExportedRecord = Type.Object({
  name: Type.String(),
  given_name: text,
  family_name: text,
  company: text,
  title: text,
  location: text,
  emails: texts,
  phones: texts,
  profile_url: text,
  links: texts,
  birthday: text,
  connected_on: text,
  tags: texts,
  notes: Type.Optional(Type.Array(Type.Object({ text: Type.String() }))),
  details: Type.Optional(Type.Object({})),
  /** A data URL. */
  photo: text,
  deleted_at: text,
})
type ExportedRecord = Static<typeof ExportedRecord>

function rowFrom(json: string, row: number, line: number): ImportRow {
  const checked = checkSchema(ExportedRecord, parsed(json))
  if (!checked.ok) return { row, line, rejected: 'This line is not a connection of an export' }
  const record = checked.value
  if (record.deleted_at != null) return { row, line, skipped: 'This connection was deleted' }
  const details = checkSchema(DetailsJson, record.details ?? {})
  const { note, isWhole } = noteOf(record)
  const read = rowOf(row, line, draftOf(record, details.ok ? details.value : {}, note))
  const cut = [...(details.ok ? [] : ['details']), ...(isWhole ? [] : ['note'])]
  return 'contact' in read && cut.length > 0
    ? { ...read, cut: [...(read.cut ?? []), ...cut] }
    : read
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json) as unknown
  } catch {
    return undefined
  }
}

function draftOf(
  record: ExportedRecord,
  { labels = {}, ...details }: DetailsJson,
  note: string,
): ContactDraft {
  const labeled = (value: string): DraftValue => {
    const label = Object.hasOwn(labels, value) ? labels[value] : undefined
    return label === undefined ? value : { value, label }
  }
  const {
    profile_url: profileUrl = null,
    links = [],
    emails = [],
    phones = [],
    birthday,
    connected_on,
  } = record
  return {
    fullName: record.name,
    givenName: record.given_name ?? '',
    familyName: record.family_name ?? '',
    company: record.company ?? '',
    title: record.title ?? '',
    location: record.location ?? '',
    emails: emails.map(labeled),
    phones: phones.map(labeled),
    urls: portableUrls({ profileUrl, links }).map(labeled),
    birthday: birthday == null ? null : birthdayIn(birthday),
    connectedOn: connected_on == null ? null : dayIn(connected_on),
    note,
    labels: (record.tags ?? []).flatMap(portableLabels),
    details: detailsFromJson(details),
    ...(record.photo != null && { photo: photoIn(record.photo) }),
  }
}

function photoIn(url: string): ContactDraft['photo'] {
  const bytes = dataUrlBytes(url)
  return bytes && readPhoto(bytes)
}

/** As many notes as fit into the one of a contact, oldest first, with an empty line between. */
function noteOf({ notes = [] }: ExportedRecord): {
  readonly note: string
  readonly isWhole: boolean
} {
  let note = ''
  for (const one of notes) {
    const clean = manyLines(one.text, Infinity)
    const longer = note === '' ? clean : `${note}\n\n${clean}`
    if (longer.length > MAX_NOTE_LENGTH) return { note, isWhole: false }
    note = longer
  }
  return { note, isWhole: true }
}
