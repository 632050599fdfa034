// Reads the JSON export of Nametag: people with groups, relationships and journal entries. Source of the format:
// app/api/user/export/route.ts of Nametag.

import { listsBy } from '../../base/lists-by.ts'
import { oneLine } from '../contact/clean-text.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { fileOfRecords, importedNotes, type ContactRecord } from '../file/contact-record.ts'
import { MAX_CADENCE, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { hasEmail, hasPhone } from '../contact/emails-and-phones.ts'
import { photoInUrl } from '../contact/photo.ts'
import { isWebAddress } from '../contact/urls.ts'
import { locationOfAddresses } from '../values/address-text.ts'
import {
  jsonDay,
  jsonFlag,
  jsonLabeled,
  jsonList,
  jsonObjects,
  jsonText,
  jsonValue,
  objectIn,
  peekText,
  readWholeJson,
  type ExportedObject,
} from '../file/json-values.ts'
import { sectionsBeside } from '../file/unread-values.ts'
import { fieldsOf } from './reported-fields.ts'
import type { ImportedCadence, RelatedRecord } from '../contact/contact.ts'
import type { ContactDraft } from '../contact/contact-draft.ts'
import type { Address, CustomText, LabeledDate } from '../contact/details.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** @throws {UnreadableFile} when the file is damaged. */
export async function nametagFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = await readWholeJson(blocks, 'Nametag')
  const people = jsonObjects(account['people'])
  const known = new Set(people.map(({ id }) => peekText(id)))
  const templates = jsonObjects(account['customFieldTemplates'])
  const fieldNames = new Map(templates.map(({ slug, name }) => [peekText(slug), name] as const))
  const entries = jsonList(account['journalEntries']).map((given) => {
    const ids = jsonList(objectIn(given)['peopleIds']).filter((id) => known.has(peekText(id)))
    return { given, ids: [...new Set(ids.map(jsonText))] }
  })
  const journal = listsBy(
    entries.flatMap(({ given, ids }) => ids.map((id) => [id, objectIn(given)] as const)),
  )
  const givenOf = (isOfPeople: boolean) =>
    entries.flatMap(({ given, ids }) => (ids.length > 0 === isOfPeople ? [given] : []))
  return fileOfRecords({
    format: 'table',
    program: 'Nametag',
    people,
    recordOf: (person) => recordOf(person, { journal, fieldNames }),
    sections: [
      { name: 'people', records: jsonList(account['people']), isOfPeople: true },
      { name: 'journalEntries', records: givenOf(true) },
      { name: 'journalEntries without people', records: givenOf(false) },
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
  return jsonObjects(person['relationships']).flatMap((one) => {
    const name = oneLine(jsonText(one['relatedPersonName']), MAX_TEXT_LENGTH)
    if (name === '') return []
    const { label, name: type } = objectIn(one['relationshipType'])
    const [key, word] = [jsonText(type), jsonText(label)]
    const relation = oneLine(word || key, MAX_TEXT_LENGTH).toLowerCase()
    const other = cardKey(`nametag:${jsonText(one['relatedPersonId'])}`)
    return [{ name, relation, key: other, remark: jsonText(one['notes']) }]
  })
}

function draftOf(
  person: ExportedObject,
  related: readonly Related[],
  fieldNames: Account['fieldNames'],
): ContactDraft {
  const text = (name: string) => jsonText(person[name])
  const labeled = (name: string, value: string, isOne: (text: string) => boolean) =>
    jsonLabeled(person[name], { value, label: 'type', isOne })
  const addresses = jsonObjects(person['addresses']).map(addressOf)
  const { birthday, dates } = datesOf(person)
  const photo = jsonValue(person['photo'], (url) => photoInUrl(url) ?? null)
  const familyName = [text('surname'), text('secondLastName')].join(' ').trim()
  return {
    fullName: [text('name'), text('middleName'), familyName]
      .filter((part) => part !== '')
      .join(' '),
    givenName: text('name'),
    familyName,
    company: text('organization'),
    title: text('jobTitle'),
    location: locationOfAddresses(addresses),
    emails: labeled('emails', 'email', hasEmail),
    phones: labeled('phoneNumbers', 'number', hasPhone),
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
      handles: jsonObjects(person['imHandles']).flatMap(({ protocol, handle }) => {
        const value = jsonText(handle)
        return value === '' ? [] : [{ service: jsonText(protocol).toLowerCase(), value }]
      }),
      dates,
      relations: related.map(({ name, relation = '' }) => ({ name, relation })),
      custom: customOf(person, fieldNames),
    },
    cadence: cadenceOf(person),
    ...(photo && { photo }),
  }
}

/** The year 1604 marks a day whose year is not known. */
function datesOf(person: ExportedObject): {
  readonly birthday: string | null
  readonly dates: readonly LabeledDate[]
} {
  const given = [
    ...jsonObjects(person['importantDates']),
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
  const list = (name: string) => jsonObjects(person[name])
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
