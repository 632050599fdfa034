// The properties of one card, and how its fields read them.

import { normalizedLabel } from '../values/labels.ts'
import {
  partsOf,
  propertyOf,
  textOf,
  type CardProperty,
  type Properties,
} from './vcard-property.ts'
import type { CardReference, UnreadValue } from '../contact/contact.ts'
import type { DraftValue } from '../contact/contact-draft.ts'
import type { CustomText } from '../contact/details.ts'
import type { CardText } from './vcard-text.ts'

export interface Card {
  readonly properties: Properties
  /** Apple writes the label of `item1.TEL` as `item1.X-ABLabel:_$!<HomeFAX>!$_`. */
  readonly labels: ReadonlyMap<string, string>
  readonly custom: CustomText[]
  readonly unread: UnreadValue[]
  readonly references: CardReference[]
  /** Whether Weft wrote it, so that the meaning of every property is exact. */
  readonly isOwn: boolean
}

export function cardOf(all: Properties): Card {
  const custom: CustomText[] = []
  const properties = withoutAlternatives(all, custom)
  return {
    properties,
    labels: labelsOf(properties),
    custom,
    unread: [],
    references: [],
    isOwn: properties.get('PRODID')?.[0]?.value.startsWith('-//Weft//') === true,
  }
}

/**
 * A value in several languages (ALTID, RFC 6350 section 5.4) is only the preferred one; `custom` takes the others. Names have
 * rules of their own.
 */
function withoutAlternatives(properties: Properties, custom: CustomText[]): Properties {
  const kept = new Map(properties)
  for (const [name, same] of properties) {
    if (same.length < 2 || name === 'N' || name === 'FN') continue
    const seen = new Set<string>()
    const others = ordered(properties, name, rank).filter(({ altId }) => {
      const isOther = seen.has(altId)
      if (altId !== '') seen.add(altId)
      return isOther
    })
    if (others.length === 0) continue
    const left = new Set(others)
    kept.set(
      name,
      same.filter((one) => !left.has(one)),
    )
    custom.push(...others.map(({ value }) => ({ field: name, value: textOf(value) })))
  }
  return kept
}

/** The properties of a group, one per member. */
export const MEMBER_PROPERTIES = ['MEMBER', 'X-ADDRESSBOOKSERVER-MEMBER']

/** With the same name. A card has one or a few; only the length of the card limits the members of a group. */
const MAX_PROPERTIES = 5000

/** The properties of a card by name, without empty ones. */
export function propertiesOf(lines: readonly string[], text: CardText): Properties {
  const byName = new Map<string, CardProperty[]>()
  for (const line of lines) {
    const property = propertyOf(text.textOf(line), text.fallback)
    if (property === null || property.value.trim() === '') continue
    const same = byName.get(property.name)
    if (same === undefined) byName.set(property.name, [property])
    else if (same.length < MAX_PROPERTIES || MEMBER_PROPERTIES.includes(property.name))
      same.push(property)
  }
  return byName
}

export function isGroup(properties: Properties): boolean {
  return ['KIND', 'X-ADDRESSBOOKSERVER-KIND'].some(
    (name) => textIn(properties, name).trim().toLowerCase() === 'group',
  )
}

/** The properties with this name, preferred ones first. */
export function ordered(
  properties: Properties,
  name: string,
  rankOf: (property: CardProperty) => number,
): readonly CardProperty[] {
  const same = properties.get(name) ?? []
  return same.length < 2 ? same : same.toSorted((a, b) => rankOf(a) - rankOf(b))
}

/** The preference that the property states. */
export function rank(property: CardProperty): number {
  return property.rank
}

/** The text of the preferred property with this name, or an empty one. */
export function textIn(properties: Properties, name: string): string {
  return textOf(valueIn(properties, name))
}

/** The same as the card has it, with its escapes. */
function valueIn(properties: Properties, name: string): string {
  return ordered(properties, name, rank)[0]?.value ?? ''
}

/** The parts of a structured value, such as a name. */
export function partsIn(properties: Properties, name: string): readonly string[] {
  return partsOf(valueIn(properties, name), ';')
}

/**
 * Reads the fields of a kind that vCard lacks, which Android writes as
 * `X-ANDROID-CUSTOM:vnd.android.cursor.item/<kind>;<value>;<type>;…`: each with its text, the number of its type, and its own label.
 */
export function androidItems(properties: Properties, kind: string): readonly string[][] {
  return (properties.get('X-ANDROID-CUSTOM') ?? []).flatMap(({ value }) => {
    const [item = '', ...values] = partsOf(value, ';')
    return item.endsWith(`/${kind}`) && (values[0] ?? '') !== '' ? [values] : []
  })
}

function labelsOf(properties: Properties): ReadonlyMap<string, string> {
  const labels = properties.get('X-ABLABEL') ?? []
  return new Map(labels.map(({ group, value }) => [group, normalizedLabel(textOf(value))]))
}

/** Apple's label, or else the one from the types: `work`, `mobile`, `work fax`. */
export function labelOf({ group, types }: CardProperty, { labels }: Card): string {
  const own = group === '' ? undefined : labels.get(group)
  if (own !== undefined && own !== '') return own
  const place = TYPE_LABELS.find((label) => types.includes(label)) ?? ''
  if (types.includes('homefax')) return 'home fax'
  if (types.includes('workfax')) return 'work fax'
  if (types.includes('fax')) return place === '' ? 'fax' : `${place} fax`
  if (types.includes('cell')) return 'mobile'
  if (types.includes('pager')) return 'pager'
  return place === '' ? ownType(types) : place
}

/** A type that the program or the person chose, such as `car` or Android's `X-Cottage`. */
function ownType(types: readonly string[]): string {
  const own = types.find((type) => !PLAIN_TYPES.has(type) && /\p{L}/u.test(type))
  return own === undefined ? '' : own.replace(/^x-/, '')
}

/** Types that say what a value can do, not what it is for. */
const PLAIN_TYPES: ReadonlySet<string> = new Set(
  'pref internet x400 voice msg text video bbs modem isdn pcs textphone dom intl postal parcel uri x-internet x-pref'.split(
    ' ',
  ),
)

const TYPE_LABELS = ['work', 'home', 'main', 'mobile', 'school', 'other', 'iphone']

export function labeledValue(value: string, label: string): DraftValue {
  return label === '' ? value : { value, label }
}

/** Keeps a value under the name of its property. */
export function keepCustom({ custom }: Card, field: string, value: string): void {
  custom.push({ field, value })
}

/** Also reports a date or a reference that cannot be read. */
export function keepUnread(card: Card, column: string, value: string): void {
  card.unread.push({ column, value })
  keepCustom(card, column, value)
}
