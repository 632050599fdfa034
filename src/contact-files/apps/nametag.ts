// Reads the JSON export of Nametag: people with groups, relationships and journal entries.

import { oneLine } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { fileOfRecords, importedNotes, type ContactRecord } from '../file/contact-record.ts'
import { MAX_CADENCE, MAX_TEXT_LENGTH } from '../contact/limits.ts'
import { dataUrlBytes, readPhoto } from '../contact/photo.ts'
import { joinLocation } from '../values/address-text.ts'
import {
  jsonDay,
  jsonList,
  jsonText,
  objectIn,
  readWholeJson,
  type ExportedObject,
} from '../file/json-values.ts'
import { columnsOfRecords } from './record-columns.ts'
import type { ContactDraft, ImportedCadence, RelatedRecord } from '../contact/contact.ts'
import type { Address, CustomText, LabeledDate } from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** @throws {UnreadableFile} when the file is damaged. */
export async function nametagFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = objectIn(await readWholeJson(blocks, 'Nametag'))
  const people = jsonList(account['people']).map(objectIn)
  const entries = jsonList(account['journalEntries']).map(objectIn)
  const known = new Set(people.map(({ id }) => jsonText(id)))
  const fieldNames = new Map(
    jsonList(account['customFieldTemplates'])
      .map(objectIn)
      .map(({ slug, name }) => [jsonText(slug), jsonText(name)] as const),
  )
  const idsIn = (entry: ExportedObject) => jsonList(entry['peopleIds']).map(jsonText)
  const withPeople = entries.filter((one) => idsIn(one).some((id) => known.has(id)))
  const journal = new Map<string, ExportedObject[]>()
  for (const entry of withPeople)
    for (const id of new Set(idsIn(entry))) journal.set(id, [...(journal.get(id) ?? []), entry])
  const columns = [
    ...columnsOfRecords('nametag', people.map(withoutOwn), 'ignore'),
    ...columnsOfRecords(
      'nametag',
      withPeople.map((one) => ({ journalEntries: one })),
      'ignore',
    ),
    ...columnsOfRecords(
      'nametag',
      entries
        .filter((one) => !withPeople.includes(one))
        .map((one) => ({ 'journalEntries without people': one })),
      'ignore',
    ),
  ]
  return fileOfRecords(people, (person) => recordOf(person, { journal, fieldNames }), columns)
}

/** Without what says nothing about a person. */
function withoutOwn({
  id: _id,
  contactReminderIntervalUnit: _unit,
  contactReminderEnabled: _enabled,
  ...others
}: ExportedObject): ExportedObject {
  return others
}

interface Account {
  /** The journal entries about each person. */
  readonly journal: ReadonlyMap<string, readonly ExportedObject[]>
  /** Of custom fields, by their keys. */
  readonly fieldNames: ReadonlyMap<string, string>
}

function recordOf(person: ExportedObject, { journal, fieldNames }: Account): ContactRecord {
  const id = jsonText(person['id'])
  const related = relationsOf(person)
  const lastContact = jsonDay(person['lastContact'])
  return {
    id: `nametag:${id}`,
    draft: draftOf(person, related, fieldNames),
    related,
    history: {
      notes: [
        ...related.flatMap(({ name, relation = '', remark }) =>
          remark === '' ? [] : importedNotes(`${name} (${relation}): ${remark}`),
        ),
        ...(journal.get(id) ?? []).flatMap((entry) =>
          importedNotes([jsonText(entry['title']), jsonText(entry['body'])].join('\n\n'), {
            on: jsonDay(entry['date']) ?? null,
          }),
        ),
      ],
      followUps: [],
      interactions: lastContact === undefined ? [] : [{ kind: 'other', on: lastContact }],
    },
    addedAt: null,
  }
}

type Related = RelatedRecord & { readonly remark: string }

/** The other person is the type: the parent of this one. */
function relationsOf(person: ExportedObject): readonly Related[] {
  return jsonList(person['relationships'])
    .map(objectIn)
    .flatMap(({ relatedPersonId, relatedPersonName, relationshipType, notes }) => {
      const name = oneLine(jsonText(relatedPersonName), MAX_TEXT_LENGTH)
      const { label, name: type } = objectIn(relationshipType)
      const relation = oneLine(jsonText(label) || jsonText(type), MAX_TEXT_LENGTH).toLowerCase()
      const key = cardKey(`nametag:${jsonText(relatedPersonId)}`)
      return name === '' ? [] : [{ name, relation, key, remark: jsonText(notes) }]
    })
}

function draftOf(
  person: ExportedObject,
  related: readonly Related[],
  fieldNames: Account['fieldNames'],
): ContactDraft {
  const text = (name: string) => jsonText(person[name])
  const list = (name: string) => jsonList(person[name]).map(objectIn)
  const labeled = (name: string, value: string) =>
    list(name).map((one) => ({ value: jsonText(one[value]), label: jsonText(one['type']) }))
  const addresses = list('addresses').map(addressOf)
  const { birthday, dates } = datesOf(person)
  const photo = dataUrlBytes(text('photo'))
  const familyName = [text('surname'), text('secondLastName')].join(' ').trim()
  return {
    fullName: [text('name'), text('middleName'), familyName]
      .filter((part) => part !== '')
      .join(' '),
    givenName: text('name'),
    familyName,
    company: text('organization'),
    title: text('jobTitle'),
    location: locationOf(addresses),
    emails: labeled('emails', 'email'),
    phones: labeled('phoneNumbers', 'number'),
    urls: labeled('urls', 'url'),
    birthday,
    connectedOn: null,
    note: text('notes'),
    labels: jsonList(person['groups']).map(jsonText),
    details: {
      middleName: text('middleName'),
      nickname: text('nickname'),
      namePrefix: text('prefix'),
      nameSuffix: text('suffix'),
      addresses,
      handles: list('imHandles').map(({ protocol, handle }) => ({
        service: jsonText(protocol).toLowerCase(),
        value: jsonText(handle),
      })),
      dates,
      relations: related.map(({ name, relation = '' }) => ({ name, relation })),
      custom: customOf(person, fieldNames),
    },
    cadence: cadenceOf(person),
    ...(photo && { photo: readPhoto(photo) }),
  }
}

/** The year 1604 marks a day whose year is not known. */
function datesOf(person: ExportedObject): {
  readonly birthday: string | null
  readonly dates: readonly LabeledDate[]
} {
  const given = [
    ...jsonList(person['importantDates']).map(objectIn),
    { title: 'anniversary', date: person['anniversary'] },
  ]
  const all = given.flatMap(({ title, date }) => {
    const day = jsonDay(date)
    const label = jsonText(title).toLowerCase()
    return day === undefined ? [] : [{ label, date: day.replace(/^1604/, '-') }]
  })
  const birthday = all.find(({ label }) => label === 'birthday')
  return { birthday: birthday?.date ?? null, dates: all.filter((one) => one !== birthday) }
}

function addressOf(one: ExportedObject): Address {
  const text = (name: string) => jsonText(one[name])
  return {
    label: text('type'),
    street: text('streetLine1'),
    extended: text('streetLine2'),
    city: text('locality'),
    region: text('region'),
    postalCode: text('postalCode'),
    country: text('country'),
  }
}

function locationOf(addresses: readonly Address[]): string {
  const places = addresses.map(({ city = '', region = '', country = '' }) =>
    joinLocation([city, region, country]),
  )
  return places.find((place) => place !== '') ?? ''
}

function customOf(
  person: ExportedObject,
  fieldNames: Account['fieldNames'],
): readonly CustomText[] {
  const list = (name: string) => jsonList(person[name]).map(objectIn)
  const all = [
    { field: 'Display name', value: jsonText(person['displayNameOverride']) },
    { field: 'Gender', value: jsonText(person['gender']) },
    { field: 'Relationship', value: jsonText(objectIn(person['relationshipToUser'])['label']) },
    ...list('customFields').map((one) => ({
      field: jsonText(one['key']),
      value: jsonText(one['value']),
    })),
    ...list('customFieldValues').map(({ slug, value }) => ({
      field: fieldNames.get(jsonText(slug)) ?? jsonText(slug),
      value: jsonText(value),
    })),
    ...list('locations').map(({ label, latitude, longitude }) => ({
      field: 'Location',
      value: `${jsonText(label)} ${jsonText(latitude)}, ${jsonText(longitude)}`.trim(),
    })),
  ]
  return all.filter(({ field, value }) => field !== '' && value !== '')
}

function cadenceOf(person: ExportedObject): ImportedCadence | undefined {
  const unit = UNITS.get(jsonText(person['contactReminderIntervalUnit']))
  const count = Number(person['contactReminderInterval'] ?? 0)
  if (person['contactReminderEnabled'] !== true || !unit || !Number.isInteger(count))
    return undefined
  const every = count * unit.times
  return every > 0 && every <= MAX_CADENCE[unit.unit] ? { every, unit: unit.unit } : undefined
}

const UNITS: ReadonlyMap<string, { unit: keyof typeof MAX_CADENCE; times: number }> = new Map([
  ['DAYS', { unit: 'day', times: 1 }],
  ['WEEKS', { unit: 'week', times: 1 }],
  ['MONTHS', { unit: 'month', times: 1 }],
  ['YEARS', { unit: 'month', times: 12 }],
])
