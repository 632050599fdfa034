// Reads the JSON export of Contrack: contacts, interactions and action items. Source of the format: server/services/exportService.ts
// and src/db/schema.ts of Contrack, whose contacts have the rows of their tables.

import { oneLine } from '../contact/clean-text.ts'
import { hasEmail, hasPhone } from '../contact/emails-and-phones.ts'
import {
  fileOfRecords,
  importedNotes,
  longFollowUpNote,
  type ContactRecord,
} from '../file/contact-record.ts'
import { MAX_CADENCE, MAX_FOLLOW_UP_LENGTH } from '../../base/limits.ts'
import { isWebAddress } from '../contact/urls.ts'
import { birthdayIn, dayIn, partialDateIn } from '../../dates/date-notations.ts'
import {
  jsonDay,
  jsonFlag,
  jsonLabeled,
  jsonList,
  jsonObjects,
  jsonText,
  jsonTextIf,
  jsonTime,
  jsonValue,
  objectIn,
  peekText,
  readWholeJson,
  type ExportedObject,
} from '../file/json-values.ts'
import { sectionsBeside } from '../file/unread-values.ts'
import { fieldsOf } from './reported-fields.ts'
import type { ContactHistory, ImportedCadence } from '../contact/contact.ts'
import type { ContactDraft } from '../contact/contact-draft.ts'
import type {
  AccountHandle,
  ContactInteraction,
  CustomText,
  Organization,
} from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** @throws {UnreadableFile} when the file is damaged. */
export async function contrackFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = await readWholeJson(blocks, 'Contrack')
  const all = jsonList(account['contacts'])
  const contacts = all.filter((one) => !isGone(one))
  const interactions = jsonList(account['interactions'])
  const actionItems = jsonList(account['actionItems'])
  const byContact = (records: readonly unknown[]) =>
    Map.groupBy(records.map(objectIn), ({ contactId }) => peekText(contactId))
  const parts = { interactions: byContact(interactions), actionItems: byContact(actionItems) }
  return fileOfRecords({
    format: 'table',
    program: 'Contrack',
    people: contacts.map(objectIn),
    recordOf: (contact) => recordOf(contact, parts),
    sections: [
      { name: 'contacts', records: contacts, isOfPeople: true },
      { name: 'interactions', records: interactions },
      { name: 'actionItems', records: actionItems },
      { name: 'contacts in the trash or merged', records: all.filter(isGone) },
      ...sectionsBeside(account, [
        'exportedAt',
        'version',
        'contacts',
        'interactions',
        'actionItems',
      ]),
    ],
    fields: fieldsOf('contrack'),
  })
}

/** In the trash, or merged into another contact, which has its values. */
function isGone(contact: unknown): boolean {
  const { deletedAt, canonicalId } = objectIn(contact)
  return peekText(deletedAt) !== '' || peekText(canonicalId) !== ''
}

type Parts = Readonly<
  Record<'interactions' | 'actionItems', ReadonlyMap<string, readonly ExportedObject[]>>
>

function recordOf(contact: ExportedObject, parts: Parts): ContactRecord {
  const id = jsonText(contact['id'])
  const entries = parts.interactions.get(id) ?? []
  const items = (parts.actionItems.get(id) ?? []).map(followUpOf)
  const isNote = ({ type, date }: ExportedObject) =>
    peekText(type) === 'note' || jsonDay(date) === undefined
  return {
    id: `contrack:${id}`,
    draft: draftOf(contact),
    related: [],
    history: {
      notes: [...entries.filter(isNote).flatMap(notesOf), ...items.flatMap(({ notes }) => notes)],
      followUps: items.flatMap(({ followUps }) => followUps),
      interactions: [
        ...entries.filter((one) => !isNote(one)).map(interactionOf),
        ...lastContactOf(contact, entries),
      ],
    },
    addedAt: jsonTime(contact['addedAt']),
  }
}

function draftOf(contact: ExportedObject): ContactDraft {
  const text = (name: string) => jsonText(contact[name])
  const list = (name: string) => jsonObjects(contact[name])
  const labeled = (name: string, value: string, isOne?: (text: string) => boolean) =>
    jsonLabeled(contact[name], { value, label: 'label', ...(isOne && { isOne }) })
  const values = (name: string, value: string) => list(name).map((one) => jsonText(one[value]))
  const role = text('role')
  const headline = text('headline')
  return {
    fullName: text('name'),
    givenName: text('firstName'),
    familyName: text('lastName'),
    company: text('company'),
    title: role || headline,
    location: text('location'),
    emails: labeled('emails', 'email', hasEmail),
    phones: labeled('phones', 'phone', hasPhone),
    urls: [contact['website'], ...list('socialLinks').map(({ url }) => url)].map(
      (url) => jsonTextIf(url, isWebAddress) ?? '',
    ),
    birthday: jsonValue(contact['birthday'], birthdayIn),
    connectedOn: connectedOn(contact),
    note: [text('about'), text('preferences')].filter((part) => part !== '').join('\n\n'),
    labels: [...values('tags', 'tag'), ...values('lists', 'name')],
    details: {
      pronouns: text('pronouns'),
      addresses: labeled('addresses', 'address').map(({ value, label }) => ({
        formatted: value,
        label,
      })),
      handles: list('socialLinks').flatMap(handlesOf),
      organizations: list('experience').flatMap(organizationsOf),
      custom: customOf(contact, role === '' ? '' : headline),
    },
    cadence: cadenceOf(contact),
  }
}

/** The account of a network whose URL is not known. */
function handlesOf({ platform, handle, url }: ExportedObject): readonly AccountHandle[] {
  if (peekText(url) !== '' || peekText(handle) === '') return []
  return [{ service: jsonText(platform).toLowerCase(), value: jsonText(handle) }]
}

function organizationsOf(one: ExportedObject): readonly Organization[] {
  const [name, title] = [jsonText(one['company']), jsonText(one['role'])]
  if (name === '' && title === '') return []
  const [from, until] = [one['startDate'], one['endDate']].map((date) =>
    jsonValue(date, dateWithYear),
  )
  return [
    {
      name,
      title,
      ...(from != null && { from }),
      ...(until != null && { until }),
      current: jsonFlag(one['isCurrent']),
    },
  ]
}

function dateWithYear(text: string): string | null {
  const date = jsonDay(text) ?? partialDateIn(text)
  return date?.startsWith('-') === false ? date : null
}

/** The day on which LinkedIn connected the two. */
function connectedOn(contact: ExportedObject): string | null {
  for (const { platform, connectedOn: on } of jsonObjects(contact['sources'])) {
    if (peekText(platform).toLowerCase() !== 'linkedin') continue
    const day = jsonValue(on, (text) => jsonDay(text) ?? dayIn(text))
    if (day === null) continue
    jsonText(platform)
    return day
  }
  return null
}

/** Weft has no field for an education, nor for the text and the town of a position. */
function customOf(contact: ExportedObject, headline: string): readonly CustomText[] {
  const list = (name: string) => jsonObjects(contact[name])
  const parts = (values: readonly unknown[], separator: string) =>
    values
      .map(jsonText)
      .filter((part) => part !== '')
      .join(separator)
  const all = [
    { field: 'Headline', value: headline },
    { field: 'Industry', value: jsonText(contact['industry']) },
    {
      field: 'Interests',
      value: parts(
        list('interests').map(({ interest }) => interest),
        ', ',
      ),
    },
    ...list('education').map((one) => {
      const { degree, fieldOfStudy, school, startDate, endDate, description } = one
      const years = parts([startDate, endDate], '–')
      const head = [parts([degree, fieldOfStudy, school], ', '), years && `(${years})`]
      return { field: 'Education', value: parts([parts(head, ' '), description], '\n') }
    }),
    ...list('experience').flatMap(({ company, role, location, description }) => {
      const more = parts([location, description], '\n')
      const head = parts([role, company], ', ')
      return more === '' ? [] : [{ field: 'Experience', value: parts([head, more], '\n') }]
    }),
    ...list('attributes').map(({ name, value }) => ({
      field: jsonText(name) || 'Attribute',
      value: jsonText(value),
    })),
  ]
  return all.filter(({ value }) => value !== '')
}

const DEFAULT_CADENCE = 90 // days

/** Undefined for 90 days, the default that Contrack gives every contact. */
function cadenceOf({ cadenceDays }: ExportedObject): ImportedCadence | undefined {
  const every = jsonValue(cadenceDays, (text) => {
    const days = Number(text)
    return Number.isInteger(days) && days > 0 && days <= MAX_CADENCE.day ? days : null
  })
  return every === null || every === DEFAULT_CADENCE ? undefined : { every, unit: 'day' }
}

/** A note, or another interaction without a day. */
function notesOf(entry: ExportedObject): ContactHistory['notes'] {
  const text = [peekText(entry['title']), textOf(entry)].join('\n\n').trim()
  if (text === '') return []
  takeEntry(entry)
  return importedNotes(text, {
    on: jsonDay(entry['date']) ?? null,
    createdAt: jsonTime(entry['date']),
  })
}

function interactionOf(entry: ExportedObject): ContactInteraction {
  takeEntry(entry)
  return {
    kind: jsonText(entry['type']) || 'other',
    on: jsonDay(entry['date']) ?? '',
    subject: jsonText(entry['title']),
    text: textOf(entry),
    key: `contrack:${jsonText(entry['id'])}`,
  }
}

function takeEntry({ type, title, contactId, id }: ExportedObject): void {
  for (const value of [type, title, contactId, id]) jsonText(value)
}

/** The day of the last contact, if no interaction has it. */
function lastContactOf(
  { lastContactedAt }: ExportedObject,
  entries: readonly ExportedObject[],
): readonly ContactInteraction[] {
  const on = jsonDay(lastContactedAt)
  const isKnown = entries.some(({ date }) => jsonDay(date) === on)
  return on === undefined || isKnown ? [] : [{ kind: 'other', on, isLastContact: true }]
}

/** Nothing without a day or a title. */
function followUpOf(item: ExportedObject): Pick<ContactHistory, 'followUps' | 'notes'> {
  const [dueOn, title] = [peekDay(item['dueAt']), peekText(item['title'])]
  if (dueOn === undefined || title === '') return { followUps: [], notes: [] }
  takeEntry(item)
  jsonDay(item['dueAt'])
  const completedAt = jsonTime(item['completedAt'])
  const createdAt = jsonTime(item['createdAt'])
  const text = oneLine(title, MAX_FOLLOW_UP_LENGTH)
  const when = { dueOn, recurrence: 'none', countsFrom: dueOn, completedAt, createdAt } as const
  return {
    followUps: [{ text, ...when }],
    notes: longFollowUpNote(title, createdAt),
  }
}

function peekDay(value: unknown): string | undefined {
  return jsonDay(peekText(value))
}

/** The content, the duration and the name of an attached file, which is not in the export. */
function textOf({ content, duration, fileName }: ExportedObject): string {
  const [time, file] = [jsonText(duration), jsonText(fileName)]
  return [plainText(content), time && `Duration: ${time}`, file && `File: ${file}`]
    .filter((part) => part !== '')
    .join('\n')
}

/** The content is HTML of an editor. */
function plainText(content: unknown): string {
  return jsonText(content)
    .replaceAll(/<br>|<\/(?:p|li|h\d)>/g, '\n')
    .replaceAll(/<[^<>]{1,1000}>/g, '')
    .replaceAll('&nbsp;', ' ')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .trim()
}
