// The dates, links, accounts and organizations of a card, and its properties that no field reads.

import { decodedUri } from '../../base/parse-text.ts'
import { withoutLast } from '../../base/without-last.ts'
import type { DraftValue } from '../contact/contact-draft.ts'
import type { AccountHandle, LabeledDate, Organization } from '../contact/details.ts'
import { isWebAddress } from '../contact/urls.ts'
import { SERVICE_OF_SCHEME } from '../values/account-services.ts'
import { birthdayIn, partialDateIn } from '../../dates/date-notations.ts'
import {
  androidItems,
  keepCustom,
  keepUnread,
  labeledValue,
  labelOf,
  ordered,
  rank,
  type Card,
} from './vcard-card.ts'
import { isOther, propertiesFor } from './vcard-fields.ts'
import { partsOf, textOf, type CardProperty } from './vcard-property.ts'

/** The day, or dates of which only a part is known. */
export function birthdayOf(card: Card): {
  readonly day: string | null
  readonly dates: readonly LabeledDate[]
} {
  const written = textsOf(card, 'BDAY')
  const android = androidItems(card.properties, 'contact_event').find(isBirthday)
  let day: string | null = null
  const dates: LabeledDate[] = []
  for (const text of written.length > 0 ? written : (android?.slice(0, 1) ?? [])) {
    const date = partialDateIn(text)
    if (date === null) keepUnread(card, 'BDAY', text)
    else if (day === null && birthdayIn(text) !== null) day = date
    else if (date !== day) dates.push({ label: 'birthday', date })
  }
  return { day, dates }
}

/** ContactsContract.CommonDataKinds.Event.TYPE_BIRTHDAY and TYPE_ANNIVERSARY of Android. */
const [BIRTHDAY_EVENT, ANNIVERSARY_EVENT] = ['3', '1']

function isBirthday([, type]: readonly string[]): boolean {
  return type === BIRTHDAY_EVENT
}

/** The dates other than the birthday. */
export function datesOf(card: Card): readonly LabeledDate[] {
  const read = (property: string, label: string, text: string) => {
    const date = partialDateIn(text)
    if (date !== null) return [{ label, date }]
    keepUnread(card, property, text)
    return []
  }
  const written = propertiesFor('date').flatMap(({ name, label }) =>
    (card.properties.get(name) ?? []).flatMap((property) =>
      read(name, card.labels.get(property.group) ?? label, textOf(property.value)),
    ),
  )
  const android = androidItems(card.properties, 'contact_event')
    .filter((item) => !isBirthday(item))
    .flatMap(([text = '', type, own = '']) =>
      read('X-ANDROID-CUSTOM', type === ANNIVERSARY_EVENT ? 'anniversary' : own || 'other', text),
    )
  return [...written, ...android]
}

function textsOf({ properties }: Card, name: string): string[] {
  return ordered(properties, name, rank).map(({ value }) => textOf(value))
}

/** Links of every kind. An account that is not a link becomes a handle. */
export function urlsOf(card: Card): readonly DraftValue[] {
  const accounts = new Set(propertiesFor('handle').map(({ name }) => name))
  return propertiesFor('url').flatMap(({ name, label }) =>
    ordered(card.properties, name, rank).flatMap((property) => {
      const text = textOf(property.value)
      if (isLink(text))
        return [labeledValue(text, name === 'URL' ? labelOf(property, card) : label)]
      if (!accounts.has(name)) keepCustom(card, name, text)
      return []
    }),
  )
}

function isLink(text: string): boolean {
  const hasScheme = /^[\w.+-]+:/.test(text.trim())
  if (hasScheme && !/^https?:/i.test(text.trim())) return false
  return isWebAddress(text)
}

/** The accounts that are not links. */
export function handlesOf(card: Card): readonly AccountHandle[] {
  return propertiesFor('handle').flatMap(({ name, label: service }) =>
    ordered(card.properties, name, rank).flatMap((property) => {
      const text = textOf(property.value).trim()
      if (service === '' && isLink(text)) return []
      const form = card.isOwn ? OWN_HANDLE : HANDLE
      const [, scheme = '', rest = text] = form.exec(text) ?? []
      const named = property.service || service || serviceOf(property, scheme)
      const place =
        card.labels.get(property.group) ??
        ['work', 'home', 'other'].find((label) => property.types.includes(label))
      // Apple writes what is no URL of a service with escapes: `x-apple:ann%40books.example`.
      const value = scheme.toLowerCase() === 'x-apple' ? (decodedUri(rest) ?? rest) : rest
      return [{ service: named, value, ...(place !== undefined && { label: place }) }]
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

/** In the order of the card. The titles belong to the organizations in the same order. */
export function organizationsOf(card: Card): readonly Organization[] {
  const names = propertiesFor('company').flatMap(({ name }) =>
    ordered(card.properties, name, rank).map(({ value }) => partsOf(value, ';')),
  )
  const titles = textsOf(card, 'TITLE')
  const roles = textsOf(card, 'ROLE')
  if (titles.length === 0) titles.push(...roles)
  else for (const role of roles) if (!titles.includes(role)) keepCustom(card, 'ROLE', role)
  const departments = propertiesFor('department').flatMap(({ name }) => textsOf(card, name))
  if (names.length === 0 && departments.length > 0) names.push([''])
  return Array.from({ length: Math.max(names.length, titles.length) }, (_, at) => {
    const [name = '', ...units] = [...(names[at] ?? []), ...(at === 0 ? departments : [])].map(
      (part) => part.trim(),
    )
    const department = units.filter((unit) => unit !== '').join(', ')
    return { name, title: titles[at] ?? '', department, current: true }
  })
}

/** Keeps every property that no field reads as a custom field, except what is about the card itself. */
export function keepOthers(card: Card): void {
  for (const [name, properties] of card.properties) {
    if (!isOther(name)) continue
    for (const { group, value } of properties) {
      if (name === 'X-ANDROID-CUSTOM' && ANDROID_FIELD.test(value)) continue
      const own = (group !== '' && card.labels.get(group)) || name
      keepCustom(card, own, name === 'GENDER' ? withoutLast(textOf(value), ';') : textOf(value))
    }
  }
}

/** Fields of Android that other fields read. */
const ANDROID_FIELD = /^[^;]*\/(?:nickname|contact_event|relation);/
