/**
 * Changes a card line by line: the lines of values that changed are replaced, and every other line keeps its bytes, order, group
 * and parameters. What a line says is found out by reading it alone, so that a change never depends on how a client writes.
 */

import { escapedText } from '../../contact-files/vcard/vcard-text-lines.ts'
import { octetsOf, cardTextOf, newLine, valueIn } from './card-lines.ts'
import { CardPatch, withValue } from './card-patch.ts'
import { LIST_NAMES, NO_CARD_VALUES, type CardTexts, type CardValues } from './card-values.ts'
import {
  birthdayLine,
  CUSTOM_FIELD_LINE,
  locationLine,
  nameParts,
  photoLine,
  type WrittenLine,
} from './value-lines.ts'
import { patchList } from './patch-list.ts'
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
  if (now.location !== '' && patch.values().location !== now.location)
    patch.add(locationLine(now.location, patch.version))
}
