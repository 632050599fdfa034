// Reads contacts from vCard 2.1, 3.0 and 4.0. Each card is read separately, so a broken one affects no others.

import type { ImportRow } from '../../model/contact.ts'
import { rowOf } from '../../model/contact.ts'
import { isGroup, propertiesOf } from './vcard-card.ts'
import { cardDraft } from './vcard-draft.ts'
import { cardPhoto } from './vcard-photo.ts'
import type { CardLines } from './vcard-lines.ts'
import { cardScanner } from './vcard-lines.ts'
import { DECODED, type CardText } from './vcard-text.ts'

/** The cards of the text, one batch per text block. */
export async function* vcardRowBatches(
  blocks: AsyncIterable<string>,
  text: CardText = DECODED,
): AsyncGenerator<ImportRow[], void, undefined> {
  const scanner = cardScanner()
  let row = 0
  const rowsOf = async (cards: readonly CardLines[]) => {
    await text.prepare(cards.flatMap(({ lines }) => lines))
    return cards.map((card) => rowFrom(card, ++row, text))
  }
  for await (const block of blocks) {
    const rows = await rowsOf(scanner.push(block, false))
    if (rows.length > 0) yield rows
  }
  const rest = await rowsOf(scanner.push('', true))
  if (rest.length > 0) yield rest
}

/** Whether any line starts a card. */
export function holdsCard(head: string): boolean {
  return /^(?:[ \t\ufeff]|ï»¿)*BEGIN[ \t]*:[ \t]*VCARD[ \t]*$/im.test(head)
}

function rowFrom(card: CardLines, row: number, text: CardText): ImportRow {
  const { line, lines, photo, left, broken } = card
  if (broken !== undefined) return { row, line, rejected: broken }
  const properties = propertiesOf(lines, text)
  if (isGroup(properties)) return { row, line, skipped: 'This card is a group, not a person' }
  const draft = cardDraft(properties)
  return rowOf(row, line, {
    ...draft,
    ...(photo !== undefined && { photo: cardPhoto(photo) }),
    ...(left !== undefined && { left }),
  })
}
