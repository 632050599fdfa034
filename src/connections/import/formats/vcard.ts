// Reads contacts from vCard 2.1, 3.0 and 4.0. Each card is read separately, so a broken one affects no others.

import type { ImportRow } from '../../model/contact.ts'
import { rowOf } from '../../model/contact.ts'
import { cardDirectory, type CardDirectory } from './card-directory.ts'
import { isGroup, propertiesOf } from './vcard-card.ts'
import { cardDraft } from './vcard-draft.ts'
import { cardPhoto } from './vcard-photo.ts'
import type { CardLines } from './vcard-lines.ts'
import { cardScanner } from './vcard-lines.ts'
import type { Properties } from './vcard-property.ts'
import { DECODED, type CardText } from './vcard-text.ts'

/** The cards of the text, one batch per text block. */
export async function* vcardRowBatches(
  blocks: AsyncIterable<string>,
  text: CardText = DECODED,
): AsyncGenerator<ImportRow[], void, undefined> {
  const scanner = cardScanner()
  const directory = cardDirectory()
  const held = heldCards(directory)
  let row = 0
  const rowOfCard = (card: ReadCard) => rowFrom(card, ++row, directory)
  const readCards = async (cards: readonly CardLines[]) => {
    await text.prepare(cards.flatMap(({ lines }) => lines))
    const read = cards.map((card) => ({ ...card, properties: propertiesOf(card.lines, text) }))
    for (const { properties } of read) directory.add(properties)
    return read
  }
  for await (const block of blocks) {
    const cards = await readCards(scanner.push(block, false))
    const rows = cards.filter((card) => !held.take(card)).map(rowOfCard)
    if (rows.length > 0) yield rows
  }
  const last = await readCards(scanner.push('', true))
  const rest = [...last, ...held.cards]
  for (let at = 0; at < rest.length; at += MAX_BATCH)
    yield rest.slice(at, at + MAX_BATCH).map(rowOfCard)
}

interface ReadCard extends CardLines {
  readonly properties: Properties
}

/** Cards that are read at once after the end of the file. */
const MAX_BATCH = 500

/** Of the cards that wait for the end of the file. */
const MAX_HELD = { cards: 20_000, characters: 20_000_000 }

/** Cards that refer to another one, which may come later. They become the last rows. */
function heldCards(directory: CardDirectory) {
  const cards: ReadCard[] = []
  let characters = 0
  return {
    cards,
    /** Whether the card is held. */
    take(card: ReadCard): boolean {
      if (!directory.isIncomplete(card.properties) || cards.length === MAX_HELD.cards) return false
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

function rowFrom(card: ReadCard, row: number, directory: CardDirectory): ImportRow {
  const { line, properties, photo, left, broken } = card
  if (broken !== undefined) return { row, line, rejected: broken }
  if (isGroup(properties)) return { row, line, skipped: 'This card is a group, not a person' }
  const draft = cardDraft(properties, directory)
  return rowOf(row, line, {
    ...draft,
    ...(photo !== undefined && { photo: cardPhoto(photo) }),
    ...(left !== undefined && { left }),
  })
}
