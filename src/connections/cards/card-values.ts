/** Which people and which of their values the cards of devices have. Notes and interactions never become part of a card. */

import { readSingleCard, type SingleCard } from '../../contact-files/vcard/vcard.ts'
import { NO_VALUES, type Connection } from '../model/connection.ts'
import { tagOf } from '../model/tag-store.ts'
import { readCustomFields, type CustomField } from '../custom-fields/custom-fields.ts'
import { escapedText } from '../../contact-files/vcard/vcard-text-lines.ts'
import { cardText } from '../../contact-files/vcard/vcard-text.ts'
import { textOfBytes, type ClientCard } from './card-lines.ts'
import type { BookState } from './book-state.ts'
import type { MemberReader } from '../../db/database.ts'
import type {
  AccountHandle,
  Address,
  Details,
  LabeledDate,
  NameDetail,
  Relation,
} from '../../contact-files/contact/details.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'

/** A value with the label that it has in address books. */
export interface LabeledValue {
  readonly value: string
  readonly label?: string
}

/** The lists of a card, each value of which is a line of its own. */
export interface CardLists {
  readonly emails: readonly LabeledValue[]
  readonly phones: readonly LabeledValue[]
  /** The profile URL and the links. */
  readonly urls: readonly LabeledValue[]
  readonly addresses: readonly Address[]
  readonly handles: readonly AccountHandle[]
  readonly dates: readonly LabeledDate[]
  readonly relations: readonly Omit<Relation, 'connectionId'>[]
  readonly tags: readonly string[]
}

/** The single values of a card. An empty text is none. */
export interface CardTexts extends Readonly<Record<NameDetail, string>> {
  readonly name: string
  readonly givenName: string
  readonly familyName: string
  readonly company: string
  readonly department: string
  readonly title: string
  readonly location: string
  readonly birthday: string
  /** The ID of the photo. */
  readonly photo: string
}

export interface CardValues extends CardLists, CardTexts {
  /** Custom fields, if the member chose that cards have them: the values of lines that only Weft changes. */
  readonly fields: readonly string[]
}

export const LIST_NAMES = [
  'emails',
  'phones',
  'urls',
  'addresses',
  'handles',
  'dates',
  'relations',
  'tags',
] as const satisfies readonly (keyof CardLists)[]

type Valued = Pick<
  Connection | ImportedContact,
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'company'
  | 'title'
  | 'location'
  | 'birthday'
  | 'emails'
  | 'phones'
  | 'profileUrl'
  | 'links'
> & { readonly details?: Pick<Details, Exclude<keyof Details, 'custom'>> }

/** The values of a connection, or of the contact that a card was read as. */
export function cardValuesOf(
  person: Valued,
  tags: readonly string[],
  fields: readonly string[] = [],
): CardValues {
  const { details = {} } = person
  const labeled = (values: readonly string[]): LabeledValue[] =>
    values.map((value) => {
      const label = details.labels?.[value]
      return label === undefined ? { value } : { value, label }
    })
  const urls = person.profileUrl === null ? [] : [person.profileUrl]
  return {
    ...textsOf(person, details),
    emails: labeled(person.emails),
    phones: labeled(person.phones),
    urls: labeled([...urls, ...person.links]),
    addresses: details.addresses ?? [],
    handles: details.handles ?? [],
    dates: details.dates ?? [],
    relations: (details.relations ?? []).map(({ name, relation }) =>
      relation === undefined ? { name } : { name, relation },
    ),
    tags,
    fields,
  }
}

/** The values of a card before its first property. */
export const NO_CARD_VALUES: CardValues = cardValuesOf({ ...NO_VALUES, name: '' }, [])

function textsOf(person: Valued, details: NonNullable<Valued['details']>): CardTexts {
  return {
    name: person.name,
    givenName: person.givenName ?? '',
    familyName: person.familyName ?? '',
    company: person.company ?? '',
    department: departmentIn(details, person.company),
    title: person.title ?? '',
    location: person.location ?? '',
    birthday: person.birthday ?? '',
    photo: details.photo ?? '',
    namePrefix: details.namePrefix ?? '',
    middleName: details.middleName ?? '',
    nameSuffix: details.nameSuffix ?? '',
    nickname: details.nickname ?? '',
    phoneticGivenName: details.phoneticGivenName ?? '',
    phoneticFamilyName: details.phoneticFamilyName ?? '',
    pronouns: details.pronouns ?? '',
  }
}

/** The department of the current position. */
function departmentIn(
  { organizations = [] }: Pick<Details, 'organizations'>,
  company: string | null,
) {
  const position = organizations.find(
    ({ name, current }) => current && (name === undefined || name === company),
  )
  return position?.department ?? ''
}

/** The tag that Monica's contacts without a card of their own get, such as relatives. */
const PARTIAL_TAG = 'partial'

/** Whether a person has a card. Those who are deleted, and relatives in an export of Monica, never reach a device. */
export function isShown(
  { deletedAt, source }: Pick<Connection, 'deletedAt' | 'source'>,
  tags: readonly { readonly key: string }[],
): boolean {
  if (deletedAt !== null) return false
  return source !== 'monica' || !tags.some(({ key }) => key === PARTIAL_TAG)
}

interface CardRules {
  /** The keys of tags that have a card of a group, which lists its members. */
  readonly grouped: ReadonlySet<string>
  /** What the card of the person says. */
  readonly card: CardValues | undefined
  /** The custom fields that cards have. */
  readonly fields: readonly CustomField[]
}

/** The custom fields that are part of cards: none unless the member chose that they are. */
export async function shownFields(
  reader: MemberReader,
  { showsFields }: Pick<BookState, 'showsFields'>,
): Promise<readonly CustomField[]> {
  return showsFields === 1 ? readCustomFields(reader) : []
}

/** The values for a card. A tag with a group is written there, and as a category only if the card has it already. */
export function knownValuesOf(
  connection: Connection,
  tags: readonly { readonly tag: string; readonly key: string }[],
  { grouped, card, fields }: CardRules,
): CardValues {
  const written = new Set((card?.tags ?? []).map((tag) => tagOf(tag).key))
  const own = tags.filter(({ key }) => !grouped.has(key) || written.has(key))
  return cardValuesOf(
    connection,
    own.map(({ tag }) => tag),
    fields.flatMap(({ fieldId, name }) => {
      const value = connection.details.custom?.[fieldId]
      return value === undefined ? [] : [`${escapedText(name)};${escapedText(value)}`]
    }),
  )
}

export interface ReadCard {
  readonly values: CardValues
  readonly photo?: SingleCard['photo']
  readonly group?: SingleCard['group']
  /** The card is longer than the reader of imports allows. */
  readonly isTooLong?: true
}

/** Reads the bytes of a card like an import does. A damaged card has no values. */
export function readCard(bytes: Uint8Array): ReadCard {
  return readCardText(textOfBytes(bytes))
}

/** `isBinary`: the text has one character per byte. */
export function readCardText({
  text,
  isBinary,
}: Pick<ClientCard, 'isBinary'> & { text: string }): ReadCard {
  const card = readSingleCard(text, isBinary ? cardText('windows-1252') : undefined)
  if (!card) return { values: NO_CARD_VALUES, isTooLong: true }
  const { contact, photo, group } = card
  const tags = new Map(contact.labels.map((label) => [tagOf(label).key, tagOf(label).tag]))
  return {
    values: cardValuesOf(contact, [...tags.values()]),
    ...(photo && { photo }),
    ...(group && { group }),
  }
}

/** One form for each value, so that equal ones are equal texts. */
export function valueKey(value: unknown): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value)
  const entries = Object.entries(value).filter(([, part]) => part !== undefined)
  return JSON.stringify(entries.sort(([one], [other]) => (one < other ? -1 : 1)))
}
