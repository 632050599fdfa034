/**
 * A card as its logical lines with their exact text, so that a change to one property leaves every other byte as the client
 * wrote it.
 */

import { folded } from '../../base/content-line.ts'
import { isUtf8 } from 'node:buffer'
import { hash } from 'node:crypto'
import { unquotedIndex } from '../../contact-files/vcard/vcard-property.ts'

export interface CardLine {
  /** With its folds and its line break. */
  readonly raw: string
  /** Unfolded. */
  readonly text: string
  /** Lower-case; empty without a group. */
  readonly group: string
  /** Upper-case; empty if the line is no property. */
  readonly name: string
  /** Part of a card inside this one (AGENT, RFC 2426 section 3.5.4). */
  readonly isNested: boolean
}

export interface ClientCard {
  readonly lines: readonly CardLine[]
  /** The text contains one character per byte, because the bytes are not UTF-8. */
  readonly isBinary: boolean
  readonly lineBreak: string
}

/** Bytes as text that `bytesOf` turns into the same bytes. */
export function textOfBytes(bytes: Uint8Array): Pick<ClientCard, 'isBinary'> & { text: string } {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const isBinary = !isUtf8(buffer)
  return { isBinary, text: buffer.toString(isBinary ? 'latin1' : 'utf8') }
}

/** The bytes of the card. */
export function octetsOf({ lines, isBinary }: Pick<ClientCard, 'lines' | 'isBinary'>): Uint8Array {
  return Buffer.from(lines.map(({ raw }) => raw).join(''), isBinary ? 'latin1' : 'utf8')
}

export function cardTextOf(bytes: Uint8Array): ClientCard {
  const { text, isBinary } = textOfBytes(bytes)
  const lines: CardLine[] = []
  let depth = 0
  for (const parts of logicalLines(text)) {
    const unfolded = unfold(parts)
    const { group, name } = pathOf(unfolded)
    const isBoundary = /^VCARD\s*$/i.test(unfolded.slice(unfolded.indexOf(':') + 1, 100))
    if (name === 'BEGIN' && isBoundary) depth += 1
    lines.push({ raw: parts.join(''), text: unfolded, group, name, isNested: depth > 1 })
    if (name === 'END' && isBoundary) depth -= 1
  }
  const [lineBreak = '\r\n'] = /\r\n|\n|\r/.exec(text) ?? []
  return { lines, isBinary, lineBreak }
}

/** The physical lines of each logical line, with their line breaks (RFC 6350 section 3.2). */
function logicalLines(text: string): string[][] {
  const lines: string[][] = []
  for (let from = 0; from < text.length;) {
    const end = endOfLine(text, from)
    const physical = text.slice(from, end)
    const isContinuation = physical.startsWith(' ') || physical.startsWith('\t')
    const last = lines.at(-1)
    if (isContinuation && last) last.push(physical)
    else lines.push([physical])
    from = end
  }
  return lines
}

/** The position after the line break. */
function endOfLine(text: string, from: number): number {
  for (let at = from; at < text.length; at++) {
    const character = text.charCodeAt(at)
    if (character === LF) return at + 1
    if (character === CR) return text.charCodeAt(at + 1) === LF ? at + 2 : at + 1
  }
  return text.length
}

const [LF, CR] = [10, 13]

function unfold(parts: readonly string[]): string {
  return parts.map((part, index) => withoutLineBreak(index === 0 ? part : part.slice(1))).join('')
}

function withoutLineBreak(text: string): string {
  if (text.endsWith('\r\n')) return text.slice(0, -2)
  return text.endsWith('\n') || text.endsWith('\r') ? text.slice(0, -1) : text
}

/** The group and the name of a property, at most 100 characters. */
function pathOf(text: string): Pick<CardLine, 'group' | 'name'> {
  const [, path = ''] = /^\ufeff?((?:[\w-]+\.)*[\w/-]+)[ \t]*[;:]/.exec(text.slice(0, 100)) ?? []
  const dot = path.lastIndexOf('.')
  return {
    group: path.slice(0, Math.max(dot, 0)).toLowerCase(),
    name: path.slice(dot + 1).toUpperCase(),
  }
}

/** A new line of a card, folded (RFC 6350 section 3.2). */
export function newLine(card: Pick<ClientCard, 'isBinary' | 'lineBreak'>, text: string): CardLine {
  const raw = folded(text, card.lineBreak)
  const encoded = (part: string) =>
    card.isBinary ? Buffer.from(part, 'utf8').toString('latin1') : part
  return { raw: encoded(raw), text: encoded(text), ...pathOf(text), isNested: false }
}

/** Why bytes are not a card that the address book takes. */
export type CardProblem = 'no_card' | 'several_cards' | 'version' | 'no_uid'

export type CardVersion = '3.0' | '4.0'

interface CheckedCard {
  readonly card: ClientCard
  readonly version: CardVersion
  readonly uid: string
}

/** Checks that the bytes are exactly one vCard 3.0 or 4.0 with a UID (RFC 6352 section 5.1). */
export function checkCard(bytes: Uint8Array): CheckedCard | { readonly problem: CardProblem } {
  const card = cardTextOf(bytes)
  const own = card.lines.filter(({ isNested, text }) => !isNested && text.trim() !== '')
  const begins = own.filter(({ name }) => name === 'BEGIN').length
  if (begins > 1) return { problem: 'several_cards' }
  const [first, last] = [own[0]?.name, own.at(-1)?.name]
  if (begins !== 1 || first !== 'BEGIN' || last !== 'END') return { problem: 'no_card' }
  const version = cardVersionOf(card)
  if (version !== '3.0' && version !== '4.0') return { problem: 'version' }
  const uid = firstValue(card, 'UID')
  // Databases do not store NUL.
  if (uid.includes('\0')) return { problem: 'no_card' }
  return uid === '' ? { problem: 'no_uid' } : { card, version, uid }
}

/** The version that a card states. */
export function cardVersionOf(card: Pick<ClientCard, 'lines'>): string {
  return firstValue(card, 'VERSION')
}

function firstValue({ lines }: Pick<ClientCard, 'lines'>, wanted: string): string {
  return valueIn(lines.find((one) => one.name === wanted && !one.isNested)?.text ?? '').trim()
}

/** The value of a property, still escaped. */
export function valueIn(line: string): string {
  const at = unquotedIndex(line, ':')
  return at === -1 ? '' : line.slice(at + 1)
}

/** The ETag of a card, by which clients notice its changes: it changes exactly when the bytes do. */
export function etagOf(bytes: Uint8Array): string {
  return `"${hash('sha256', bytes, 'base64url').slice(0, 27)}"`
}
