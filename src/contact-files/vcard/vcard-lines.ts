// Splits a vCard stream into cards of unfolded lines. Holds one card in memory at a time, with at most one image.

import { phrase } from '../../languages/message.ts'
import { MAX_PHOTO_BYTES } from '../contact/photo.ts'

/** One card, possibly incomplete. */
export interface CardLines {
  readonly line: number
  readonly lines: readonly string[]
  /** The unfolded PHOTO property when it contains the image. */
  readonly photo?: string
  /** Lower-case names of properties with an image or a sound that is not kept, or with a part of the value missing. */
  readonly left?: ReadonlySet<string>
  /** Why the card could not be read. */
  readonly broken?: string
}

interface CardScanner {
  push(text: string, last: boolean): readonly CardLines[]
}

export function cardScanner(): CardScanner {
  const cards = new CardAssembler()
  const physical = lineCutter((line, number) => cards.take(line, number))
  return {
    push(text, last) {
      physical.push(text, last)
      if (last) cards.end()
      return cards.takeDone()
    },
  }
}

const MAX_LINE_LENGTH = 1_000_000 // characters kept per line; a longer one is reported
const MAX_CARD_LENGTH = 5_000_000 // characters kept per card, not counting images
/** Characters kept of an image: the largest photo in base64 with its parameters. A longer one is still longer. */
const MAX_PHOTO_LENGTH = Math.ceil((MAX_PHOTO_BYTES * 4) / 3) + 10_000

const NOT_CLOSED = phrase('This card has no END:VCARD')
const NOT_OPENED = phrase('This card has no BEGIN:VCARD')
const TOO_LONG = phrase('This card is longer than 5,000,000 characters')

const BEGIN = /^(?:[\w-]+\.)?BEGIN[ \t]*:[ \t]*VCARD\s*$/i
const END = /^(?:[\w-]+\.)?END[ \t]*:[ \t]*VCARD\s*$/i
/** KDE has names such as `X-messaging/aim-All`. */
const PROPERTY = /^(?:[\w-]+\.)*(?:[a-z][\w-]*|x-[\w/-]+)[ \t]*[;:]/i
const AGENT = /^(?:[\w-]+\.)*AGENT[ \t]*(?:;[^:]*)?:\s*$/i
const UNUSED = /^(?:[\w-]+\.)*(?:PHOTO|LOGO|SOUND|X-MS-CARDPICTURE|X-WAB-\w+|X-MS-OL-DESIGN)[;:]/i
/** An image or a sound that is not kept. */
const BINARY = /^(?:[\w-]+\.)*(LOGO|SOUND)[;:]/i
const PHOTO = /^(?:[\w-]+\.)*PHOTO[;:]/i
const URL_OF_MEDIA = /^(?:[\w-]+\.)*(?:PHOTO|LOGO|SOUND)(?:;[^:]*)?:https?:/i
const QUOTED_PRINTABLE = /^[^:]*;(?:ENCODING=)?"?QUOTED-PRINTABLE"?[;:]/i

interface OpenCard {
  readonly line: number
  readonly lines: string[]
  /** The lines of the first PHOTO, and whether the current property is it. */
  photo: string[]
  photoLength: number
  inPhoto: boolean
  readonly left: Set<string>
  /** Whether the current property is kept. */
  keeping: boolean
  /** Whether it is quoted-printable, and whether the next line continues it. */
  quoted: boolean
  soft: boolean
  /** Nesting depth of cards inside this one (AGENT, RFC 2426 section 3.5.4). */
  nested: number
  size: number
}

class CardAssembler {
  #done: CardLines[] = []
  #card: OpenCard | null = null
  /** The line of the first property outside of a card. */
  #stray: number | null = null

  take(text: string, number: number): void {
    const line = text.replace(/^(?:\ufeff|ï»¿)/, '')
    if (BEGIN.test(line)) this.#begin(number)
    else if (END.test(line)) this.#end()
    else if (this.#card?.nested === 0) addLine(this.#card, line)
    else if (!this.#card && this.#stray === null && PROPERTY.test(line)) this.#stray = number
  }

  /** At the end of the file. */
  end(): void {
    if (this.#card) this.#done.push({ line: this.#card.line, lines: [], broken: NOT_CLOSED })
    this.#card = null
  }

  takeDone(): readonly CardLines[] {
    const cards = this.#done
    this.#done = []
    return cards
  }

  #begin(number: number): void {
    const card = this.#card
    if (card && AGENT.test(card.lines.at(-1) ?? '')) {
      card.lines.pop()
      card.keeping = false
      card.nested++
      return
    }
    this.end()
    this.#card = openCard(number)
    this.#stray = null
  }

  #end(): void {
    const card = this.#card
    if (card && card.nested > 0) card.nested--
    else if (card) {
      this.#done.push(finishedCard(card))
      this.#card = null
    } else {
      if (this.#stray !== null)
        this.#done.push({ line: this.#stray, lines: [], broken: NOT_OPENED })
      this.#stray = null
    }
  }
}

function openCard(line: number): OpenCard {
  return {
    line,
    lines: [],
    photo: [],
    photoLength: 0,
    inPhoto: false,
    left: new Set(),
    keeping: true,
    quoted: false,
    soft: false,
    nested: 0,
    size: 0,
  }
}

function finishedCard({ line, lines, photo, left, size }: OpenCard): CardLines {
  if (size > MAX_CARD_LENGTH) return { line, lines: [], broken: TOO_LONG }
  return {
    line,
    lines,
    ...(photo.length > 0 && { photo: photo.join('') }),
    ...(left.size > 0 && { left }),
  }
}

/** Unfolds lines (RFC 6350 section 3.2) and soft line breaks of quoted-printable (RFC 2045 section 6.7). */
function addLine(card: OpenCard, line: string): void {
  if (card.soft) {
    extend(card, line) // an empty line ends the value
  } else if (line === '') {
    return
  } else if (line.startsWith(' ') || line.startsWith('\t')) {
    if (card.inPhoto) extendPhoto(card, line.slice(1))
    else if (card.keeping) extend(card, line.slice(1))
  } else if (PROPERTY.test(line)) {
    card.keeping = !UNUSED.test(line) || URL_OF_MEDIA.test(line)
    card.inPhoto = !card.keeping && PHOTO.test(line) && card.photo.length === 0
    if (card.inPhoto) extendPhoto(card, line)
    const binary = card.keeping ? undefined : BINARY.exec(line)?.[1]
    if (binary !== undefined) card.left.add(binary.toLowerCase())
    card.quoted = card.keeping && QUOTED_PRINTABLE.test(line)
    if (!card.keeping) return
    card.lines.push('')
    extend(card, line)
  } else if (card.inPhoto) {
    extendPhoto(card, line) // base64 of vCard 2.1 that is not indented
  } else if (card.keeping) {
    extend(card, `\\n${line}`) // an unencoded line break
  }
}

function extendPhoto(card: OpenCard, more: string): void {
  if (card.photoLength > MAX_PHOTO_LENGTH) return
  card.photo.push(more)
  card.photoLength += more.length
}

function extend(card: OpenCard, more: string): void {
  card.soft = card.quoted && more.endsWith('=')
  card.size += more.length
  const before = card.lines.at(-1)
  if (before === undefined || card.size > MAX_CARD_LENGTH) return
  const text = card.soft ? more.slice(0, -1) : more
  const room = Math.max(0, MAX_LINE_LENGTH - before.length)
  if (text.length > room) card.left.add(propertyNameOf(before || text))
  if (room > 0) card.lines[card.lines.length - 1] = before + text.slice(0, room)
}

/** Lower-case, without its group. */
function propertyNameOf(line: string): string {
  return (/^(?:[\w-]+\.)*([\w/-]+)/.exec(line)?.[1] ?? '').toLowerCase()
}

/** Some programs do not fold images. */
const MAX_PHYSICAL_LENGTH = MAX_PHOTO_LENGTH + 1

const LF = 10
const CR = 13

/** Emits every line; \n, \r\n, \r\r\n and \r all end one. Empty lines are emitted only if they end with \n. */
function lineCutter(emit: (line: string, number: number) => void) {
  let held = ''
  let number = 1
  let emitted = false // whether this line, up to its \n, was emitted
  let returns = 0 // \r since the last character, which may belong to a following \n

  function hold(piece: string): void {
    if (returns > 0) {
      number += returns
      returns = 0
    }
    if (held.length < MAX_PHYSICAL_LENGTH) held += piece.slice(0, MAX_PHYSICAL_LENGTH - held.length)
  }

  function release(): void {
    if (held === '') return
    emit(held, number)
    held = ''
    emitted = true
  }

  function endLine(): void {
    release()
    if (!emitted) emit('', number)
    emitted = false
    number++
    returns = 0
  }

  return {
    push(text: string, last: boolean): void {
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const code = text.charCodeAt(at)
        if (code !== LF && code !== CR) continue
        if (at > from) hold(text.slice(from, at))
        from = at + 1
        if (code === LF) endLine()
        else {
          release()
          returns++
        }
      }
      if (from < text.length) hold(text.slice(from))
      if (last) release()
    },
  }
}
