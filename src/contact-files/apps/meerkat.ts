// Reads the CSV export of Meerkat: sections of contacts, relationships, activities, notes and reminders. Source of the format:
// backend/controllers/export_controller.go of Meerkat.

import { type Recurrence } from '../../dates/recurrence.ts'
import { readRecurrence } from '../../dates/recurrence-text.ts'
import { listsBy } from '../../base/lists-by.ts'
import { oneLine } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { hasEmail, hasPhone } from '../contact/emails-and-phones.ts'
import {
  fileOfRecords,
  importedNotes,
  longFollowUpNote,
  type ContactRecord,
} from '../file/contact-record.ts'
import { MAX_FOLLOW_UP_LENGTH, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { csvRecords } from '../table/csv.ts'
import { birthdayIn } from '../../dates/date-notations.ts'
import {
  jsonDay,
  jsonText,
  jsonTextIf,
  jsonTime,
  jsonValue,
  peekText,
} from '../file/json-values.ts'
import { Leaf } from '../file/unread-values.ts'
import { fieldsOf } from './reported-fields.ts'
import type { ContactHistory, RelatedRecord } from '../contact/contact.ts'
import type { ContactDraft } from '../contact/contact-draft.ts'
import type { ContactInteraction } from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** The cells of a row by column. Empty ones are missing. */
type Row = Readonly<Record<string, Leaf>>

export async function meerkatFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const sections = await sectionsIn(blocks)
  const rows = (name: string) => sections.get(name) ?? []
  const contacts = rows('CONTACTS')
  const ids = new Map(contacts.map((one) => [peekText(one['ID']), idOf(one)]))
  const named = Map.groupBy(contacts, nameOf)
  const activities = rows('ACTIVITIES').map((row) => ({ row, people: peopleOf(row, named) }))
  const activitiesOf = (hasPeople: boolean) =>
    activities.flatMap(({ row, people }) => (people.length > 0 === hasPeople ? [row] : []))
  const byContact = (name: string) => Map.groupBy(rows(name), (row) => peekText(row['Contact ID']))
  const parts = {
    ids,
    relations: byContact('RELATIONSHIPS'),
    notes: byContact('NOTES'),
    reminders: byContact('REMINDERS'),
    activities: listsBy(
      activities.flatMap(({ row, people }) => people.map((id) => [id, row] as const)),
    ),
  }
  return fileOfRecords({
    format: 'table',
    program: 'Meerkat',
    people: contacts,
    recordOf: (contact) => recordOf(contact, parts),
    sections: [
      { name: 'CONTACTS', records: contacts, isOfPeople: true },
      ...[...sections].flatMap(([name, records]) =>
        name === 'CONTACTS' || name === 'ACTIVITIES' ? [] : [{ name, records }],
      ),
      { name: 'ACTIVITIES', records: activitiesOf(true) },
      { name: 'ACTIVITIES without one contact of the name', records: activitiesOf(false) },
    ],
    fields: fieldsOf('meerkat'),
  })
}

async function sectionsIn(
  blocks: AsyncIterable<string>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const sections = new Map<string, Row[]>()
  let rows: Row[] = []
  let header: readonly string[] | undefined
  for await (const records of csvRecords(blocks))
    for (const { cells } of records) {
      const section =
        cells.length === 1 ? /^=== ([A-Z]+) ===$/.exec(cells[0] ?? '')?.[1] : undefined
      if (section !== undefined) {
        sections.set(section, (rows = []))
        header = undefined
      } else if (header === undefined) header = distinctNames(cells)
      else rows.push(rowOfCells(header, cells))
    }
  return sections
}

/** A custom field can have the name of another column. */
function distinctNames(cells: readonly string[]): readonly string[] {
  const seen = new Map<string, number>()
  return cells.map((name) => {
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return count === 1 ? name : `${name} (${count})`
  })
}

function rowOfCells(header: readonly string[], cells: readonly string[]): Row {
  return Object.fromEntries(
    cells.flatMap((cell, at) => {
      const text = cell.trim()
      return text === '' ? [] : [[header[at] ?? `Column ${at + 1}`, new Leaf(text)] as const]
    }),
  )
}

/** Numbers of other installations are the same, but not their times. */
function idOf({ ID: id, 'Created At': at }: Row): string {
  return `meerkat:${peekText(id)}:${peekText(at)}`
}

function nameOf({ Firstname: given, Lastname: family }: Row): string {
  return `${peekText(given)} ${peekText(family)}`.trim()
}

/** The numbers of the people in an activity. One of several people of a name is left out. */
function peopleOf(row: Row, named: ReadonlyMap<string, readonly Row[]>): readonly string[] {
  const names = peekText(row['Contact Names']).split(';')
  const numbers = names.flatMap((name) => {
    const people = named.get(name.trim()) ?? []
    return people.length === 1 ? people.map(({ ID: id }) => peekText(id)) : []
  })
  return [...new Set(numbers)]
}

interface Parts extends Readonly<
  Record<'relations' | 'notes' | 'reminders' | 'activities', ReadonlyMap<string, readonly Row[]>>
> {
  /** IDs of the contacts, by their numbers. */
  readonly ids: ReadonlyMap<string, string>
}

function recordOf(contact: Row, parts: Parts): ContactRecord {
  const number = jsonText(contact['ID'])
  const relations = (parts.relations.get(number) ?? []).flatMap((row) =>
    relationsOf(row, contact, parts.ids),
  )
  const reminders = (parts.reminders.get(number) ?? []).map((row) => followUpOf(row, contact))
  return {
    id: idOf(contact),
    draft: draftOf(contact, relations),
    related: relations.flatMap(({ key, ...one }) => (key === undefined ? [] : [{ ...one, key }])),
    history: {
      notes: [
        ...(parts.notes.get(number) ?? []).flatMap((row) => notesOf(row, contact)),
        ...reminders.flatMap(({ notes }) => notes),
      ],
      followUps: reminders.flatMap(({ followUps }) => followUps),
      interactions: (parts.activities.get(number) ?? []).flatMap(interactionsOf),
    },
    addedAt: jsonTime(contact['Created At']),
  }
}

/** Takes what says to which person a row belongs. */
function takeOwner(row: Row, contact: Row): void {
  jsonText(row['Contact ID'])
  if (peekText(row['Contact Name']) === nameOf(contact)) jsonText(row['Contact Name'])
}

function notesOf(row: Row, contact: Row): ContactHistory['notes'] {
  const text = jsonText(row['Content'])
  if (text === '') return []
  takeOwner(row, contact)
  const createdAt = jsonTime(row['Created At'])
  return importedNotes(text, { on: jsonDay(row['Date']) ?? null, createdAt })
}

type MeerkatRelation = Omit<RelatedRecord, 'key'> & {
  readonly key: string | undefined
  /** A birthday of someone who is no contact. */
  readonly birthday: string | null
}

/** The other person is the type: the child of this one. Nothing without a name. */
function relationsOf(row: Row, contact: Row, ids: Parts['ids']): readonly MeerkatRelation[] {
  const name = oneLine(
    jsonText(row['Related Contact Name']) || jsonText(row['Name']),
    MAX_TEXT_LENGTH,
  )
  if (name === '') return []
  takeOwner(row, contact)
  const id = ids.get(peekText(row['Related Contact ID']))
  if (id !== undefined) jsonText(row['Related Contact ID'])
  return [
    {
      name,
      relation: oneLine(jsonText(row['Type']), MAX_TEXT_LENGTH).toLowerCase(),
      key: id === undefined ? undefined : cardKey(id),
      birthday: id === undefined ? jsonValue(row['Birthday'], birthdayIn) : null,
    },
  ]
}

function draftOf(contact: Row, relations: readonly MeerkatRelation[]): ContactDraft {
  const text = (name: string) => jsonText(contact[name])
  const others = Object.keys(contact).filter((name) => !FIELDS.has(name))
  const fullName = [text('Firstname'), text('Lastname')].join(' ').trim()
  return {
    fullName,
    givenName: text('Firstname'),
    familyName: text('Lastname'),
    company: '',
    title: '',
    location: '',
    emails: [jsonTextIf(contact['Email'], hasEmail) ?? ''],
    phones: [jsonTextIf(contact['Phone'], hasPhone) ?? ''],
    urls: [],
    birthday: jsonValue(contact['Birthday'], birthdayIn),
    connectedOn: null,
    note: '',
    labels: text('Circles').split(';'),
    details: {
      nickname: text('Nickname'),
      addresses: [{ formatted: text('Address') }],
      dates: relations.flatMap(({ name, birthday }) =>
        birthday === null ? [] : [{ label: `birthday of ${name}`, date: birthday }],
      ),
      relations: relations.map(({ name, relation = '' }) => ({ name, relation })),
      custom: others.map((field) => ({
        field: field.trim() || 'Custom field',
        value: text(field),
      })),
    },
  }
}

/** With a field of their own, or about the row. */
const FIELDS: ReadonlySet<string> = new Set([
  'ID',
  'Created At',
  'Updated At',
  'Firstname',
  'Lastname',
  'Nickname',
  'Email',
  'Phone',
  'Birthday',
  'Address',
  'Circles',
])

/** Nothing without a day. */
function interactionsOf(row: Row): readonly ContactInteraction[] {
  const on = jsonDay(row['Date'])
  if (on === undefined) return []
  jsonText(row['Contact Names'])
  const [description, place] = [jsonText(row['Description']), jsonText(row['Location'])]
  const text = [description, place === '' ? '' : `Location: ${place}`].filter((part) => part !== '')
  return [
    {
      kind: 'meeting',
      on,
      subject: jsonText(row['Title']),
      text: text.join('\n'),
      key: `meerkat:${jsonText(row['ID'])}:${jsonText(row['Created At'])}`,
    },
  ]
}

/** Returns nothing without a day or a text. A completed follow-up does not recur. */
function followUpOf(row: Row, contact: Row): Pick<ContactHistory, 'followUps' | 'notes'> {
  const [from, message] = [jsonDay(peekText(row['Remind At'])), peekText(row['Message'])]
  if (from === undefined || message === '') return { followUps: [], notes: [] }
  takeOwner(row, contact)
  for (const name of ['Remind At', 'Message']) jsonText(row[name])
  const recurrence = jsonValue(row['Recurrence'], recurrenceIn) ?? 'none'
  const isDone = jsonValue(row['Completed'], (text) => STATES.get(text) ?? null) === true
  const createdAt = jsonTime(row['Created At'])
  const followUp = {
    text: oneLine(message, MAX_FOLLOW_UP_LENGTH),
    dueOn: from,
    recurrence: isDone ? 'none' : recurrence,
    countsFrom: from,
    completedAt: isDone ? (jsonTime(row['Updated At']) ?? Date.parse(from)) : null,
    createdAt,
    ...(recurrence !== 'none' && !isDone && { isWholeSeries: true }),
  }
  return { followUps: [followUp], notes: longFollowUpNote(message, createdAt) }
}

const STATES: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
])

function recurrenceIn(text: string): Recurrence | null {
  return text === 'six-months' ? 'every 6 months' : (readRecurrence(text) ?? null)
}
