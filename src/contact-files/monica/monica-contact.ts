// One contact of an export as the row of a contact file.

import { emailsIn, phoneIn } from '../contact/emails-and-phones.ts'
import type {
  ContactDraft,
  DraftValue,
  ImportedCadence,
  RelatedRecord,
} from '../contact/contact.ts'
import type { ContactRecord } from '../file/contact-record.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { oneLine } from '../contact/clean-text.ts'
import { MAX_CADENCE, MAX_TEXT_LENGTH } from '../contact/limits.ts'
import { isWebAddress } from '../contact/urls.ts'
import { dataUrlBytes, readPhoto } from '../contact/photo.ts'
import { joinLocation } from '../values/address-text.ts'
import { jsonDay, jsonList, jsonText, objectIn } from '../file/json-values.ts'
import { entryOf, groupsIn, isMonicaTrue, type MonicaEntry } from './monica-entry.ts'
import { nameOf, type MonicaAccount } from './monica-account.ts'
import { monicaFollowUps, monicaInteractions, monicaNotes } from './monica-history.ts'
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
  const hasGiftPhotos = values('gift').some((gift) => 'photos' in entryOf(gift).properties)
  const isUnknown = (uuid: unknown) => !account.activities.has(jsonText(uuid))
  return [
    ...(values('document').length > 0 ? ['documents'] : []),
    ...(photos.length > 1 || isMissing || hasGiftPhotos ? ['photos'] : []),
    ...(values('activity').some(isUnknown) ? ['activities'] : []),
  ]
}

/** In days; zero if it is not set. */
function cadenceOf({ properties }: MonicaEntry): { readonly cadence?: ImportedCadence } {
  const days = Math.trunc(Number(properties['stay_in_touch_frequency'] ?? 0))
  return days > 0 && days <= MAX_CADENCE.day ? { cadence: { every: days, unit: 'day' } } : {}
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
  const addresses = (groups.get('address') ?? []).map(entryOf).map(addressOf)
  const { connectedOn, birthday, dates } = daysOf(contact)
  const custom = [
    ...fields.custom,
    ...customTexts({
      'Food preferences': text('food_preferences'),
      Gender: jsonText(account.types.get(text('gender'))?.properties['name']),
      Deceased: isMonicaTrue(properties['is_dead']) ? 'yes' : '',
    }),
  ]
  const photo = photoIn(account, photosOf(contact, groups))
  return {
    fullName: nameOf(contact),
    givenName: text('first_name'),
    familyName: text('last_name'),
    company: text('company'),
    title: text('job'),
    location: locationOf(addresses),
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
  return [
    ...jsonList(tags).map(jsonText),
    ...(isMonicaTrue(is_starred) ? ['starred'] : []),
    ...(isMonicaTrue(is_partial) ? ['partial'] : []),
    ...(is_active === false || is_active === 0 ? ['archived'] : []),
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
  for (const { properties } of values.map(entryOf)) {
    const value = jsonText(properties['data'])
    const {
      name: typeName,
      protocol,
      type,
    } = account.types.get(jsonText(properties['type']))?.properties ?? {}
    const name = jsonText(typeName)
    if (value === '') continue
    if (type === 'email' && emailsIn(value).length > 0) emails.push(value)
    else if (type === 'phone' && phoneIn(value).length > 0) phones.push(value)
    else if (type === 'email' || type === 'phone') {
      unread.push({ column: name, value })
      custom.push({ field: name, value })
    } else if (isWebAddress(value)) urls.push({ value, label: PROFILES.has(name) ? '' : name })
    else if (/^https?:/i.test(jsonText(protocol)) && name !== 'Whatsapp')
      urls.push({ value: `${jsonText(protocol)}${value}`, label: '' })
    else if (name === '') custom.push({ field: 'Contact field', value })
    else handles.push({ service: name.toLowerCase(), value })
  }
  return { emails, phones, urls, handles, custom, unread }
}

/** The URL says what it is. */
const PROFILES: ReadonlySet<string> = new Set(['LinkedIn', 'Facebook', 'Twitter'])

function addressOf({ properties }: MonicaEntry): Address {
  const text = (name: string) => jsonText(properties[name])
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

function locationOf(addresses: readonly Address[]): string {
  const places = addresses.map(({ city = '', region = '', country = '' }) =>
    joinLocation([city, region, country]),
  )
  return places.find((place) => place !== '') ?? ''
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
  if (isMonicaTrue(is_age_based)) return day.slice(0, 4)
  return isMonicaTrue(is_year_unknown) ? `-${day.slice(4)}` : day
}

function relationsOf(
  { uuid, properties }: MonicaEntry,
  { names, relationships }: MonicaAccount,
): readonly RelatedRecord[] {
  const related = (relationships.get(uuid) ?? []).map(({ contact, type }) => ({
    contact,
    relation: RELATION_NAMES.get(type) ?? type.replaceAll('_', ' '),
  }))
  const introducer = jsonText(properties['first_met_through'])
  const all = [...related, { contact: introducer, relation: 'introduced by' }]
  return all.flatMap(({ contact, relation }) => {
    const name = oneLine(names.get(contact) ?? '', MAX_TEXT_LENGTH)
    return name === ''
      ? []
      : [{ name, relation: oneLine(relation, MAX_TEXT_LENGTH), key: cardKey(contact) }]
  })
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
): readonly string[] {
  const avatar = jsonText(objectIn(properties['avatar'])['avatar_photo'])
  const others = (groups.get('photo') ?? []).map(jsonText)
  return [...new Set(avatar === '' ? others : [avatar, ...others])]
}

/** The first one that is in the file. */
function photoIn({ photos }: MonicaAccount, uuids: readonly string[]): ContactDraft['photo'] {
  for (const uuid of uuids) {
    const bytes = dataUrlBytes(jsonText(photos.get(uuid)?.properties['dataUrl']))
    if (bytes) return readPhoto(bytes)
  }
  return undefined
}
