// Reads the CSV export of Meerkat: sections of contacts, relationships, activities, notes and reminders.

import { type Recurrence } from '../contact/recurrence.ts'
import { readRecurrence } from '../values/recurrence-text.ts'
import { oneLine } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { fileOfRecords, importedNotes, type ContactRecord } from '../file/contact-record.ts'
import { MAX_FOLLOW_UP_LENGTH, MAX_TEXT_LENGTH } from '../contact/limits.ts'
import { csvScanner } from '../table/csv.ts'
import { birthdayIn } from '../values/dates.ts'
import { jsonDay, jsonTime } from '../file/json-values.ts'
import { columnsOfRecords } from './record-columns.ts'
import type { ContactDraft, ContactHistory, RelatedRecord } from '../contact/contact.ts'
import type { ContactInteraction } from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** The cells of a row by column. */
type Row = Readonly<Record<string, string>>

export async function meerkatFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const sections = await sectionsIn(blocks)
  const rows = (name: string) => sections.get(name) ?? []
  const contacts = rows('CONTACTS')
  const ids = new Map(contacts.map((one) => [one['ID'] ?? '', idOf(one)]))
  const named = Map.groupBy(contacts, nameOf)
  const activities = rows('ACTIVITIES').map((row) => ({ row, people: peopleOf(row, named) }))
  const parts = {
    ids,
    relations: Map.groupBy(rows('RELATIONSHIPS'), (row) => row['Contact ID'] ?? ''),
    notes: Map.groupBy(rows('NOTES'), (row) => row['Contact ID'] ?? ''),
    reminders: Map.groupBy(rows('REMINDERS'), (row) => row['Contact ID'] ?? ''),
    activities: groupByPerson(activities),
  }
  const lost = activities.filter(({ people }) => people.length === 0)
  const columns = [
    ...columnsOfRecords('meerkat', contacts.map(withoutOwn), 'custom'),
    ...['RELATIONSHIPS', 'ACTIVITIES', 'NOTES', 'REMINDERS'].flatMap((name) =>
      columnsOfRecords(
        'meerkat',
        rows(name).map((row) => ({ [name]: row })),
        'ignore',
      ),
    ),
    ...columnsOfRecords(
      'meerkat',
      lost.map(({ row }) => ({ 'ACTIVITIES without one contact of the name': row })),
      'ignore',
    ),
  ]
  return fileOfRecords(contacts, (contact) => recordOf(contact, parts), columns)
}

async function sectionsIn(
  blocks: AsyncIterable<string>,
): Promise<ReadonlyMap<string, readonly Row[]>> {
  const scanner = csvScanner({ delimiter: ',', columns: 0, line: 1 })
  const sections = new Map<string, Row[]>()
  let rows: Row[] = []
  let header: readonly string[] | undefined
  const take = (cells: readonly string[]) => {
    const section = cells.length === 1 ? /^=== ([A-Z]+) ===$/.exec(cells[0] ?? '')?.[1] : undefined
    if (section !== undefined) {
      sections.set(section, (rows = []))
      header = undefined
    } else if (header === undefined) header = cells
    else rows.push(Object.fromEntries(header.map((name, at) => [name, cells[at]?.trim() ?? ''])))
  }
  for await (const block of blocks) for (const { cells } of scanner.push(block, false)) take(cells)
  for (const { cells } of scanner.push('', true)) take(cells)
  return sections
}

/** Numbers of other installations are the same, but not their times. */
function idOf({ ID: id = '', 'Created At': at = '' }: Row): string {
  return `meerkat:${id}:${at}`
}

function nameOf({ Firstname: given = '', Lastname: family = '' }: Row): string {
  return `${given} ${family}`.trim()
}

function withoutOwn({
  ID: _id,
  'Created At': _created,
  'Updated At': _updated,
  ...others
}: Row): Row {
  return others
}

/** Activities only have names. One of several people is left out. */
function peopleOf(row: Row, named: ReadonlyMap<string, readonly Row[]>): readonly string[] {
  const names = (row['Contact Names'] ?? '').split(';').map((name) => name.trim())
  return names.flatMap((name) => {
    const [one, ...others] = named.get(name) ?? []
    return one && others.length === 0 ? [one['ID'] ?? ''] : []
  })
}

function groupByPerson(
  activities: readonly { readonly row: Row; readonly people: readonly string[] }[],
): ReadonlyMap<string, readonly Row[]> {
  const found = new Map<string, Row[]>()
  for (const { row, people } of activities)
    for (const id of new Set(people)) {
      const known = found.get(id)
      if (known) known.push(row)
      else found.set(id, [row])
    }
  return found
}

interface Parts extends Readonly<
  Record<'relations' | 'notes' | 'reminders' | 'activities', ReadonlyMap<string, readonly Row[]>>
> {
  /** Of the contacts, by their numbers. */
  readonly ids: ReadonlyMap<string, string>
}

function recordOf(contact: Row, parts: Parts): ContactRecord {
  const number = contact['ID'] ?? ''
  const relations = (parts.relations.get(number) ?? []).map((row) => relationOf(row, parts.ids))
  const reminders = parts.reminders.get(number) ?? []
  return {
    id: idOf(contact),
    draft: draftOf(contact, relations),
    related: relations.flatMap(({ key, ...one }) => (key === undefined ? [] : [{ ...one, key }])),
    history: {
      notes: (parts.notes.get(number) ?? []).flatMap((row) =>
        importedNotes(row['Content'] ?? '', {
          on: jsonDay(row['Date']) ?? null,
          createdAt: jsonTime(row['Created At']),
        }),
      ),
      followUps: reminders.flatMap(followUpsOf),
      interactions: (parts.activities.get(number) ?? []).flatMap(interactionsOf),
    },
    addedAt: jsonTime(contact['Created At']),
  }
}

type MeerkatRelation = Omit<RelatedRecord, 'key'> & {
  readonly key: string | undefined
  /** A birthday of someone who is no contact. */
  readonly birthday: string | null
}

/** The other person is the type: the child of this one. */
function relationOf(row: Row, ids: Parts['ids']): MeerkatRelation {
  const { Name: name = '', Type: type = '', 'Related Contact Name': contact = '' } = row
  const id = ids.get(row['Related Contact ID'] ?? '')
  return {
    name: oneLine(contact || name, MAX_TEXT_LENGTH),
    relation: oneLine(type, MAX_TEXT_LENGTH).toLowerCase(),
    key: id === undefined ? undefined : cardKey(id),
    birthday: id === undefined ? birthdayIn(row['Birthday'] ?? '') : null,
  }
}

function draftOf(contact: Row, relations: readonly MeerkatRelation[]): ContactDraft {
  const text = (name: string) => contact[name] ?? ''
  const others = Object.keys(withoutOwn(contact)).filter((name) => !FIELDS.has(name))
  return {
    fullName: nameOf(contact),
    givenName: text('Firstname'),
    familyName: text('Lastname'),
    company: '',
    title: '',
    location: '',
    emails: [text('Email')],
    phones: [text('Phone')],
    urls: [],
    birthday: birthdayIn(text('Birthday')),
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
      custom: others.map((field) => ({ field, value: text(field) })),
    },
  }
}

/** With a field of their own. */
const FIELDS: ReadonlySet<string> = new Set([
  'Firstname',
  'Lastname',
  'Nickname',
  'Email',
  'Phone',
  'Birthday',
  'Address',
  'Circles',
])

function interactionsOf(row: Row): readonly ContactInteraction[] {
  const { Title: subject = '', Description: description = '', Location: place = '' } = row
  const on = jsonDay(row['Date'])
  const text = [description, place === '' ? '' : `Location: ${place}`].filter((part) => part !== '')
  return on === undefined
    ? []
    : [
        {
          kind: 'meeting',
          on,
          subject,
          text: text.join('\n'),
          key: `meerkat:${row['ID']}:${row['Created At']}`,
        },
      ]
}

/** A completed one is not repeated. */
function followUpsOf(row: Row): ContactHistory['followUps'] {
  const { Message: message = '', Recurrence: recurs = '' } = row
  const from = jsonDay(row['Remind At'])
  const text = oneLine(message, MAX_FOLLOW_UP_LENGTH)
  if (from === undefined || text === '') return []
  const isDone = row['Completed'] === 'true'
  const recurrence = isDone ? 'none' : recurrenceOf(recurs)
  return [
    {
      text,
      dueOn: from,
      recurrence,
      countsFrom: from,
      completedAt: isDone ? (jsonTime(row['Updated At']) ?? Date.parse(from)) : null,
      createdAt: jsonTime(row['Created At']),
      ...(recurs !== 'once' && !isDone && { isWholeSeries: true }),
    },
  ]
}

function recurrenceOf(text: string): Recurrence {
  return text === 'six-months' ? 'every 6 months' : (readRecurrence(text) ?? 'none')
}
