/** Finds the cards of a book that have changed since the last pull, and reads them. */

import { chunksWithin } from '../dav/chunks-within.ts'
import { MEGABYTE } from '../base/format-bytes.ts'
import { CARD, card, DAV, dav, document, escapeXml, NAMESPACES } from '../dav/xml.ts'
import { phrase } from '../languages/message.ts'
import { BookError } from './book-error.ts'
import { propfindBody, type DavClient } from './dav-client.ts'
import { remoteProperty, remoteText, type RemoteResource } from './read-multistatus.ts'

export interface ListedCard {
  /** The last part of its URL, decoded, by which it is known. */
  readonly name: string
  /** As the server writes it. */
  readonly href: string
  /** Null if the server has none; then the card is read with every pull. */
  readonly etag: string | null
  readonly bytes: number
}

interface Listing {
  readonly cards: readonly ListedCard[]
  /** For the next pull; null if the server has no sync-collection. */
  readonly token: string | null
}

const CARD_PROPERTIES = dav('getetag') + dav('getcontentlength')
const MAX_CARDS = 50_000
const MAX_PAGES = 100
/** Assumed if the server does not say it. */
const USUAL_CARD_BYTES = 4096

/**
 * The cards that have changed since the token, by sync-collection; all cards without a token, or if the server does not
 * accept it (RFC 6578 section 3.6).
 *
 * @throws {BookError} when the server answers with an error.
 */
export async function listChangedCards(
  client: DavClient,
  book: URL,
  token: string | null,
): Promise<Listing> {
  if (token !== null)
    try {
      return await listSince(client, book, token)
    } catch (error) {
      if (!(error instanceof BookError && error.isAboutRequest)) throw error
    }
  return listAll(client, book)
}

/** The token is read first, so that no change in between is lost. */
async function listAll(client: DavClient, book: URL): Promise<Listing> {
  const [own, all] = [
    await client.query(book, {
      method: 'PROPFIND',
      depth: '0',
      body: propfindBody(dav('sync-token')),
    }),
    await client.query(book, {
      method: 'PROPFIND',
      depth: '1',
      body: propfindBody(dav('resourcetype') + CARD_PROPERTIES),
    }),
  ]
  const [first] = own.resources
  return {
    cards: cardsIn(all.resources, book),
    token: first ? remoteText(first, DAV, 'sync-token') : null,
  }
}

/** A response with 507 for the book is continued with its token. */
async function listSince(client: DavClient, book: URL, start: string): Promise<Listing> {
  const cards: ListedCard[] = []
  let token = start
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const content =
      dav('sync-token', escapeXml(token)) + dav('sync-level', '1') + dav('prop', CARD_PROPERTIES)
    const body = document('sync-collection', content)
    const answer = await client.query(book, { method: 'REPORT', depth: '0', body })
    cards.push(...cardsIn(answer.resources, book))
    const isTruncated = answer.resources.some(({ status }) => status === 507)
    const isStuck = isTruncated && answer.token === token
    if (answer.token === null || isStuck || cards.length > MAX_CARDS) break
    token = answer.token
    if (!isTruncated) return { cards, token }
  }
  throw new BookError({ source: phrase('cannot be synced step by step') }, { status: 200 })
}

/** Without the book itself, collections in it, and cards that are gone. The last one of a name counts. */
function cardsIn(resources: readonly RemoteResource[], book: URL): ListedCard[] {
  const cards = new Map<string, ListedCard>()
  for (const resource of resources) {
    const { href, status } = resource
    const url = URL.parse(href, book)
    const types = remoteProperty(resource, DAV, 'resourcetype')?.children ?? []
    if (status !== undefined || !url || url.pathname === book.pathname || types.length > 0) continue
    const name = nameIn(url)
    if (name === '') continue
    const length = Number(remoteText(resource, DAV, 'getcontentlength') ?? USUAL_CARD_BYTES)
    const bytes = Number.isFinite(length) ? Math.max(0, length) : USUAL_CARD_BYTES
    cards.set(name, { name, href, etag: remoteText(resource, DAV, 'getetag'), bytes })
  }
  if (cards.size > MAX_CARDS)
    throw new BookError({
      source: phrase('has more than {max} cards'),
      values: { max: MAX_CARDS },
    })
  return [...cards.values()]
}

/** Servers write one href with different escapes. Databases do not store control characters. */
function nameIn({ pathname }: URL): string {
  const last = pathname.split('/').at(-1) ?? ''
  try {
    const name = decodeURIComponent(last)
    return /\p{Cc}/u.test(name) ? last : name
  } catch {
    return last
  }
}

interface ReadCard extends ListedCard {
  /** Undefined if it cannot be read, now or ever. */
  readonly text?: string
  /** Why it could not be read now. */
  readonly error?: BookError
}

const MAX_BATCH = { count: 100, bytes: 4 * MEGABYTE }

/**
 * Reads cards by multiget, and one by one those that its answer omits. Cards that are gone are left out.
 *
 * @throws {BookError} when the server does not answer, rejects the password, or wants to be left alone.
 */
export async function* readCards(
  client: DavClient,
  book: URL,
  cards: readonly ListedCard[],
): AsyncGenerator<ReadCard> {
  for (const batch of chunksWithin(cards, MAX_BATCH)) {
    const answered = await multiget(client, book, batch)
    for (const one of batch) {
      const read = answered.get(one.name) ?? (await readOne(client, book, one))
      if (read) yield read
    }
  }
}

/** The cards of the answer by name; none if the server answers with an error. */
async function multiget(
  client: DavClient,
  book: URL,
  batch: readonly ListedCard[],
): Promise<ReadonlyMap<string, ReadCard>> {
  const prop = dav('prop', dav('getetag') + card('address-data'))
  const hrefs = batch.map(({ href }) => dav('href', escapeXml(href))).join('')
  const body = `<?xml version="1.0" encoding="utf-8"?>\n<C:addressbook-multiget ${NAMESPACES}>${prop}${hrefs}</C:addressbook-multiget>\n`
  const wanted = new Map(batch.map((one) => [one.name, one]))
  const found = new Map<string, ReadCard>()
  try {
    const request = { method: 'REPORT', depth: '1', body } as const
    for (const resource of (await client.query(book, request)).resources) {
      const url = URL.parse(resource.href, book)
      const listed = url && wanted.get(nameIn(url))
      const text = remoteProperty(resource, CARD, 'address-data')?.text
      if (!listed || text === undefined) continue
      const etag = remoteText(resource, DAV, 'getetag') ?? listed.etag
      found.set(listed.name, { ...listed, etag, text })
    }
  } catch (error) {
    if (!(error instanceof BookError && error.isAboutRequest)) throw error
  }
  return found
}

/** Undefined if the card is gone. */
async function readOne(
  client: DavClient,
  book: URL,
  listed: ListedCard,
): Promise<ReadCard | undefined> {
  // The path only, so that an href cannot lead to another host.
  const { pathname } = URL.parse(listed.href, book) ?? book
  try {
    const bytes = await client.get(new URL(pathname, book))
    return { ...listed, text: new TextDecoder().decode(bytes) }
  } catch (error) {
    if (!(error instanceof BookError && error.isAboutRequest)) throw error
    return error.status === 404 || error.status === 410 ? undefined : { ...listed, error }
  }
}
