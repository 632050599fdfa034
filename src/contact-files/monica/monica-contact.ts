// One contact of an export as the row of a contact file.

import { hasEmail, hasPhone } from '../contact/emails-and-phones.ts'
import type { ImportedCadence, RelatedRecord } from '../contact/contact.ts'
import type { ContactDraft, DraftValue } from '../contact/contact-draft.ts'
import type { ContactRecord } from '../file/contact-record.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { oneLine } from '../contact/clean-text.ts'
import { MAX_CADENCE, MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { isWebAddress } from '../contact/urls.ts'
import { photoInUrl } from '../contact/photo.ts'
import { locationOfAddresses } from '../values/address-text.ts'
import {
  jsonDay,
  jsonFlag,
  jsonList,
  jsonText,
  jsonValue,
  objectIn,
  peekText,
} from '../file/json-values.ts'
import { monicaEntryOf, groupsIn, takeEntry, type MonicaEntry } from './monica-entry.ts'
import { nameOf, type MonicaAccount } from './monica-account.ts'
import { monicaFollowUps, monicaInteractions, monicaNotes, typeName } from './monica-history.ts'
import type {
  AccountHandle,
  Address,
  ContactInteraction,
  CustomText,
  LabeledDate,
  Relation,
} from '../contact/details.ts'

export function recordOfContact(contact: MonicaEntry, account: MonicaAccount): ContactRecord {
  const groups = groupsIn(contact.data)
  const all = { name: nameOf(contact), groups, account }
  const related = relationsOf(contact, account)
  takeEntry(contact)
  return {
    id: contact.uuid,
    draft: draftOf(contact, groups, account, related),
    related,
    history: {
      notes: monicaNotes(all),
      followUps: monicaFollowUps(all),
      interactions: withLastContact(monicaInteractions(all), contact),
    },
    addedAt: contact.createdAt,
  }
}

/** Documents, and all photos but one, have no place in Weft. Entries that the file lacks are missing too. */
function lostParts(
  contact: MonicaEntry,
  groups: ReadonlyMap<string, readonly unknown[]>,
  account: MonicaAccount,
): readonly string[] {
  const values = (type: string) => groups.get(type) ?? []
  const photos = photosOf(contact, groups)
  const isMissing = photos.length > 0 && photoIn(account, photos) === undefined
  const hasGiftPhotos = values('gift').some((gift) => 'photos' in monicaEntryOf(gift).properties)
  const isUnknown = (uuid: unknown) => !account.activities.has(peekText(uuid))
  return [
    ...(values('document').length > 0 ? ['documents'] : []),
    ...(new Set(photos.map(peekText)).size > 1 || isMissing || hasGiftPhotos ? ['photos'] : []),
    ...(values('activity').some(isUnknown) ? ['activities'] : []),
  ]
}

/** In days; zero if it is not set. */
function cadenceOf({ properties }: MonicaEntry): { readonly cadence?: ImportedCadence } {
  const every = jsonValue(properties['stay_in_touch_frequency'], (text) => {
    const days = Math.trunc(Number(text))
    return days > 0 && days <= MAX_CADENCE.day ? days : null
  })
  return every === null ? {} : { cadence: { every, unit: 'day' } }
}

/** Monica sets it with calls and activities, of which some may have been deleted. */
function withLastContact(
  interactions: readonly ContactInteraction[],
  { properties, uuid }: MonicaEntry,
): readonly ContactInteraction[] {
  const on = jsonDay(properties['last_talked_to'])
  if (on === undefined || interactions.some((one) => one.on >= on)) return interactions
  return [...interactions, { kind: 'other', on, key: `${uuid} ${on}` }]
}

function draftOf(
  contact: MonicaEntry,
  groups: ReadonlyMap<string, readonly unknown[]>,
  account: MonicaAccount,
  related: readonly Relation[],
): ContactDraft {
  const { properties } = contact
  const text = (name: string) => jsonText(properties[name])
  const fields = contactFields(groups.get('contact_field') ?? [], account)
  const addresses = (groups.get('address') ?? []).map(monicaEntryOf).map(addressOf)
  const { connectedOn, birthday, dates } = daysOf(contact)
  const custom = [
    ...fields.custom,
    ...customTexts({
      'Food preferences': text('food_preferences'),
      Gender: typeName(properties['gender'], account),
      Deceased: jsonFlag(properties['is_dead']) ? 'yes' : '',
    }),
  ]
  const photo = photoIn(account, photosOf(contact, groups))
  return {
    fullName: nameOf(contact),
    givenName: text('first_name'),
    familyName: text('last_name'),
    company: text('company'),
    title: text('job'),
    location: locationOfAddresses(addresses),
    emails: fields.emails,
    phones: fields.phones,
    urls: fields.urls,
    birthday,
    connectedOn,
    note: text('description'),
    labels: labelsOf(contact),
    details: {
      middleName: text('middle_name'),
      nickname: text('nickname'),
      addresses,
      handles: fields.handles,
      dates,
      relations: related.map(({ name, relation = '' }) => ({ name, relation })),
      custom,
    },
    ...cadenceOf(contact),
    left: new Set(lostParts(contact, groups, account)),
    ...(photo && { photo }),
    ...(fields.unread.length > 0 && { unread: fields.unread }),
  }
}

/** Monica's states of a contact become tags. */
function labelsOf({ properties }: MonicaEntry): readonly string[] {
  const { tags, is_starred, is_partial, is_active } = properties
  const isArchived = is_active !== undefined && is_active !== null && !jsonFlag(is_active)
  return [
    ...jsonList(tags).map(jsonText),
    ...(jsonFlag(is_starred) ? ['starred'] : []),
    ...(jsonFlag(is_partial) ? ['partial'] : []),
    ...(isArchived ? ['archived'] : []),
  ]
}

function customTexts(texts: Readonly<Record<string, string>>): readonly CustomText[] {
  return Object.entries(texts).flatMap(([field, value]) => (value === '' ? [] : [{ field, value }]))
}

interface ContactFields extends Pick<ContactDraft, 'emails' | 'phones' | 'urls'> {
  readonly handles: readonly AccountHandle[]
  readonly custom: readonly CustomText[]
  readonly unread: readonly { readonly column: string; readonly value: string }[]
}

function contactFields(values: readonly unknown[], account: MonicaAccount): ContactFields {
  const emails: string[] = []
  const phones: string[] = []
  const urls: DraftValue[] = []
  const handles: AccountHandle[] = []
  const custom: CustomText[] = []
  const unread: { column: string; value: string }[] = []
  for (const entry of values.map(monicaEntryOf)) {
    const value = jsonText(entry.properties['data'])
    if (value === '') continue
    takeEntry(entry)
    const {
      name: written,
      protocol,
      type: kind,
    } = account.types.get(jsonText(entry.properties['type']))?.properties ?? {}
    const [name, type] = [jsonText(written), jsonText(kind)]
    const scheme = peekText(protocol)
    if (type === 'email' && hasEmail(value)) emails.push(value)
    else if (type === 'phone' && hasPhone(value)) phones.push(value)
    else if (type === 'email' || type === 'phone') {
      unread.push({ column: name, value })
      custom.push({ field: name || 'Contact field', value })
    } else if (isWebAddress(value)) urls.push({ value, label: PROFILES.has(name) ? '' : name })
    else if (isAccountUrl(scheme, value) && name !== 'Whatsapp')
      urls.push({ value: `${jsonText(protocol)}${value}`, label: '' })
    else if (name === '') custom.push({ field: 'Contact field', value })
    else handles.push({ service: name.toLowerCase(), value })
  }
  return { emails, phones, urls, handles, custom, unread }
}

function isAccountUrl(protocol: string, name: string): boolean {
  return /^https?:/i.test(protocol) && !/\s/.test(name) && isWebAddress(protocol + name)
}

/** The URL says what it is. */
const PROFILES: ReadonlySet<string> = new Set(['LinkedIn', 'Facebook', 'Twitter'])

function addressOf(entry: MonicaEntry): Address {
  const text = (name: string) => jsonText(entry.properties[name])
  takeEntry(entry)
  return {
    label: text('name'),
    street: text('street'),
    city: text('city'),
    region: text('province'),
    postalCode: text('postal_code'),
    country: countryNamed(text('country')),
  }
}

/** Monica has the codes of ISO 3166. */
function countryNamed(code: string): string {
  if (!/^[A-Z]{2}$/.test(code)) return code
  return new Intl.DisplayNames('en', { type: 'region', fallback: 'code' }).of(code) ?? code
}

/** The birthday of which only the age is known is a year, and a day without a year has no year. */
function daysOf({ properties }: MonicaEntry): {
  readonly birthday: string | null
  readonly connectedOn: string | null
  readonly dates: readonly LabeledDate[]
} {
  const birthdate = partialDate(properties['birthdate'])
  const met = partialDate(properties['first_met_date'])
  const dates = [
    { label: 'birthday', date: birthdate?.length === 4 ? birthdate : undefined },
    { label: 'death', date: partialDate(properties['deceased_date']) },
    { label: 'first met', date: met?.length === 10 ? undefined : met },
  ]
  return {
    birthday: birthdate === undefined || birthdate.length === 4 ? null : birthdate,
    connectedOn: met?.length === 10 ? met : null,
    dates: dates.flatMap(({ label, date }) => (date === undefined ? [] : [{ label, date }])),
  }
}

/** `YYYY-MM-DD`, `--MM-DD` or `YYYY`. */
function partialDate(value: unknown): string | undefined {
  const { date, is_age_based, is_year_unknown } = objectIn(value)
  const day = jsonDay(date)
  if (day === undefined) return undefined
  const [isAge, hasNoYear] = [jsonFlag(is_age_based), jsonFlag(is_year_unknown)]
  if (isAge) return day.slice(0, 4)
  return hasNoYear ? `-${day.slice(4)}` : day
}

function relationsOf(
  { uuid, properties }: MonicaEntry,
  { names, relationships }: MonicaAccount,
): readonly RelatedRecord[] {
  const related = (relationships.get(uuid) ?? []).map(({ contact, type, entry }) => ({
    contact,
    relation: RELATION_NAMES.get(type) ?? type.replaceAll('_', ' '),
    taken: takenOf(entry),
  }))
  const through = properties['first_met_through']
  const introducer = { contact: peekText(through), relation: 'introduced by', taken: [through] }
  return [...related, introducer].flatMap(({ contact, relation, taken }) => {
    const name = oneLine(names.get(contact) ?? '', MAX_TEXT_LENGTH)
    if (name === '') return []
    for (const leaf of taken) jsonText(leaf)
    return [{ name, relation: oneLine(relation, MAX_TEXT_LENGTH), key: cardKey(contact) }]
  })
}

function takenOf({ record, properties }: MonicaEntry): readonly unknown[] {
  const { type, contact_is, of_contact } = properties
  return [record['uuid'], record['created_at'], type, contact_is, of_contact]
}

/** Types whose keys are not their names. */
const RELATION_NAMES: ReadonlyMap<string, string> = new Map([
  ['bestfriend', 'best friend'],
  ['boss', 'manager'],
  ['inlovewith', 'in love with'],
  ['lovedby', 'loved by'],
  ['stepparent', 'step-parent'],
  ['stepchild', 'step-child'],
  ['subordinate', 'direct report'],
])

/** The photo of the contact first. */
function photosOf(
  { properties }: MonicaEntry,
  groups: ReadonlyMap<string, readonly unknown[]>,
): readonly unknown[] {
  const avatar = objectIn(properties['avatar'])['avatar_photo']
  const others = groups.get('photo') ?? []
  return avatar === undefined ? others : [avatar, ...others]
}

/** The first one that is in the file. */
function photoIn({ photos }: MonicaAccount, references: readonly unknown[]): ContactDraft['photo'] {
  for (const reference of references) {
    const entry = photos.get(peekText(reference))
    const photo = jsonValue(entry?.properties['dataUrl'], (url) => photoInUrl(url) ?? null)
    if (!entry || !photo) continue
    takeEntry(entry)
    for (const one of references) if (peekText(one) === entry.uuid) jsonText(one)
    return photo
  }
  return undefined
}
