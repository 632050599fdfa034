/** The responses of many cards, a page at a time. */

import { chunksWithin } from './chunks-within.ts'
import { MEGABYTE } from '../base/format-bytes.ts'
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

/** Cards that are read at once, unless they have more bytes. */
export const MAX_CARDS_AT_ONCE = 100
const READ_AT_ONCE = { count: MAX_CARDS_AT_ONCE, bytes: 4 * MEGABYTE }
/** Cards of which only the properties are sent. */
const LISTED_AT_ONCE = { count: 1000, bytes: Infinity }

/** The responses of cards, with their bytes if wanted. A card that is deleted meanwhile is missing. */
export async function* cardResponses(
  entries: readonly BookEntry[],
  { names, data }: Wanted,
  asking: Asking,
  matches?: (text: string) => boolean,
): AsyncGenerator<string> {
  const respond = (entry: BookEntry, text?: string) =>
    resourceResponse({ kind: 'card', entry }, names, asking, text)
  const limits = data || matches ? READ_AT_ONCE : LISTED_AT_ONCE
  for (const chunk of chunksWithin(entries, limits)) {
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
