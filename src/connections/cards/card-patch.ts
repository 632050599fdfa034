/** A card whose lines are replaced, removed and added. Other lines keep their bytes. */

import { unquotedIndex } from '../../contact-files/vcard/vcard-property.ts'
import {
  newLine,
  cardVersionOf,
  type CardLine,
  type CardVersion,
  type ClientCard,
} from './card-lines.ts'
import { readCardText, type CardValues } from './card-values.ts'
import type { WrittenLine } from './value-lines.ts'

/** The lines of a card while they change. */
export class CardPatch {
  readonly card: ClientCard & { lines: CardLine[] }
  readonly version: CardVersion
  isChanged = false
  readonly #read = new Map<CardLine, CardValues>()

  constructor(card: ClientCard) {
    this.card = { ...card, lines: [...card.lines] }
    this.version = cardVersionOf(card) === '4.0' ? '4.0' : '3.0'
  }

  /** The properties of the card itself with this name. */
  named(name: string): CardLine[] {
    return this.card.lines.filter((line) => line.name === name && !line.isNested)
  }

  /** Lines that can say something about a list. */
  candidates(): CardLine[] {
    return this.card.lines
      .filter(({ name, isNested }) => name !== '' && !isNested && !NO_LIST.has(name))
      .slice(0, MAX_CANDIDATES)
  }

  /** What a line says alone, with the label of its group. */
  valuesIn(line: CardLine): CardValues {
    const known = this.#read.get(line)
    if (known) return known
    const label = line.group === '' ? [] : this.companionsOf(line).map(({ text }) => text)
    const version = `VERSION:${this.version}`
    const text = ['BEGIN:VCARD', version, 'FN:x', line.text, ...label, 'END:VCARD'].join('\r\n')
    const { values } = readCardText({ text: `${text}\r\n`, isBinary: this.card.isBinary })
    this.#read.set(line, values)
    return values
  }

  /** What the card says now, without its photo. */
  values(): CardValues {
    const lines = this.card.lines.filter(({ name }) => name !== 'PHOTO')
    const text = lines.map(({ raw }) => raw).join('')
    return readCardText({ text, isBinary: this.card.isBinary }).values
  }

  /** Labels and other lines about the property of this group. */
  companionsOf({ group }: CardLine): CardLine[] {
    if (group === '') return []
    return this.card.lines.filter(
      (one) => one.group === group && one.name.startsWith('X-AB') && !HAS_VALUE.has(one.name),
    )
  }

  /** Replaces a line, or removes it. */
  replace(line: CardLine, texts: readonly string[]): CardLine[] {
    const at = this.card.lines.indexOf(line)
    if (at === -1) return []
    const added = texts.map((text) => newLine(this.card, text))
    this.card.lines.splice(at, 1, ...added)
    this.isChanged = true
    return added
  }

  /** Removes a line, and its label if no other property of the group is left. */
  remove(line: CardLine): void {
    const companions = this.companionsOf(line)
    const isShared = this.card.lines.some(
      (one) => one !== line && one.group === line.group && !companions.includes(one),
    )
    this.replace(line, [])
    if (!isShared) for (const companion of companions) this.replace(companion, [])
  }

  /** Adds lines after the last property with this name, or at the end of the card. */
  add(written: WrittenLine): void {
    const last = this.named(written.name).at(-1)
    const companions = last === undefined ? [] : this.companionsOf(last)
    const positions = [last, ...companions].map((line) =>
      line ? this.card.lines.indexOf(line) : -1,
    )
    const after = Math.max(...positions)
    const at = after === -1 ? this.#end() : after + 1
    const lines = this.textsOf(written).map((text) => newLine(this.card, text))
    this.card.lines.splice(at, 0, ...lines)
    this.isChanged = true
  }

  textsOf({ name, parameters, value, label }: WrittenLine): string[] {
    if (label === undefined) return [`${name}${parameters}:${value}`]
    const group = this.#freeGroup()
    return [`${group}.${name}${parameters}:${value}`, `${group}.X-ABLabel:${label}`]
  }

  /** The position of END:VCARD. */
  #end(): number {
    const at = this.card.lines.findLastIndex(({ name, isNested }) => name === 'END' && !isNested)
    return at === -1 ? this.card.lines.length : at
  }

  #freeGroup(): string {
    const used = new Set(this.card.lines.map(({ group }) => group))
    let number = 1
    while (used.has(`item${number}`)) number += 1
    return `item${number}`
  }
}

/** Lines of a card that are read one by one: far more than any real card has. */
const MAX_CANDIDATES = 2000

/** Properties with values of their own although they begin with X-AB. */
const HAS_VALUE: ReadonlySet<string> = new Set(['X-ABDATE', 'X-ABRELATEDNAMES', 'X-ABUID'])

/** Properties that are no part of a list. */
const NO_LIST: ReadonlySet<string> = new Set(
  'BEGIN END VERSION PRODID UID REV N FN PHOTO LOGO SOUND KEY NOTE BDAY NICKNAME ORG TITLE ROLE X-ABLABEL'.split(
    ' ',
  ),
)

/** The line with its group and parameters, and another value in plain text. */
export function withValue({ text }: CardLine, value: string): string {
  const head = text
    .slice(0, unquotedIndex(text, ':'))
    .replace(/;(?:ENCODING=)?QUOTED-PRINTABLE/i, '')
  return `${head}:${value}`
}
