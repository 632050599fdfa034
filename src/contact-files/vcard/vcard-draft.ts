// Turns the properties of a card into a contact (RFC 6350, RFC 2426, vCard 2.1, RFC 9554, and what Apple, Google,
// Android and KDE add). Unknown properties are kept as custom fields under their own names.

import { placesOf } from './vcard-addresses.ts'
import {
  keepCustom,
  labeledValue,
  labelOf,
  ordered,
  partsIn,
  rank,
  textIn,
  type Card,
} from './vcard-card.ts'
import { propertiesFor } from './vcard-fields.ts'
import { fullNameOf, keepOtherNames, nameDetails } from './vcard-names.ts'
import { partsOf, textOf, type CardProperty, type Properties } from './vcard-property.ts'
import { relationsOf, type CardDirectory } from './vcard-relations.ts'
import {
  birthdayOf,
  datesOf,
  handlesOf,
  keepOthers,
  organizationsOf,
  urlsOf,
} from './vcard-values.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { normalize, tokenize } from '../../base/tokenize.ts'
import { valueOf, type ContactDraft, type DraftValue } from '../contact/contact-draft.ts'
import { emailsIn, isPlainEmail, textBesideEmails } from '../contact/emails-and-phones.ts'
import { MAX_PHONE_LENGTH } from '../../base/limits.ts'
import type { ContactDetails } from '../contact/details.ts'

export function cardDraft(card: Card, directory: CardDirectory): ContactDraft {
  const { properties } = card
  const [familyName = '', givenName = '', middle = ''] = partsIn(properties, 'N')
  const { location, addresses } = placesOf(card)
  const own = card.isOwn ? ownParts(properties) : undefined
  const birthday = birthdayOf(card)
  const [organization, ...otherOrganizations] = organizationsOf(card)
  const details: ContactDetails = {
    ...nameDetails(card),
    addresses,
    handles: handlesOf(card),
    // The first one is the company and title; its entry only adds the department.
    organizations: own?.organizations ?? [
      ...(organization?.department ? [organization] : []),
      ...otherOrganizations,
    ],
    dates: [...birthday.dates, ...datesOf(card)],
    relations: relationsOf(card, directory),
    ...(own && { interactions: own.interactions }),
  }
  const urls = urlsOf(card)
  const emails = emailsOf(card)
  const phones = valuesOf(
    card,
    'TEL',
    (tel) => phoneRank(tel, card),
    (text) => /\p{Nd}/u.test(text) && text.length <= MAX_PHONE_LENGTH,
  )
  keepOtherNames(card)
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
    labels: propertiesFor('tags').flatMap(({ name }) =>
      (properties.get(name) ?? []).flatMap(({ value }) => partsOf(value, ',')),
    ),
    details: { ...details, custom: [...card.custom, ...(own?.custom ?? [])] },
    ...(card.unread.length > 0 && { unread: card.unread }),
  }
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
    if (isValue(text)) values.push(labeledValue(text, labelOf(property, card)))
    else keepCustom(card, name, text)
  }
  return values
}

/** An email with other text than the name of the person is also kept as it is. */
function emailsOf(card: Card): readonly DraftValue[] {
  const emails = valuesOf(
    card,
    'EMAIL',
    rank,
    (text) => isPlainEmail(text) || emailsIn(text).length > 0,
  )
  const others = emails.map(valueOf).filter((text) => !isPlainEmail(text))
  if (others.length === 0) return emails
  const names = normalize(['FN', 'N'].map((name) => textIn(card.properties, name)).join(' '))
  for (const text of others)
    if (!tokenize(textBesideEmails(text)).every((word) => names.includes(word)))
      keepCustom(card, 'EMAIL', text)
  return emails
}

/** Ranks faxes and pagers after all other numbers. */
function phoneRank(property: CardProperty, card: Card): number {
  return !card.isOwn && /fax|pager/.test(labelOf(property, card))
    ? AFTER_ALL_RANKS + property.rank
    : property.rank
}

const AFTER_ALL_RANKS = 1000

/** Reads the extensions in Weft's own vCards. */
function ownParts(properties: Properties) {
  const [connectedOn = ''] = (properties.get('X-WEFT-CONNECTED-ON') ?? []).map(({ value }) => value)
  return {
    connectedOn: isDay(connectedOn) ? connectedOn : null,
    organizations: listIn(properties, 'X-WEFT-POSITION').map(
      ([name = '', title = '', department = '', from = '', until = '', state]) => ({
        name,
        title,
        department,
        from,
        until,
        current: state !== 'former',
      }),
    ),
    interactions: listIn(properties, 'X-WEFT-INTERACTION').map(
      ([kind = '', on = '', subject = '', text = '']) => ({ kind, on, subject, text }),
    ),
    custom: listIn(properties, 'X-WEFT-FIELD').map(([field = '', value = '']) => ({
      field,
      value,
    })),
  }
}

function listIn(properties: Properties, name: string): (readonly string[])[] {
  return (properties.get(name) ?? []).map(({ value }) => partsOf(value, ';'))
}
