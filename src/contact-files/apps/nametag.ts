// Reads the JSON export of Nametag: people with groups, relationships and journal entries. Source of the format:
// app/api/user/export/route.ts of Nametag.

import { oneLine } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { fileOfRecords, importedNotes, type ContactRecord } from '../file/contact-record.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { MAX_CADENCE } from '../../dates/recurrence.ts'
import { emailsIn, phoneIn } from '../contact/emails-and-phones.ts'
import { dataUrlBytes, readPhoto } from '../contact/photo.ts'
import { isWebAddress } from '../contact/urls.ts'
import { joinLocation } from '../values/address-text.ts'
import {
  jsonDay,
  jsonFlag,
  jsonList,
  jsonText,
  jsonValue,
  objectIn,
  peekText,
  readWholeJson,
  type ExportedObject,
} from '../file/json-values.ts'
import { sectionsBeside } from '../file/unread-values.ts'
import { fieldsOf } from './reported-fields.ts'
import type { ContactDraft, ImportedCadence, RelatedRecord } from '../contact/contact.ts'
import type { Address, CustomText, LabeledDate } from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** @throws {UnreadableFile} when the file is damaged. */
export async function nametagFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = await readWholeJson(blocks, 'Nametag')
  const people = jsonList(account['people']).map(objectIn)
  const known = new Set(people.map(({ id }) => peekText(id)))
  const templates = jsonList(account['customFieldTemplates']).map(objectIn)
  const fieldNames = new Map(templates.map(({ slug, name }) => [peekText(slug), name] as const))
  const journal = new Map<string, ExportedObject[]>()
  const [shared, alone]: [unknown[], unknown[]] = [[], []]
  for (const given of jsonList(account['journalEntries'])) {
    const entry = objectIn(given)
    const ofPeople = jsonList(entry['peopleIds']).filter((id) => known.has(peekText(id)))
    if (ofPeople.length === 0) alone.push(given)
    else shared.push(given)
    for (const id of new Set(ofPeople.map(jsonText))) {
      const others = journal.get(id)
      if (others) others.push(entry)
      else journal.set(id, [entry])
    }
  }
  return fileOfRecords({
    format: 'table',
    program: 'Nametag',
    people,
    recordOf: (person) => recordOf(person, { journal, fieldNames }),
    sections: [
      { name: 'people', records: jsonList(account['people']), isOfPeople: true },
      { name: 'journalEntries', records: shared },
      { name: 'journalEntries without people', records: alone },
      ...sectionsBeside(account, ['version', 'exportDate', 'people', 'journalEntries']),
    ],
    fields: fieldsOf('nametag'),
  })
}

interface Account {
  /** The journal entries about each person. */
  readonly journal: ReadonlyMap<string, readonly ExportedObject[]>
  /** The names of custom fields, by their keys. */
  readonly fieldNames: ReadonlyMap<string, unknown>
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
      interactions:
        lastContact === undefined ? [] : [{ kind: 'other', on: lastContact, isLastContact: true }],
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
      if (name === '') return []
      const { label, name: type } = objectIn(relationshipType)
      const [key, word] = [jsonText(type), jsonText(label)]
      const relation = oneLine(word || key, MAX_TEXT_LENGTH).toLowerCase()
      const other = cardKey(`nametag:${jsonText(relatedPersonId)}`)
      return [{ name, relation, key: other, remark: jsonText(notes) }]
    })
}

function draftOf(
  person: ExportedObject,
  related: readonly Related[],
  fieldNames: Account['fieldNames'],
): ContactDraft {
  const text = (name: string) => jsonText(person[name])
  const list = (name: string) => jsonList(person[name]).map(objectIn)
  // A value has one label: the first.
  const labeled = (name: string, value: string, isOne: (text: string) => boolean) => {
    const seen = new Set<string>()
    return list(name).flatMap((one) => {
      const read = jsonValue(one[value], (found) => (isOne(found) ? found : null))
      if (read === null) return []
      const isKnown = seen.has(read)
      seen.add(read)
      return [{ value: read, label: isKnown ? '' : jsonText(one['type']) }]
    })
  }
  const addresses = list('addresses').map(addressOf)
  const { birthday, dates } = datesOf(person)
  const photo = jsonValue(person['photo'], (url) => dataUrlBytes(url) ?? null)
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
    emails: labeled('emails', 'email', (found) => emailsIn(found).length > 0),
    phones: labeled('phoneNumbers', 'number', (found) => phoneIn(found).length > 0),
    urls: labeled('urls', 'url', isWebAddress),
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
      handles: list('imHandles').flatMap(({ protocol, handle }) => {
        const value = jsonText(handle)
        return value === '' ? [] : [{ service: jsonText(protocol).toLowerCase(), value }]
      }),
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
    if (day === undefined) return []
    return [{ label: jsonText(title).toLowerCase(), date: day.replace(/^1604/, '-') }]
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

/** What the person is to the member. */
function relationshipTo(person: ExportedObject): string {
  const { label, name } = objectIn(person['relationshipToUser'])
  const [word, key] = [jsonText(label), jsonText(name)]
  return word || key.toLowerCase()
}

function customOf(
  person: ExportedObject,
  fieldNames: Account['fieldNames'],
): readonly CustomText[] {
  const list = (name: string) => jsonList(person[name]).map(objectIn)
  const all = [
    { field: 'Display name', value: jsonText(person['displayNameOverride']) },
    { field: 'Gender', value: jsonText(person['gender']) },
    { field: 'Relationship', value: relationshipTo(person) },
    ...list('customFields').flatMap(({ key, value }) => customText(value, () => jsonText(key))),
    ...list('customFieldValues').flatMap(({ slug, value }) =>
      customText(value, () => jsonText(fieldNames.get(jsonText(slug))) || jsonText(slug)),
    ),
    ...list('locations').map(({ label, latitude, longitude }) => {
      const place = [latitude, longitude].map(jsonText).filter((part) => part !== '')
      return { field: 'Location', value: `${jsonText(label)} ${place.join(', ')}`.trim() }
    }),
  ]
  return all.filter(({ value }) => value !== '')
}

/** Nothing without a value. */
function customText(written: unknown, nameOf: () => string): readonly CustomText[] {
  const value = jsonText(written)
  return value === '' ? [] : [{ field: nameOf() || 'Custom field', value }]
}

function cadenceOf(person: ExportedObject): ImportedCadence | undefined {
  const unit = UNITS.get(peekText(person['contactReminderIntervalUnit']))
  if (!unit || !jsonFlag(person['contactReminderEnabled'])) return undefined
  const every = jsonValue(person['contactReminderInterval'], (text) => {
    const count = Number(text) * unit.times
    return Number.isInteger(count) && count > 0 && count <= MAX_CADENCE[unit.unit] ? count : null
  })
  if (every === null) return undefined
  jsonText(person['contactReminderIntervalUnit'])
  return { every, unit: unit.unit }
}

const UNITS: ReadonlyMap<string, { unit: keyof typeof MAX_CADENCE; times: number }> = new Map([
  ['DAYS', { unit: 'day', times: 1 }],
  ['WEEKS', { unit: 'week', times: 1 }],
  ['MONTHS', { unit: 'month', times: 1 }],
  ['YEARS', { unit: 'month', times: 12 }],
])
