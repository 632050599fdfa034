/** The responses of many cards, a page at a time. */

import { setImmediate } from 'node:timers/promises'
import { selectProperties, type AddressDataRequest } from './address-data.ts'
import { cardHref } from './hrefs.ts'
import { missingResponse, resourceResponse } from './multistatus.ts'
import type { BookEntry } from './book.ts'
import type { Asking } from './resource.ts'
import type { XmlName } from './xml.ts'

/** What a request asks of each card. */
export interface Wanted {
  readonly names: readonly XmlName[]
  readonly data: AddressDataRequest | undefined
}

/** Cards that are read at once, unless they have more than `MAX_BYTES_AT_ONCE`. */
export const MAX_CARDS_AT_ONCE = 100
const MAX_BYTES_AT_ONCE = 4 * 1024 * 1024
/** Cards of which only the properties are sent. */
const MAX_LISTED_AT_ONCE = 1000

/** The responses of cards, with their bytes if wanted. A card that is deleted meanwhile is missing. */
export async function* cardResponses(
  entries: readonly BookEntry[],
  { names, data }: Wanted,
  asking: Asking,
  matches?: (text: string) => boolean,
): AsyncGenerator<string> {
  const respond = (entry: BookEntry, text?: string) =>
    resourceResponse({ kind: 'card', entry }, names, asking, text)
  for (const chunk of chunksOf(entries, data !== undefined || matches !== undefined)) {
    if (!data && !matches) {
      yield chunk.map((entry) => respond(entry)).join('')
      await setImmediate() // lets other requests through
      continue
    }
    const version = data?.version ?? '3.0'
    const cards = await asking.book.read(
      chunk.map(({ name }) => name),
      version,
    )
    const read = new Map(cards.map((one) => [one.name, one]))
    let responses = ''
    for (const { name } of chunk) {
      const one = read.get(name)
      if (!one) responses += missingResponse(cardHref(asking.principal.memberId, name))
      else {
        const text = Buffer.from(one.text).toString('utf8')
        if (matches?.(text) !== false)
          responses += respond(one, data && selectProperties(text, data))
      }
    }
    yield responses
    await setImmediate()
  }
}

function* chunksOf(
  entries: readonly BookEntry[],
  isRead: boolean,
): Generator<readonly BookEntry[]> {
  if (!isRead) {
    for (let at = 0; at < entries.length; at += MAX_LISTED_AT_ONCE)
      yield entries.slice(at, at + MAX_LISTED_AT_ONCE)
    return
  }
  let [chunk, bytes]: [BookEntry[], number] = [[], 0]
  for (const entry of entries) {
    if (
      chunk.length === MAX_CARDS_AT_ONCE ||
      (bytes + entry.bytes > MAX_BYTES_AT_ONCE && chunk.length > 0)
    ) {
      yield chunk
      ;[chunk, bytes] = [[], 0]
    }
    chunk.push(entry)
    bytes += entry.bytes
  }
  if (chunk.length > 0) yield chunk
}
