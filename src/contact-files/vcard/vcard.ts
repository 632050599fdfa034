// Reads contacts from vCard 2.1, 3.0 and 4.0. Each card is read separately, so a broken one affects no others.

import { type ContactGroup, type ImportedContact, type ImportRow } from '../contact/contact.ts'
import { labelIn, rowOf } from '../contact/contact-draft.ts'
import { cardKey, emailKey } from '../contact/contact-keys.ts'
import type { Photo } from '../contact/photo.ts'
import { emailsIn } from '../contact/emails-and-phones.ts'
import {
  cardOf,
  isGroup,
  MEMBER_PROPERTIES,
  partsIn,
  propertiesOf,
  textIn,
  type Card,
} from './vcard-card.ts'
import { cardDraft } from './vcard-draft.ts'
import { CardColumns } from './vcard-fields.ts'
import { cardPhoto } from './vcard-photo.ts'
import { cardDirectory, isIncomplete, uidOf, type CardDirectory } from './vcard-relations.ts'
import { cardScanner, type CardLines } from './vcard-lines.ts'
import type { ContactFile } from '../file/contact-file.ts'
import { textOf, type Properties } from './vcard-property.ts'
import { DECODED, type CardText } from './vcard-text.ts'

/** The cards of a text. */
export function cardFile(blocks: AsyncIterable<string>, text: CardText = DECODED): ContactFile {
  const columns = new CardColumns()
  const rowBatches = cardRows(blocks, text, columns)
  return { format: 'vcard', header: [], columns: () => columns.get(), rowBatches }
}

/** One batch per block. `columns` counts the properties. */
async function* cardRows(
  blocks: AsyncIterable<string>,
  text: CardText,
  columns: CardColumns,
): AsyncGenerator<ImportRow[], void, undefined> {
  const scanner = cardScanner()
  const directory = cardDirectory()
  const held = heldCards(directory)
  let row = 0
  const rowOfCard = (card: ReadCard) => {
    const read = rowFrom(card, ++row, directory)
    if ('contact' in read) columns.add(card.properties)
    return read
  }
  const readCards = async (cards: readonly CardLines[]) => {
    await text.prepare(cards.flatMap(({ lines }) => lines))
    return cards.map((card): ReadCard => {
      const properties = propertiesOf(card.lines, text)
      return { ...card, properties, hasOwnUid: directory.add(properties) }
    })
  }
  for await (const block of blocks) {
    const cards = await readCards(scanner.push(block, false))
    const rows = cards.filter((card) => !held.take(card)).map(rowOfCard)
    if (rows.length > 0) yield rows
  }
  const last = await readCards(scanner.push('', true))
  const rest = [...last, ...held.cards].toSorted(groupsLast)
  for (let at = 0; at < rest.length; at += MAX_BATCH)
    yield rest.slice(at, at + MAX_BATCH).map(rowOfCard)
}

interface ReadCard extends CardLines {
  readonly properties: Properties
  /** Whether it has a UID that no card before it has. */
  readonly hasOwnUid: boolean
}

/** The members of a group come before it. */
function groupsLast(one: ReadCard, other: ReadCard): number {
  return Number(isGroup(one.properties)) - Number(isGroup(other.properties))
}

/** Cards that are read at once after the end of the file. */
const MAX_BATCH = 500

/** Limits on the cards that wait for the end of the file. */
const MAX_HELD = { cards: 20_000, characters: 20_000_000 }

/** Groups, and cards that refer to another one, which may come later. They become the last rows. */
function heldCards(directory: CardDirectory) {
  const cards: ReadCard[] = []
  let characters = 0
  return {
    cards,
    take(card: ReadCard): boolean {
      const waits = isGroup(card.properties) || isIncomplete(card.properties, directory)
      if (!waits || cards.length === MAX_HELD.cards) return false
      const size = card.lines.reduce((sum, { length }) => sum + length, card.photo?.length ?? 0)
      if (characters + size > MAX_HELD.characters) return false
      characters += size
      cards.push(card)
      return true
    },
  }
}

/** Whether any line starts a card. */
export function holdsCard(head: string): boolean {
  return /^(?:[ \t\ufeff]|ï»¿)*BEGIN[ \t]*:[ \t]*VCARD[ \t]*$/im.test(head)
}

function rowFrom(read: ReadCard, row: number, directory: CardDirectory): ImportRow {
  const { line, properties, photo, left, broken } = read
  if (broken !== undefined) return { row, line, rejected: broken }
  if (isGroup(properties)) {
    const group = groupOf(properties)
    return { row, line, skipped: 'This card is a group, not a person', ...(group && { group }) }
  }
  const card = cardOf(properties)
  const contact = rowOf(row, line, {
    ...cardDraft(card, directory),
    ...(photo !== undefined && { photo: cardPhoto(photo) }),
    ...(left !== undefined && { left }),
  })
  return 'contact' in contact ? withLinks(contact, card, read.hasOwnUid) : contact
}

function withLinks(row: ImportRow, { properties, references }: Card, hasUid: boolean): ImportRow {
  if (!hasUid && references.length === 0) return row
  return { ...row, card: { ...(hasUid && { key: cardKey(uidOf(properties)) }), references } }
}

/**
 * KIND:group of vCard 4.0 (RFC 6350 section 6.6.5), and what Apple writes in vCard 3.0. Undefined for a group without a name or members, and for one that every
 * contact is in.
 */
function groupOf(properties: Properties): ContactGroup | undefined {
  const [name] = labelIn(textIn(properties, 'FN') || partsIn(properties, 'N').join(' '))
  const members = MEMBER_PROPERTIES.flatMap((property) =>
    (properties.get(property) ?? []).flatMap(({ value }) => memberKeys(textOf(value).trim())),
  )
  return name === undefined || members.length === 0 ? undefined : { name, members }
}

/** A member is the UID of a card, or an address. */
function memberKeys(member: string): readonly string[] {
  const [, email] = /^mailto:([^?]+)/i.exec(member) ?? []
  if (email !== undefined) return emailsIn(email).map(emailKey)
  return /^(?:tel|https?):/i.test(member) ? [] : [cardKey(member)]
}

/** One card that was read apart from a file. */
export interface SingleCard {
  readonly contact: ImportedContact
  readonly photo?: Photo
  /** Members as their UIDs, if the card is a group. */
  readonly group?: { readonly name: string; readonly members: readonly string[] }
}

const NAMELESS = 'No name'

/** Reads a text with one card. A person without a name gets one. Undefined without a card. */
export function readSingleCard(text: string, decoder = DECODED): SingleCard | undefined {
  const [lines] = cardScanner().push(text, true)
  if (!lines || lines.broken !== undefined) return undefined
  const properties = propertiesOf(lines.lines, decoder)
  const photo = lines.photo === undefined ? undefined : cardPhoto(lines.photo)
  const draft = cardDraft(cardOf(properties), cardDirectory())
  const complete = { ...draft, ...(photo && { photo }) }
  const named = rowOf(1, 1, complete)
  const row = 'contact' in named ? named : rowOf(1, 1, { ...complete, fullName: NAMELESS })
  if (!('contact' in row)) return undefined
  return {
    contact: row.contact,
    ...(row.photo && { photo: row.photo }),
    ...(isGroup(properties) && {
      group: { name: row.contact.name, members: memberIds(properties) },
    }),
  }
}

function memberIds(properties: Properties): string[] {
  return MEMBER_PROPERTIES.flatMap((name) =>
    (properties.get(name) ?? []).map(({ value }) =>
      textOf(value)
        .trim()
        .replace(/^urn:uuid:/i, ''),
    ),
  )
}
