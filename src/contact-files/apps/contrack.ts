// Reads the JSON export of Contrack: contacts, interactions and action items.

import { oneLine } from '../contact/clean-text.ts'
import { fileOfRecords, importedNotes, type ContactRecord } from '../file/contact-record.ts'
import { MAX_CADENCE, MAX_FOLLOW_UP_LENGTH } from '../contact/limits.ts'
import { birthdayIn } from '../values/dates.ts'
import {
  jsonDay,
  jsonList,
  jsonText,
  jsonTime,
  objectIn,
  readWholeJson,
  type ExportedObject,
} from '../file/json-values.ts'
import { columnsOfRecords } from './record-columns.ts'
import type { ContactDraft, ContactHistory, ImportedCadence } from '../contact/contact.ts'
import type { ContactInteraction, CustomText, Organization } from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** @throws {UnreadableFile} when the file is damaged. */
export async function contrackFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = objectIn(await readWholeJson(blocks, 'Contrack'))
  const listed = (name: string) => jsonList(account[name]).map(objectIn)
  const all = listed('contacts')
  const contacts = all.filter((one) => !isGone(one))
  const byContact = (name: string) =>
    Map.groupBy(listed(name), ({ contactId }) => jsonText(contactId))
  const parts = { interactions: byContact('interactions'), actionItems: byContact('actionItems') }
  const columns = [
    ...columnsOfRecords('contrack', contacts, 'ignore'),
    ...['interactions', 'actionItems'].flatMap((name) =>
      columnsOfRecords(
        'contrack',
        listed(name).map((one) => ({ [name]: one })),
        'ignore',
      ),
    ),
    ...columnsOfRecords(
      'contrack',
      all.filter(isGone).map((one) => ({ 'contacts in the trash or merged': one })),
      'ignore',
    ),
  ]
  return fileOfRecords(contacts, (contact) => recordOf(contact, parts), columns)
}

/** In the trash, or merged into another contact, which has its values. */
function isGone({ deletedAt, canonicalId }: ExportedObject): boolean {
  return jsonText(deletedAt) !== '' || jsonText(canonicalId) !== ''
}

type Parts = Readonly<
  Record<'interactions' | 'actionItems', ReadonlyMap<string, readonly ExportedObject[]>>
>

function recordOf(contact: ExportedObject, parts: Parts): ContactRecord {
  const id = jsonText(contact['id'])
  const entries = parts.interactions.get(id) ?? []
  const isNote = ({ type, date }: ExportedObject) =>
    jsonText(type) === 'note' || jsonDay(date) === undefined
  return {
    id: `contrack:${id}`,
    draft: draftOf(contact),
    related: [],
    history: {
      notes: entries.filter(isNote).flatMap((entry) =>
        importedNotes([jsonText(entry['title']), textOf(entry)].join('\n\n'), {
          on: jsonDay(entry['date']) ?? null,
          createdAt: jsonTime(entry['date']),
        }),
      ),
      followUps: (parts.actionItems.get(id) ?? []).flatMap(followUpsOf),
      interactions: [
        ...entries.filter((one) => !isNote(one)).flatMap(interactionsOf),
        ...lastContactOf(contact, entries),
      ],
    },
    addedAt: jsonTime(contact['addedAt']),
  }
}

function draftOf(contact: ExportedObject): ContactDraft {
  const text = (name: string) => jsonText(contact[name])
  const list = (name: string) => jsonList(contact[name]).map(objectIn)
  const labeled = (name: string, value: string) =>
    list(name).map((one) => ({ value: jsonText(one[value]), label: jsonText(one['label']) }))
  const values = (name: string, value: string) => list(name).map((one) => jsonText(one[value]))
  return {
    fullName: text('name'),
    givenName: text('firstName'),
    familyName: text('lastName'),
    company: text('company'),
    title: text('role') || text('headline'),
    location: text('location'),
    emails: labeled('emails', 'email'),
    phones: labeled('phones', 'phone'),
    urls: [text('website'), ...values('socialLinks', 'url')],
    birthday: birthdayIn(text('birthday')),
    connectedOn: null,
    note: [text('about'), text('preferences')].filter((part) => part !== '').join('\n\n'),
    labels: [...values('tags', 'tag'), ...values('lists', 'name')],
    details: {
      pronouns: text('pronouns'),
      addresses: labeled('addresses', 'address').map(({ value, label }) => ({
        formatted: value,
        label,
      })),
      organizations: list('experience').map(organizationOf),
      custom: customOf(contact),
    },
    cadence: cadenceOf(contact),
  }
}

function organizationOf({
  company,
  role,
  startDate,
  endDate,
  isCurrent,
}: ExportedObject): Organization {
  const [from, until] = [startDate, endDate].map((date) => jsonDay(date) ?? jsonText(date))
  return {
    name: jsonText(company),
    title: jsonText(role),
    ...(from !== undefined && { from }),
    ...(until !== undefined && { until }),
    current: isCurrent === true,
  }
}

function customOf(contact: ExportedObject): readonly CustomText[] {
  const list = (name: string) => jsonList(contact[name]).map(objectIn)
  const all = [
    { field: 'Headline', value: jsonText(contact['role']) && jsonText(contact['headline']) },
    { field: 'Industry', value: jsonText(contact['industry']) },
    {
      field: 'Interests',
      value: list('interests')
        .map((one) => jsonText(one['interest']))
        .join(', '),
    },
    ...list('education').map(({ school, degree, fieldOfStudy }) => ({
      field: 'Education',
      value: [degree, fieldOfStudy, school]
        .map(jsonText)
        .filter((part) => part !== '')
        .join(', '),
    })),
    ...list('attributes').map(({ name, value }) => ({
      field: jsonText(name),
      value: jsonText(value),
    })),
  ]
  return all.filter(({ field, value }) => field !== '' && value !== '')
}

const DEFAULT_CADENCE = 90 // days

/** Undefined for 90 days, the default that Contrack gives every contact. */
function cadenceOf({ cadenceDays }: ExportedObject): ImportedCadence | undefined {
  const every = Number(cadenceDays ?? DEFAULT_CADENCE)
  const isChosen = Number.isInteger(every) && every !== DEFAULT_CADENCE && every > 0
  return isChosen && every <= MAX_CADENCE.day ? { every, unit: 'day' } : undefined
}

function interactionsOf(entry: ExportedObject): readonly ContactInteraction[] {
  const on = jsonDay(entry['date'])
  const key = `contrack:${jsonText(entry['id'])}`
  const [kind, subject] = [jsonText(entry['type']), jsonText(entry['title'])]
  return on === undefined ? [] : [{ kind, on, subject, text: textOf(entry), key }]
}

/** The day of the last contact, if no interaction has it. */
function lastContactOf(
  { lastContactedAt }: ExportedObject,
  entries: readonly ExportedObject[],
): readonly ContactInteraction[] {
  const on = jsonDay(lastContactedAt)
  const isKnown = entries.some(({ date }) => jsonDay(date) === on)
  return on === undefined || isKnown ? [] : [{ kind: 'other', on }]
}

function followUpsOf(item: ExportedObject): ContactHistory['followUps'] {
  const dueOn = jsonDay(item['dueAt'])
  const text = oneLine(jsonText(item['title']), MAX_FOLLOW_UP_LENGTH)
  if (dueOn === undefined || text === '') return []
  const completedAt = jsonTime(item['completedAt'])
  const createdAt = jsonTime(item['createdAt'])
  return [{ text, dueOn, recurrence: 'none', countsFrom: dueOn, completedAt, createdAt }]
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
