/**
 * Changes a card line by line: the lines of values that changed are replaced, and every other line keeps its bytes, order, group
 * and parameters. What a line says is found out by reading it alone, so that a change never depends on how a client writes.
 */

import { labelIn } from '../../contact-files/contact/contact.ts'
import { partsOf, unquotedIndex } from '../../contact-files/vcard/vcard-property.ts'
import { tagOf } from '../model/tag-store.ts'
import { escapedText } from '../../contact-files/vcard/vcard-text-lines.ts'
import {
  octetsOf,
  cardTextOf,
  newLine,
  valueIn,
  type CardLine,
  type ClientCard,
  type CardVersion,
} from './card-lines.ts'
import {
  LIST_NAMES,
  NO_CARD_VALUES,
  readCardText,
  valueKey,
  type CardLists,
  type CardTexts,
  type CardValues,
} from './card-values.ts'
import {
  birthdayLine,
  CUSTOM_FIELD_LINE,
  LIST_WRITERS,
  locationLine,
  nameParts,
  photoLine,
  tagsLine,
  type WrittenLine,
} from './card-writer.ts'
import type { Photo } from '../../contact-files/contact/photo.ts'

/** The values that the card stands for, and those that it has to have. */
interface CardChange {
  readonly was: CardValues
  readonly now: CardValues
  /** The new photo; undefined to keep or remove it. */
  readonly photo?: Photo | undefined
}

/** The bytes of the card after a change. Without a change to its values, they stay the same. */
export function patchCard(bytes: Uint8Array, change: CardChange): Uint8Array {
  const patch = new CardPatch(cardTextOf(bytes))
  patchTexts(patch, change)
  for (const name of LIST_NAMES) patchList(patch, name, change)
  patchLocation(patch, change)
  patchFields(patch, change.now.fields)
  return patch.isChanged ? octetsOf(patch.card) : bytes
}

/** A new card, for a person that no client has written. */
export function newCard(uid: string, now: CardValues, photo?: Photo): Uint8Array {
  const head = ['BEGIN:VCARD', 'VERSION:3.0', 'PRODID:-//Weft CardDAV//EN', `UID:${uid}`]
  const empty = Buffer.from([...head, 'N:;;;;', 'FN:', 'END:VCARD', ''].join('\r\n'))
  return patchCard(empty, { was: NO_CARD_VALUES, now, photo })
}

/** The lines of a card while they change. */
class CardPatch {
  readonly card: ClientCard & { lines: CardLine[] }
  readonly version: CardVersion
  isChanged = false
  readonly #read = new Map<CardLine, CardValues>()

  constructor(card: ClientCard) {
    this.card = { ...card, lines: [...card.lines] }
    const version = card.lines.find(({ name }) => name === 'VERSION')?.text ?? ''
    this.version = valueIn(version).trim() === '4.0' ? '4.0' : '3.0'
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

// Single values

function patchTexts(patch: CardPatch, change: CardChange): void {
  const { was, now } = change
  const isChanged = (...names: readonly (keyof CardTexts)[]) =>
    names.some((name) => was[name] !== now[name])
  if (isChanged('name')) setText(patch, ['FN'], now.name)
  // Android also writes these as properties of its own.
  for (const name of ['nickname', 'birthday'] as const)
    if (isChanged(name))
      for (const line of patch.candidates())
        if (patch.valuesIn(line)[name] !== '') patch.remove(line)
  setParts(patch, 'N', nameParts(was), nameParts(now))
  if (isChanged('nickname')) setText(patch, ['NICKNAME'], now.nickname)
  if (isChanged('phoneticGivenName'))
    setText(patch, ['X-PHONETIC-FIRST-NAME'], now.phoneticGivenName)
  if (isChanged('phoneticFamilyName'))
    setText(patch, ['X-PHONETIC-LAST-NAME'], now.phoneticFamilyName)
  if (isChanged('pronouns')) setText(patch, ['X-PRONOUNS', 'PRONOUNS'], now.pronouns)
  setParts(patch, 'ORG', [was.company, was.department], [now.company, now.department])
  if (isChanged('title')) setText(patch, ['TITLE', 'ROLE'], now.title)
  if (isChanged('birthday'))
    setLine(
      patch,
      'BDAY',
      now.birthday === '' ? undefined : birthdayLine(now.birthday, patch.version),
    )
  if (isChanged('photo') && (change.photo || now.photo === ''))
    setLine(patch, 'PHOTO', change.photo && photoLine(change.photo, patch.version))
}

/** Sets the first property with one of these names; empty removes all of them. */
function setText(patch: CardPatch, names: readonly string[], text: string): void {
  const lines = names.flatMap((name) => patch.named(name))
  const [first] = lines
  if (text === '' && names[0] !== 'FN') for (const line of lines) patch.remove(line)
  else if (first) patch.replace(first, [withValue(first, escapedText(text))])
  else patch.add({ name: names[0] ?? '', parameters: '', value: escapedText(text) })
}

/** Sets the parts of a structured value that changed, and keeps the others as they are written. */
function setParts(
  patch: CardPatch,
  name: string,
  was: readonly string[],
  now: readonly string[],
): void {
  if (was.every((part, index) => part === now[index])) return
  const [line] = patch.named(name)
  const parts = line ? rawParts(valueIn(line.text)) : []
  for (const [index, part] of now.entries()) {
    while (parts.length <= index) parts.push('')
    if (part !== was[index]) parts[index] = escapedText(part)
  }
  if (name === 'ORG') while (parts.at(-1) === '') parts.pop()
  if (parts.length === 0) for (const one of patch.named(name)) patch.remove(one)
  else if (line) patch.replace(line, [withValue(line, parts.join(';'))])
  else patch.add({ name, parameters: '', value: parts.join(';') })
}

/** The parts of a structured value with their escapes. */
function rawParts(value: string): string[] {
  const parts: string[] = []
  let from = 0
  for (let at = 0; at <= value.length; at++) {
    if (value[at] === '\\') at += 1
    else if (at === value.length || value[at] === ';') {
      parts.push(value.slice(from, at))
      from = at + 1
    }
  }
  if (from < value.length) parts.push(value.slice(from))
  return parts
}

function setLine(patch: CardPatch, name: string, written: WrittenLine | undefined): void {
  const [first, ...others] = patch.named(name)
  for (const line of others) patch.remove(line)
  if (!first) {
    if (written) patch.add(written)
  } else if (written) {
    const group = first.group === '' ? '' : `${first.text.slice(0, first.group.length)}.`
    patch.replace(first, patch.textsOf({ ...written, name: `${group}${written.name}` }))
  } else patch.remove(first)
}

/** The line with its group and parameters, and another value in plain text. */
function withValue({ text }: CardLine, value: string): string {
  const head = text
    .slice(0, unquotedIndex(text, ':'))
    .replace(/;(?:ENCODING=)?QUOTED-PRINTABLE/i, '')
  return `${head}:${value}`
}

// Lists

function patchList(patch: CardPatch, name: keyof CardLists, { was, now }: CardChange): void {
  const [before, after] = [keyed(was[name]), keyed(now[name])]
  const removed = [...before.keys()].filter((key) => !after.has(key))
  const added = [...after.keys()].filter((key) => !before.has(key))
  const order = [...before.keys()].filter((key) => after.has(key))
  const isMoved = order.join() !== [...after.keys()].filter((key) => before.has(key)).join()
  if (removed.length + added.length === 0 && !isMoved) return
  if (name === 'tags') return setTags(patch, was.tags, now.tags)
  const left = replaceItems(patch, name, { removed, added, after })
  for (const key of left) patch.add(lineOf(patch, name, after.get(key)))
  if (isMoved || !isAsWanted(patch, name, removed, after)) rewrite(patch, name, after)
}

type Keyed = ReadonlyMap<string, unknown>

function keyed(values: readonly unknown[]): Keyed {
  return new Map(values.map((value) => [valueKey(value), value]))
}

interface ListChange {
  readonly removed: readonly string[]
  readonly added: readonly string[]
  readonly after: Keyed
}

/** Removes lines, or gives them the value that takes their place. Returns the added values that have no line yet. */
function replaceItems(
  patch: CardPatch,
  name: Exclude<keyof CardLists, 'tags'>,
  { removed, added, after }: ListChange,
): string[] {
  const gone = new Set(removed)
  const left = [...added]
  for (const line of patch.candidates()) {
    const keys = [...keyed(patch.valuesIn(line)[name]).keys()]
    if (!keys.some((key) => gone.has(key))) continue
    const kept = keys.filter((key) => !gone.has(key) && after.has(key))
    if (kept.length > 0) {
      left.push(...kept)
      patch.remove(line)
      continue
    }
    const next = left.find((key) => isSuccessor(name, patch.valuesIn(line)[name], after.get(key)))
    if (next === undefined) patch.remove(line)
    else {
      left.splice(left.indexOf(next), 1)
      patch.replace(line, [withValue(line, lineOf(patch, name, after.get(next)).value)])
    }
  }
  return left
}

/** Whether a value can take the line of another one: both have the same label and no parameters of their own. */
function isSuccessor(
  name: Exclude<keyof CardLists, 'tags'>,
  former: readonly object[],
  next: unknown,
): boolean {
  const [one] = former
  if (former.length !== 1 || !['emails', 'phones', 'urls', 'addresses'].includes(name)) return false
  const label = (value: unknown) => (value as { readonly label?: string }).label
  const formatted = (value: unknown) => (value as { readonly formatted?: string }).formatted
  return label(one) === label(next) && formatted(one) === undefined && formatted(next) === undefined
}

function lineOf(
  patch: CardPatch,
  name: Exclude<keyof CardLists, 'tags'>,
  item: unknown,
): WrittenLine {
  // Items of a list have its type.
  const write = LIST_WRITERS[name] as (item: unknown, version: CardVersion) => WrittenLine
  return write(item, patch.version)
}

/** Whether the card no longer says what was removed and says everything else. */
function isAsWanted(
  patch: CardPatch,
  name: Exclude<keyof CardLists, 'tags'>,
  removed: readonly string[],
  after: Keyed,
): boolean {
  const present = keyed(readPatched(patch)[name])
  return (
    removed.every((key) => !present.has(key)) && [...after.keys()].every((key) => present.has(key))
  )
}

function readPatched(patch: CardPatch): CardValues {
  const lines = patch.card.lines.filter(({ name }) => name !== 'PHOTO')
  const text = lines.map(({ raw }) => raw).join('')
  return readCardText({ text, isBinary: patch.card.isBinary }).values
}

/** Writes all values of a list again, in their order. */
function rewrite(patch: CardPatch, name: Exclude<keyof CardLists, 'tags'>, after: Keyed): void {
  for (const line of patch.candidates())
    if (patch.valuesIn(line)[name].length > 0 && patch.card.lines.includes(line)) patch.remove(line)
  for (const item of after.values()) patch.add(lineOf(patch, name, item))
}

/** Changes the categories of their lines; new ones join the first line. */
function setTags(patch: CardPatch, was: readonly string[], now: readonly string[]): void {
  const keys = new Set(now.map(keyOfTag))
  const removed = new Set(was.map(keyOfTag).filter((key) => !keys.has(key)))
  const lines = patch.candidates().filter((line) => patch.valuesIn(line).tags.length > 0)
  const present = new Set(lines.flatMap((line) => patch.valuesIn(line).tags.map(keyOfTag)))
  const more = now.filter((tag) => !present.has(keyOfTag(tag)))
  for (const [index, line] of lines.entries()) {
    const parts = partsOf(valueIn(line.text), ',')
    const kept = parts.filter((part) => !labelIn(part).some((tag) => removed.has(keyOfTag(tag))))
    const all = index === 0 ? [...kept, ...more] : kept
    if (all.length === 0) patch.remove(line)
    else if (all.length !== parts.length || more.length > 0)
      patch.replace(line, [withValue(line, tagsLine(all).value)])
  }
  if (lines.length === 0 && more.length > 0) patch.add(tagsLine(more))
}

function keyOfTag(tag: string): string {
  return tagOf(tag).key
}

// Custom fields

function patchFields(patch: CardPatch, fields: readonly string[]): void {
  const present = patch.named(CUSTOM_FIELD_LINE)
  const wanted = fields.map((value) => newLine(patch.card, `${CUSTOM_FIELD_LINE}:${value}`).text)
  if (present.map(({ text }) => text).join('\n') === wanted.join('\n')) return
  for (const line of present) patch.remove(line)
  for (const value of fields) patch.add({ name: CUSTOM_FIELD_LINE, parameters: '', value })
}

/** The values of the custom fields that a card has, which may differ from those of the connection. */
export function fieldsIn(bytes: Uint8Array): string[] {
  const own = cardTextOf(bytes).lines.filter(
    ({ name, isNested }) => name === CUSTOM_FIELD_LINE && !isNested,
  )
  return own.map(({ text }) => valueIn(text))
}

// Location

/** A location without an address is a city. It is written only if the addresses do not say it. */
function patchLocation(patch: CardPatch, { was, now }: CardChange): void {
  if (was.location === now.location) return
  const own = patch.named('ADR').find((line) => {
    const { location, addresses } = patch.valuesIn(line)
    return location !== '' && location === was.location && addresses.length === 0
  })
  if (own) patch.remove(own)
  if (now.location !== '' && readPatched(patch).location !== now.location)
    patch.add(locationLine(now.location, patch.version))
}
