// Turns the properties of a card into a contact (RFC 6350, RFC 2426, vCard 2.1, RFC 9554, and what Apple, Google,
// Android and KDE add). Unknown properties are kept as custom fields under their own names.

import type { ContactDraft, DraftValue, UnreadValue } from '../../model/contact.ts'
import type {
  AccountHandle,
  Address,
  ContactDetails,
  CustomText,
  LabeledDate,
  Organization,
  Relation,
} from '../../model/details.ts'
import { linkIn } from '../../model/urls.ts'
import { birthdayIn, partialDateIn } from './dates.ts'
import { joinLocation } from './join-location.ts'
import { SERVICE_OF_SCHEME } from './account-services.ts'
import { labelText } from './labels.ts'
import type { CardProperty, Properties } from './vcard-property.ts'
import { partsOf, propertyOf, textOf } from './vcard-property.ts'
import { isOwnCard, ownLocation, ownParts } from './own-vcard.ts'
import type { CardText } from './vcard-text.ts'

const MAX_PROPERTIES = 5000 // with the same name: a card has one or a few

/** The properties of a card by name, without empty ones. */
export function propertiesOf(lines: readonly string[], text: CardText): Properties {
  const byName = new Map<string, CardProperty[]>()
  for (const line of lines) {
    const property = propertyOf(text.textOf(line), text.fallback)
    if (property === null || property.value.trim() === '') continue
    const same = byName.get(property.name)
    if (same === undefined) byName.set(property.name, [property])
    else if (same.length < MAX_PROPERTIES) same.push(property)
  }
  return byName
}

export function isGroup(properties: Properties): boolean {
  return ['KIND', 'X-ADDRESSBOOKSERVER-KIND'].some(
    (name) => textIn(properties, name).trim().toLowerCase() === 'group',
  )
}

/** A card and the labels of its groups. */
interface Card {
  readonly properties: Properties
  /** Apple writes the label of `item1.TEL` as `item1.X-ABLabel:_$!<HomeFAX>!$_`. */
  readonly labels: ReadonlyMap<string, string>
  readonly custom: CustomText[]
  readonly unread: UnreadValue[]
  /** Whether Weft wrote it, so that the meaning of every property is exact. */
  readonly isOwn: boolean
}

export function cardDraft(properties: Properties): ContactDraft {
  const card: Card = {
    properties,
    labels: labelsOf(properties),
    custom: [],
    unread: [],
    isOwn: isOwnCard(properties),
  }
  const [familyName = '', givenName = '', middle = ''] = partsIn(properties, 'N')
  const written = ordered(properties, 'ADR', (adr) => addressRank(adr, card))
  const { location, addresses } = locationOf(written, card)
  const own = card.isOwn ? ownParts(properties) : undefined
  const birthday = birthdayOf(card)
  const [organization, ...otherOrganizations] = organizationsOf(card)
  const details: ContactDetails = {
    ...nameDetails(properties),
    addresses: addressesOf(addresses, card),
    handles: handlesOf(card),
    organizations: own?.organizations ?? [...departmentOf(organization), ...otherOrganizations],
    dates: [...birthday.dates, ...datesOf(card)],
    relations: relationsOf(card),
    ...(own && { interactions: own.interactions }),
  }
  const urls = urlsOf(card)
  const emails = valuesOf(card, 'EMAIL', rank, (text) => text.includes('@'))
  const phones = valuesOf(
    card,
    'TEL',
    (tel) => phoneRank(tel, card),
    (text) => /\p{Nd}/u.test(text),
  )
  keepOthers(card)
  return {
    fullName: fullNameOf(properties, [givenName, middle, familyName]),
    givenName,
    familyName,
    company: organization?.name ?? '',
    title: organization?.title ?? '',
    location,
    emails,
    phones,
    urls,
    birthday: birthday.day,
    connectedOn: own?.connectedOn ?? null,
    note: (properties.get('NOTE') ?? []).map(({ value }) => textOf(value).trim()).join('\n\n'),
    labels: (properties.get('CATEGORIES') ?? []).flatMap(({ value }) => partsOf(value, ',')),
    details: { ...details, custom: [...card.custom, ...(own?.custom ?? [])] },
    ...(card.unread.length > 0 && { unread: card.unread }),
  }
}

// Names

function fullNameOf(properties: Properties, names: readonly string[]): string {
  const written = textIn(properties, 'FN').trim()
  if (written !== '') return written
  const parts = names.map((name) => name.trim()).filter((name) => name !== '')
  return parts.join(' ') || (partsOf(textIn(properties, 'NICKNAME'), ',')[0] ?? '')
}

function nameDetails(properties: Properties): ContactDetails {
  const [, , middleName = '', namePrefix = '', nameSuffix = ''] = partsIn(properties, 'N')
  const part = (text: string) => (isOwnCard(properties) ? text : listed(text))
  return {
    middleName: part(middleName),
    namePrefix: part(namePrefix),
    nameSuffix: part(nameSuffix),
    nickname:
      partsOf(valueIn(properties, 'NICKNAME'), ',').join(', ') ||
      androidText(properties, 'nickname'),
    phoneticGivenName: textIn(properties, 'X-PHONETIC-FIRST-NAME'),
    phoneticFamilyName: textIn(properties, 'X-PHONETIC-LAST-NAME'),
    pronouns: textIn(properties, 'PRONOUNS') || textIn(properties, 'X-PRONOUNS'),
  }
}

/** A part of a name can be a list (RFC 6350 section 6.2.2), whose commas many programs escape. */
function listed(part: string): string {
  return part
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
    .join(' ')
}

// Values with labels

function labelsOf(properties: Properties): ReadonlyMap<string, string> {
  const labels = properties.get('X-ABLABEL') ?? []
  return new Map(labels.map(({ group, value }) => [group, labelText(textOf(value))]))
}

/** Apple's label, or else the one from the types: `work`, `mobile`, `work fax`. */
function labelOf({ group, types }: CardProperty, { labels }: Card): string {
  const own = group === '' ? undefined : labels.get(group)
  if (own !== undefined && own !== '') return own
  const place = TYPE_LABELS.find((label) => types.includes(label)) ?? ''
  if (types.includes('fax')) return place === '' ? 'fax' : `${place} fax`
  if (types.includes('cell')) return 'mobile'
  if (types.includes('pager')) return 'pager'
  return place
}

const TYPE_LABELS = ['work', 'home', 'main', 'mobile', 'school', 'other', 'iphone']

function labeled(value: string, label: string): DraftValue {
  return label === '' ? value : { value, label }
}

/** The values of a property; invalid ones become custom fields. */
function valuesOf(
  card: Card,
  name: string,
  rankOf: (property: CardProperty) => number,
  isValue: (text: string) => boolean,
): readonly DraftValue[] {
  const values: DraftValue[] = []
  for (const property of ordered(card.properties, name, rankOf)) {
    const text = textOf(property.value)
    if (isValue(text)) values.push(labeled(text, labelOf(property, card)))
    else addCustom(card, name, text)
  }
  return values
}

/** Ranks faxes and pagers after all other numbers. */
function phoneRank(property: CardProperty, card: Card): number {
  return !card.isOwn && /fax|pager/.test(labelOf(property, card))
    ? AFTER_ALL_RANKS + property.rank
    : property.rank
}

const AFTER_ALL_RANKS = 1000

const LINK_PROPERTIES = [
  'URL',
  'X-SOCIALPROFILE',
  'SOCIALPROFILE',
  'X-LINKEDIN',
  'IMPP',
  'X-LINKEDIN-URL',
  'CALURI',
  'CONTACT-URI',
  'ORG-DIRECTORY',
]

/** Links of every kind. An account that is not a link becomes a handle. */
function urlsOf(card: Card): readonly DraftValue[] {
  return LINK_PROPERTIES.flatMap((name) =>
    ordered(card.properties, name, rank).flatMap((property) => {
      const text = textOf(property.value)
      if (isLink(text)) return [labeled(text, name === 'URL' ? labelOf(property, card) : '')]
      if (!HANDLE_PROPERTIES.has(name)) addCustom(card, name, text)
      return []
    }),
  )
}

function isLink(text: string): boolean {
  return /^https?:/i.test(text.trim()) || (!/^[\w.+-]+:/.test(text.trim()) && linkIn(text) !== null)
}

// Accounts

/** Properties with an account in each value. The service is in a parameter, in the scheme of the value, or here. */
const HANDLE_PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['IMPP', ''],
  ['X-SOCIALPROFILE', ''],
  ['SOCIALPROFILE', ''],
  ['X-AIM', 'aim'],
  ['X-ICQ', 'icq'],
  ['X-JABBER', 'jabber'],
  ['X-MSN', 'msn'],
  ['X-YAHOO', 'yahoo'],
  ['X-SKYPE', 'skype'],
  ['X-SKYPE-USERNAME', 'skype'],
  ['X-QQ', 'qq'],
  ['X-GTALK', 'gtalk'],
  ['X-GOOGLE-TALK', 'gtalk'],
  ['X-TWITTER', 'x'],
  ['X-FACEBOOK', 'facebook'],
  ['X-INSTAGRAM', 'instagram'],
  ['X-WECHAT', 'wechat'],
  ['X-GADUGADU', 'gadu-gadu'],
  ['X-GROUPWISE', 'groupwise'],
  ['X-MATRIX', 'matrix'],
  ['X-MASTODON', 'mastodon'],
  ['X-SIGNAL', 'signal'],
  ['X-TELEGRAM', 'telegram'],
])

function handlesOf(card: Card): readonly AccountHandle[] {
  return [...HANDLE_PROPERTIES].flatMap(([name, service]) =>
    ordered(card.properties, name, rank).flatMap((property) => {
      const text = textOf(property.value).trim()
      if (LINK_PROPERTIES.includes(name) && isLink(text)) return []
      const form = card.isOwn ? OWN_HANDLE : HANDLE
      const [, scheme = '', rest = text] = form.exec(text) ?? []
      const named = property.service || service || serviceOf(property, scheme)
      const place =
        card.labels.get(property.group) ??
        ['work', 'home', 'other'].find((label) => property.types.includes(label))
      return [{ service: named, value: rest, ...(place !== undefined && { label: place }) }]
    }),
  )
}

const HANDLE = /^([a-z][\w.+-]*):(?:\/\/)?(.+)$/i
const OWN_HANDLE = /^([\w-]+):(.+)$/

function serviceOf({ types }: CardProperty, scheme: string): string {
  const known = scheme.toLowerCase()
  if (known !== '' && known !== 'x-apple') return SERVICE_OF_SCHEME.get(known) ?? known
  return types.find((type) => !['pref', 'home', 'work', 'other', 'internet'].includes(type)) ?? 'im'
}

// Organizations

/** In the order of the card. The titles belong to the organizations in the same order. */
function organizationsOf({ properties, custom }: Card): readonly Organization[] {
  const names = ordered(properties, 'ORG', rank).map(({ value }) => partsOf(value, ';'))
  const titles = ordered(properties, 'TITLE', rank).map(({ value }) => textOf(value))
  const roles = ordered(properties, 'ROLE', rank).map(({ value }) => textOf(value))
  if (titles.length === 0) titles.push(...roles)
  else
    custom.push(
      ...roles.filter((role) => !titles.includes(role)).map((value) => ({ field: 'ROLE', value })),
    )
  return Array.from({ length: Math.max(names.length, titles.length) }, (_, at) => {
    const parts = (names[at] ?? []).map((part) => part.trim()).filter((part) => part !== '')
    const [name = '', ...units] = parts
    return { name, title: titles[at] ?? '', department: units.join(', '), current: true }
  })
}

/** The first organization is the company and title; its entry only adds the department. */
function departmentOf(organization: Organization | undefined): readonly Organization[] {
  return organization === undefined || (organization.department ?? '') === '' ? [] : [organization]
}

// Addresses

/** Prefers the work address among addresses of equal preference. */
function addressRank(property: CardProperty, card: Card): number {
  return property.rank - (!card.isOwn && labelOf(property, card) === 'work' ? 0.5 : 0)
}

function addressesOf(written: readonly CardProperty[], card: Card): readonly Address[] {
  const addresses = written.map((property) =>
    addressOf(property, labelOf(property, card), card.isOwn),
  )
  // A LABEL of vCard 2.1 and 3.0 is the address of the same type as one text.
  const labels = (card.properties.get('LABEL') ?? []).map((property) => ({
    label: labelOf(property, card),
    formatted: textOf(property.value),
  }))
  const alone = labels.filter(
    ({ label }) => !addresses.some((address) => (address.label ?? '') === label),
  )
  return [...addresses, ...alone]
}

function addressOf(
  { value, label: written }: CardProperty,
  label: string,
  isOwn: boolean,
): Address {
  const [
    poBox = '',
    extended = '',
    street = '',
    city = '',
    region = '',
    postalCode = '',
    country = '',
  ] = partsOf(value, ';')
  const formatted = isOwn ? written : written.replaceAll(/\\n/gi, '\n')
  return { label, poBox, extended, street, city, region, postalCode, country, formatted }
}

/** The location, and the addresses with more detail. */
function locationOf(
  written: readonly CardProperty[],
  card: Card,
): { readonly location: string; readonly addresses: readonly CardProperty[] } {
  if (card.isOwn) return ownLocation(written)
  for (const property of written) {
    const location = locationIn(property)
    if (location === '') continue
    const isAll = isCityOnly(addressOf(property, labelOf(property, card), card.isOwn))
    return { location, addresses: isAll ? written.filter((one) => one !== property) : written }
  }
  return { location: '', addresses: written }
}

function locationIn({ value, label }: CardProperty): string {
  const [box, extended, street, city, region, , country] = partsOf(value, ';')
  const location = joinLocation([city ?? '', region ?? '', country ?? ''])
  if (location !== '') return location
  // Google writes the whole address into one part.
  const written = [box ?? '', extended ?? '', street ?? '', label.replaceAll('\\n', '\n')]
  return joinLocation(written.flatMap((part) => part.split(/[\r\n]+/)))
}

/** Weft's own export writes a location as a city, because vCard has no property for it. */
function isCityOnly({ city: _city, ...others }: Address): boolean {
  return Object.values(others).every((part) => part.trim() === '')
}

// Dates and relations

function birthdayOf(card: Card): {
  readonly day: string | null
  readonly dates: readonly LabeledDate[]
} {
  const text =
    textIn(card.properties, 'BDAY') || androidText(card.properties, 'contact_event', BIRTHDAY_EVENT)
  if (text === '') return { day: null, dates: [] }
  const day = birthdayIn(text)
  if (day !== null) return { day, dates: [] }
  const date = partialDateIn(text)
  if (date !== null) return { day: null, dates: [{ label: 'birthday', date }] }
  addUnread(card, 'BDAY', text)
  return { day: null, dates: [] }
}

const BIRTHDAY_EVENT = '3' // ContactsContract.CommonDataKinds.Event.TYPE_BIRTHDAY of Android

const DATE_PROPERTIES: readonly (readonly [name: string, label: string])[] = [
  ['ANNIVERSARY', 'anniversary'],
  ['X-ANNIVERSARY', 'anniversary'],
  ['X-WEDDING-ANNIVERSARY', 'anniversary'],
  ['X-EVOLUTION-ANNIVERSARY', 'anniversary'],
  ['X-KADDRESSBOOK-X-ANNIVERSARY', 'anniversary'],
  ['X-ABDATE', 'other'],
  ['DEATHDATE', 'death'],
]

function datesOf(card: Card): readonly LabeledDate[] {
  return DATE_PROPERTIES.flatMap(([name, label]) =>
    (card.properties.get(name) ?? []).flatMap((property) => {
      const text = textOf(property.value)
      const date = partialDateIn(text)
      if (date !== null) return [{ label: card.labels.get(property.group) ?? label, date }]
      addUnread(card, name, text)
      return []
    }),
  )
}

const RELATION_PROPERTIES: readonly (readonly [name: string, relation: string])[] = [
  ['RELATED', ''],
  ['X-ABRELATEDNAMES', ''],
  ['X-SPOUSE', 'spouse'],
  ['X-EVOLUTION-SPOUSE', 'spouse'],
  ['X-KADDRESSBOOK-X-SPOUSESNAME', 'spouse'],
  ['X-MANAGER', 'manager'],
  ['X-EVOLUTION-MANAGER', 'manager'],
  ['X-KADDRESSBOOK-X-MANAGERSNAME', 'manager'],
  ['X-ASSISTANT', 'assistant'],
  ['X-EVOLUTION-ASSISTANT', 'assistant'],
  ['X-KADDRESSBOOK-X-ASSISTANTSNAME', 'assistant'],
  ['X-CHILDREN', 'child'],
  ['AGENT', 'agent'],
]

function relationsOf(card: Card): readonly Relation[] {
  return RELATION_PROPERTIES.flatMap(([property, kind]) =>
    (card.properties.get(property) ?? []).flatMap(({ value, group, types }) => {
      const name = textOf(value)
      if (/^urn:uuid:/i.test(name)) return [] // refers to another card of the file
      const relation =
        kind || (card.labels.get(group) ?? types.find((type) => type !== 'pref') ?? '')
      return [{ name, ...(relation !== '' && { relation }) }]
    }),
  )
}

/** Android writes fields that vCard lacks as `X-ANDROID-CUSTOM:vnd.android.cursor.item/<kind>;<value>;<type>;…`. */
function androidText(properties: Properties, kind: string, type?: string): string {
  for (const { value } of properties.get('X-ANDROID-CUSTOM') ?? []) {
    const [item = '', text = '', of = ''] = partsOf(value, ';')
    if (item.endsWith(`/${kind}`) && (type === undefined || of === type)) return text
  }
  return ''
}

// Everything else

function addCustom({ custom }: Card, field: string, value: string): void {
  custom.push({ field, value })
}

function addUnread(card: Card, column: string, value: string): void {
  card.unread.push({ column, value })
  addCustom(card, column, value)
}

function keepOthers(card: Card): void {
  for (const [name, properties] of card.properties) {
    if (KNOWN.has(name) || (BOOKKEEPING.test(name) && name !== 'X-ABDATE')) continue
    for (const property of properties) {
      const own = property.group === '' ? undefined : card.labels.get(property.group)
      addCustom(card, own === undefined || own === '' ? name : own, textOf(property.value))
    }
  }
}

const KNOWN: ReadonlySet<string> = new Set([
  'N',
  'FN',
  'NICKNAME',
  'ORG',
  'TITLE',
  'ROLE',
  'EMAIL',
  'TEL',
  'ADR',
  'LABEL',
  'BDAY',
  'NOTE',
  'CATEGORIES',
  'X-PHONETIC-FIRST-NAME',
  'X-PHONETIC-LAST-NAME',
  'PRONOUNS',
  'X-PRONOUNS',
  ...LINK_PROPERTIES,
  ...HANDLE_PROPERTIES.keys(),
  ...DATE_PROPERTIES.map(([name]) => name),
  ...RELATION_PROPERTIES.map(([name]) => name),
])

/** Properties about the card and the program that wrote it, not about the person. */
const BOOKKEEPING =
  /^(?:VERSION|PRODID|REV|UID|KIND|SOURCE|PROFILE|MAILER|CLASS|SORT-STRING|CLIENTPIDMAP|XML|CREATED|BEGIN|END|AGENT|NAME|X-AB(?!RELATED).*|X-ADDRESSBOOKSERVER-.*|X-IMAGE.*|X-SHARED-PHOTO.*|X-APPLE-.*|X-EVOLUTION-FILE-AS|X-EVOLUTION-WEBDAV.*|X-MS-OL-.*|X-MS-IMADDRESS-.*|X-KADDRESSBOOK-.*FORMATTED.*|X-PM-.*|X-WEFT-.*)$/

function textIn(properties: Properties, name: string): string {
  return textOf(valueIn(properties, name))
}

function valueIn(properties: Properties, name: string): string {
  return ordered(properties, name, rank)[0]?.value ?? ''
}

function partsIn(properties: Properties, name: string): readonly string[] {
  return partsOf(valueIn(properties, name), ';')
}

function ordered(
  properties: Properties,
  name: string,
  rankOf: (property: CardProperty) => number,
): readonly CardProperty[] {
  const same = properties.get(name) ?? []
  return same.length < 2 ? same : same.toSorted((a, b) => rankOf(a) - rankOf(b))
}

function rank(property: CardProperty): number {
  return property.rank
}
