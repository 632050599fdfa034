// One contact of an export as the row of a contact file.

import { emailsIn, phoneIn } from '../contact/emails-and-phones.ts'
import {
  rowOf,
  type ContactDraft,
  type ContactHistory,
  type DraftValue,
  type ImportRow,
  type ImportedCadence,
  type RelatedRecord,
} from '../contact/contact.ts'
import { cardKey } from '../contact/contact-keys.ts'
import { oneLine } from '../contact/clean-text.ts'
import { MAX_CADENCE, MAX_TEXT_LENGTH } from '../contact/limits.ts'
import { isWebAddress } from '../contact/urls.ts'
import { cleanDetails } from '../contact/clean-details.ts'
import { notePartsOf } from '../contact/note-parts.ts'
import { overflowText, type Overflow } from '../contact/overflow.ts'
import { dataUrlBytes, readPhoto } from '../contact/photo.ts'
import { joinLocation } from '../values/address-text.ts'
import {
  monicaDay,
  entryOf,
  groupsIn,
  isMonicaTrue,
  monicaList,
  objectIn,
  monicaText,
  type MonicaEntry,
} from './monica-entry.ts'
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

export function rowOfContact(contact: MonicaEntry, row: number, account: MonicaAccount): ImportRow {
  const groups = groupsIn(contact.data)
  const all = { name: nameOf(contact), groups, account }
  const related = relationsOf(contact, account)
  const read = rowOf(row, row, draftOf(contact, groups, account, related))
  if (!('contact' in read)) return read
  const overflow: Overflow = new Map()
  const written = withLastContact(monicaInteractions(all), contact)
  const { interactions = [] } = cleanDetails({ interactions: written }, overflow) ?? {}
  const history = {
    notes: [...monicaNotes(all), ...overflowNotes(overflow)],
    followUps: monicaFollowUps(all),
    interactions,
  }
  const hasHistory = Object.values(history).some(({ length }) => length > 0)
  const cut = [...(read.cut ?? []), ...lostParts(contact, groups, account)]
  return {
    ...read,
    record: contact.uuid,
    card: { key: cardKey(contact.uuid), references: [], relations: related },
    ...(contact.createdAt !== null && { addedAt: contact.createdAt }),
    ...cadenceOf(contact),
    ...(hasHistory && { history }),
    ...(cut.length > 0 && { cut: [...new Set(cut)] }),
  }
}

/** The texts that are too long for an interaction. */
function overflowNotes(overflow: Overflow): ContactHistory['notes'] {
  if (overflow.size === 0) return []
  return notePartsOf(overflowText(overflow)).map((text) => ({
    text,
    happenedOn: null,
    origin: 'import',
    createdAt: null,
  }))
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
  const isUnknown = (uuid: unknown) => !account.activities.has(monicaText(uuid))
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
  const on = monicaDay(properties['last_talked_to'])
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
  const text = (name: string) => monicaText(properties[name])
  const fields = contactFields(groups.get('contact_field') ?? [], account)
  const addresses = (groups.get('address') ?? []).map(entryOf).map(addressOf)
  const { connectedOn, birthday, dates } = daysOf(contact)
  const custom = [
    ...fields.custom,
    ...customTexts({
      'Food preferences': text('food_preferences'),
      Gender: monicaText(account.types.get(text('gender'))?.properties['name']),
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
    ...(photo && { photo }),
    ...(fields.unread.length > 0 && { unread: fields.unread }),
  }
}

/** Monica's states of a contact become tags. */
function labelsOf({ properties }: MonicaEntry): readonly string[] {
  const { tags, is_starred, is_partial, is_active } = properties
  return [
    ...monicaList(tags).map(monicaText),
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
    const value = monicaText(properties['data'])
    const {
      name: typeName,
      protocol,
      type,
    } = account.types.get(monicaText(properties['type']))?.properties ?? {}
    const name = monicaText(typeName)
    if (value === '') continue
    if (type === 'email' && emailsIn(value).length > 0) emails.push(value)
    else if (type === 'phone' && phoneIn(value).length > 0) phones.push(value)
    else if (type === 'email' || type === 'phone') {
      unread.push({ column: name, value })
      custom.push({ field: name, value })
    } else if (isWebAddress(value)) urls.push({ value, label: PROFILES.has(name) ? '' : name })
    else if (/^https?:/i.test(monicaText(protocol)) && name !== 'Whatsapp')
      urls.push({ value: `${monicaText(protocol)}${value}`, label: '' })
    else if (name === '') custom.push({ field: 'Contact field', value })
    else handles.push({ service: name.toLowerCase(), value })
  }
  return { emails, phones, urls, handles, custom, unread }
}

/** The URL says what it is. */
const PROFILES: ReadonlySet<string> = new Set(['LinkedIn', 'Facebook', 'Twitter'])

function addressOf({ properties }: MonicaEntry): Address {
  const text = (name: string) => monicaText(properties[name])
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
  const day = monicaDay(date)
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
  const introducer = monicaText(properties['first_met_through'])
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
  const avatar = monicaText(objectIn(properties['avatar'])['avatar_photo'])
  const others = (groups.get('photo') ?? []).map(monicaText)
  return [...new Set(avatar === '' ? others : [avatar, ...others])]
}

/** The first one that is in the file. */
function photoIn({ photos }: MonicaAccount, uuids: readonly string[]): ContactDraft['photo'] {
  for (const uuid of uuids) {
    const bytes = dataUrlBytes(monicaText(photos.get(uuid)?.properties['dataUrl']))
    if (bytes) return readPhoto(bytes)
  }
  return undefined
}
