/** REPORT on the address book: multiget, query (RFC 6352 section 8) and sync-collection (RFC 6578). */

import { readAddressData } from './address-data.ts'
import { cardResponses, MAX_CARDS_AT_ONCE, type Wanted } from './card-responses.ts'
import { davError } from './dav-error.ts'
import { bookHref, cardHref, nameInHref } from './hrefs.ts'
import { missingResponse, multistatus, multistatusStream, resourceResponse } from './multistatus.ts'
import { cardFilter } from './query-filter.ts'
import { syncTokenOf, versionOfToken } from './sync-token.ts'
import {
  CARD,
  childOf,
  childrenOf,
  countElements,
  DAV,
  dav,
  distinctNames,
  escapeXml,
  isElement,
  parseXml,
  type XmlElement,
  type XmlName,
} from './xml.ts'
import type { Answer } from '../http/response.ts'
import type { BookEntry } from './book.ts'
import type { Asking, DavResource } from './resource.ts'

export async function report(
  resource: DavResource,
  body: Uint8Array,
  asking: Asking,
): Promise<Answer> {
  const root = parseXml(body)
  if (!root)
    return davError(400, { namespace: DAV, local: 'valid-request' }, 'The report has no body.')
  if (resource.kind === 'principal' && isElement(root, DAV, 'expand-property'))
    return multistatus(resourceResponse(resource, distinctNames(expandedNames(root)), asking))
  if (resource.kind === 'book' || resource.kind === 'card') {
    const prop = childOf(root, DAV, 'prop')
    const wanted = { names: distinctNames(prop?.children ?? []), data: readAddressData(prop) }
    if (isElement(root, CARD, 'addressbook-multiget')) return multiget(root, wanted, asking)
    if (isElement(root, CARD, 'addressbook-query')) return query(root, wanted, asking)
    if (isElement(root, DAV, 'sync-collection')) return syncCollection(root, wanted, asking)
  }
  return davError(
    403,
    { namespace: DAV, local: 'supported-report' },
    'This report is not supported here.',
  )
}

/** The properties themselves: what they refer to is not expanded. */
function expandedNames(root: XmlElement): XmlName[] {
  return childrenOf(root, DAV, 'property').map(({ attributes }) => ({
    namespace: attributes['namespace'] ?? DAV,
    local: attributes['name'] ?? '',
  }))
}

// Multiget

function multiget(root: XmlElement, wanted: Wanted, asking: Asking): Answer {
  const hrefs = new Set(childrenOf(root, DAV, 'href').map(({ text }) => text))
  return multistatusStream(multigetPages([...hrefs], wanted, asking))
}

async function* multigetPages(
  hrefs: readonly string[],
  wanted: Wanted,
  asking: Asking,
): AsyncGenerator<string> {
  const { memberId } = asking.principal
  for (let at = 0; at < hrefs.length; at += MAX_CARDS_AT_ONCE) {
    const some = hrefs.slice(at, at + MAX_CARDS_AT_ONCE)
    const names = some.map((href) => nameInHref(memberId, href))
    const known = new Map(
      (await asking.book.list(names.filter((name) => name !== undefined))).map((entry) => [
        entry.name,
        entry,
      ]),
    )
    // An href comes back as it was sent, if there is no card.
    for (const [index, href] of some.entries())
      if (!known.has(names[index] ?? '')) yield missingResponse(href)
    yield* cardResponses([...known.values()], wanted, asking)
  }
}

// Query

/** Elements of a filter, each of which may be compared with every card. */
const MAX_FILTERS = 200

async function query(root: XmlElement, wanted: Wanted, asking: Asking): Promise<Answer> {
  const filter = childOf(root, CARD, 'filter')
  if (filter && countElements(filter) > MAX_FILTERS)
    return davError(
      403,
      { namespace: CARD, local: 'supported-filter' },
      `The filter has more than ${MAX_FILTERS} elements.`,
    )
  const matches = cardFilter(filter)
  const limit = limitIn(childOf(root, CARD, 'limit'), CARD)
  const entries = await asking.book.list()
  return multistatusStream(queryPages(entries, { wanted, asking, matches, limit }))
}

interface Query {
  readonly wanted: Wanted
  readonly asking: Asking
  readonly matches: (text: string) => boolean
  readonly limit: number
}

async function* queryPages(
  entries: readonly BookEntry[],
  { wanted, asking, matches, limit }: Query,
): AsyncGenerator<string> {
  let left = limit
  let isTruncated = false
  const within = (text: string) => {
    if (!matches(text)) return false
    if (left === 0) isTruncated = true
    else left -= 1
    return !isTruncated
  }
  for await (const responses of cardResponses(entries, wanted, asking, within)) {
    yield responses
    if (isTruncated) break
  }
  if (isTruncated) yield truncatedResponse(asking)
}

function limitIn(limit: XmlElement | undefined, namespace: string): number {
  const text = childOf(limit, namespace, 'nresults')?.text.trim() ?? ''
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : Infinity
}

function truncatedResponse({ principal }: Asking): string {
  const href = dav('href', escapeXml(bookHref(principal.memberId)))
  const error = dav('error', dav('number-of-matches-within-limits'))
  return dav('response', href + dav('status', 'HTTP/1.1 507 Insufficient Storage') + error)
}

// Sync

/** Changes without a limit of the client; more are continued. */
const MAX_CHANGES = 200_000

/** Depth 1, which old versions of iOS send, is treated as 0. */
async function syncCollection(root: XmlElement, wanted: Wanted, asking: Asking): Promise<Answer> {
  const { book, state, principal } = asking
  const token = childOf(root, DAV, 'sync-token')?.text.trim() ?? ''
  const from = token === '' ? 0 : versionOfToken(token, book.scope)
  if (from === undefined || from > state.version || (token !== '' && from < state.floor))
    return davError(
      403,
      { namespace: DAV, local: 'valid-sync-token' },
      'The sync token is unknown or has expired. Sync again without one.',
    )
  const limit = Math.min(limitIn(childOf(root, DAV, 'limit'), DAV), MAX_CHANGES)
  const { changed, removed, version, isTruncated } = await book.changesSince(from, limit)
  const next = dav('sync-token', escapeXml(syncTokenOf(version, book.scope)))
  const gone = token === '' ? [] : removed
  async function* pages() {
    yield* cardResponses(changed, wanted, asking)
    yield gone.map((name) => missingResponse(cardHref(principal.memberId, name))).join('')
    yield (isTruncated ? truncatedResponse(asking) : '') + next
  }
  return multistatusStream(pages())
}
