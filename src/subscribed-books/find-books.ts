/** Finds the address books of an account (RFC 6764 section 6, RFC 6352 section 7.1). */

import { CARD, card, childrenOf, DAV, dav, isElement } from '../dav/xml.ts'
import { phrase } from '../languages/message.ts'
import { BookError } from './book-error.ts'
import { propfindBody, trusted, type DavClient } from './dav-client.ts'
import { remoteProperty, remoteText, type RemoteResource } from './read-multistatus.ts'
import type { AllowedHosts } from '../deliveries/endpoint-hosts.ts'

interface FoundBook {
  readonly url: URL
  readonly name: string
}

const WANTED = propfindBody(
  dav('resourcetype') +
    dav('displayname') +
    dav('current-user-principal') +
    card('addressbook-home-set'),
)

const MAX_HOMES = 3
const MAX_NAME_LENGTH = 100

/**
 * Finds the books at an address: that of a server, of an account, or of a book itself.
 *
 * @throws {BookError} when there are none, or the server answers with an error.
 */
export async function findBooks(
  client: DavClient,
  address: URL,
  hosts: AllowedHosts,
): Promise<readonly FoundBook[]> {
  const wellKnown = new URL('/.well-known/carddav', address)
  const isBare = address.pathname === '/'
  let problem: unknown
  for (const start of isBare ? [wellKnown, address] : [address, wellKnown])
    try {
      const books = await booksFrom(client, start, hosts)
      if (books.length > 0) return books
    } catch (error) {
      if (!(error instanceof BookError && error.isAboutRequest)) throw error
      problem ??= error
    }
  throw problem ?? new BookError({ source: phrase('was not found: the account has none') })
}

async function booksFrom(
  client: DavClient,
  start: URL,
  hosts: AllowedHosts,
): Promise<readonly FoundBook[]> {
  const first = await describe(client, start)
  if (isBook(first.resource)) return [bookOf(first.url, first.resource)]
  const principal = hrefsIn(first.resource, DAV, 'current-user-principal', first.url)[0]
  const described =
    principal === undefined ? first : await describe(client, trusted(principal, first.url, hosts))
  const homes = hrefsIn(described.resource, CARD, 'addressbook-home-set', described.url)
  const books: FoundBook[] = []
  for (const home of homes.slice(0, MAX_HOMES)) {
    const listed = await client.query(trusted(home, described.url, hosts), {
      method: 'PROPFIND',
      depth: '1',
      body: WANTED,
    })
    for (const resource of listed.resources.filter(isBook)) {
      const url = URL.parse(resource.href, listed.url)
      if (url) books.push(bookOf(trusted(url, listed.url, hosts), resource))
    }
  }
  return books
}

async function describe(client: DavClient, address: URL) {
  const request = { method: 'PROPFIND', depth: '0', body: WANTED } as const
  const { url, resources } = await client.query(address, request)
  const nothing: RemoteResource = { href: url.pathname, status: undefined, properties: [] }
  return { url, resource: resources[0] ?? nothing }
}

function isBook(resource: RemoteResource): boolean {
  const types = remoteProperty(resource, DAV, 'resourcetype')?.children ?? []
  return types.some((type) => isElement(type, CARD, 'addressbook'))
}

function bookOf(url: URL, resource: RemoteResource): FoundBook {
  const name = remoteText(resource, DAV, 'displayname') ?? url.host
  return { url, name: Array.from(name).slice(0, MAX_NAME_LENGTH).join('') }
}

function hrefsIn(resource: RemoteResource, namespace: string, local: string, base: URL): URL[] {
  const property = remoteProperty(resource, namespace, local)
  const hrefs = property ? childrenOf(property, DAV, 'href') : []
  return hrefs.flatMap(({ text }) => URL.parse(text.trim(), base) ?? [])
}
