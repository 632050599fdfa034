/** The resources below `/dav/` and their properties. */

import { bookHref, cardHref, DAV_PATH, principalHref } from './hrefs.ts'
import { syncTokenOf } from './sync-token.ts'
import { CARD, card, CS, DAV, dav, escapeXml, tag, type XmlName } from './xml.ts'
import type { AddressBook, BookEntry } from './book.ts'

/** Photos of phones have a few megabytes. */
export const MAX_CARD_BYTES = 10 * 1024 * 1024

interface Principal {
  readonly memberId: number
  readonly name: string
  readonly email: string | null
}

export type DavResource =
  | { readonly kind: 'root'; readonly path: string }
  | { readonly kind: 'principal' }
  | { readonly kind: 'book' }
  | { readonly kind: 'card'; readonly entry: BookEntry }

/** The principal who asks, and the address book. */
export interface Asking {
  readonly principal: Principal
  readonly book: AddressBook
  readonly state: Awaited<ReturnType<AddressBook['readState']>>
}

/** Encoded, as clients compare it. */
export function hrefOf(resource: DavResource, { memberId }: Pick<Principal, 'memberId'>): string {
  if (resource.kind === 'root') return resource.path
  if (resource.kind === 'principal') return principalHref(memberId)
  return resource.kind === 'book' ? bookHref(memberId) : cardHref(memberId, resource.entry.name)
}

/** The content of a property as XML; undefined if the resource does not have it. */
type PropertyReader = (resource: DavResource, asking: Asking) => string | undefined

/** Properties by their namespace and name. */
const PROPERTIES: ReadonlyMap<string, PropertyReader> = new Map<string, PropertyReader>([
  [key(DAV, 'resourcetype'), (resource) => TYPES[resource.kind]],
  [
    key(DAV, 'current-user-principal'),
    (_, { principal }) => href(principalHref(principal.memberId)),
  ],
  [
    key(DAV, 'principal-URL'),
    only(['root', 'principal'], (_, { principal }) => href(principalHref(principal.memberId))),
  ],
  [key(DAV, 'principal-collection-set'), () => href(DAV_PATH)],
  [
    key(DAV, 'owner'),
    only(['book', 'card', 'principal'], (_, { principal }) =>
      href(principalHref(principal.memberId)),
    ),
  ],
  [
    key(DAV, 'displayname'),
    (resource, { principal }) =>
      resource.kind === 'card'
        ? undefined
        : escapeXml(resource.kind === 'book' ? 'Weft' : principal.name),
  ],
  [key(DAV, 'supported-report-set'), (resource) => reports(REPORTS[resource.kind])],
  [key(DAV, 'current-user-privilege-set'), (_, { book }) => privileges(book.isReadOnly)],
  [
    key(DAV, 'sync-token'),
    only(['book'], (_, { book, state }) => escapeXml(syncTokenOf(state.version, book.scope))),
  ],
  [
    key(DAV, 'getetag'),
    only(['card'], (resource) => ('entry' in resource ? escapeXml(resource.entry.etag) : '')),
  ],
  [key(DAV, 'getcontenttype'), only(['card'], () => 'text/vcard; charset=utf-8')],
  [
    key(DAV, 'getcontentlength'),
    only(['card'], (resource) => ('entry' in resource ? String(resource.entry.bytes) : '')),
  ],
  [
    key(DAV, 'getlastmodified'),
    only(['card'], (resource) =>
      'entry' in resource ? new Date(resource.entry.changedAt).toUTCString() : '',
    ),
  ],
  [
    key(CARD, 'addressbook-home-set'),
    only(['root', 'principal'], (_, { principal }) => href(principalHref(principal.memberId))),
  ],
  [key(CARD, 'addressbook-description'), only(['book'], () => 'Weft')],
  [
    key(CARD, 'supported-address-data'),
    only(['book'], () => '<C:address-data-type content-type="text/vcard" version="3.0"/>'),
  ],
  [
    key(CARD, 'supported-collation-set'),
    only(['book'], () =>
      ['i;ascii-casemap', 'i;unicode-casemap', 'i;octet']
        .map((name) => card('supported-collation', name))
        .join(''),
    ),
  ],
  [key(CARD, 'max-resource-size'), only(['book'], () => String(MAX_CARD_BYTES))],
  [key(CARD, 'max-image-size'), only(['book'], () => String(MAX_CARD_BYTES))],
  [
    key(CS, 'getctag'),
    only(['book'], (_, { book, state }) => escapeXml(syncTokenOf(state.version, book.scope))),
  ],
  [
    key(CS, 'me-card'),
    only(['principal'], (_, { state }) => (state.meCard === null ? undefined : href(state.meCard))),
  ],
  [
    key(CS, 'email-address-set'),
    only(['principal'], (_, { principal }) =>
      principal.email === null
        ? undefined
        : tag({ namespace: CS, local: 'email-address' }, escapeXml(principal.email)),
    ),
  ],
])

/** Properties in a response to a request for all of them (RFC 4918 section 14.2): the ones that cost nothing. */
export const ALL_PROPERTIES: readonly XmlName[] = [
  'resourcetype',
  'displayname',
  'getetag',
  'getcontenttype',
  'getcontentlength',
  'getlastmodified',
].map((local) => ({ namespace: DAV, local }))

/** Names that a resource has, for `propname`. */
export const PROPERTY_NAMES: readonly XmlName[] = [...PROPERTIES.keys()].map((name) => {
  const at = name.indexOf(' ')
  return { namespace: name.slice(0, at), local: name.slice(at + 1) }
})

export function readProperty(
  { namespace, local }: XmlName,
  resource: DavResource,
  asking: Asking,
): string | undefined {
  return PROPERTIES.get(key(namespace, local))?.(resource, asking)
}

function key(namespace: string, local: string): string {
  return `${namespace} ${local}`
}

function only(kinds: readonly DavResource['kind'][], read: PropertyReader): PropertyReader {
  return (resource, asking) => (kinds.includes(resource.kind) ? read(resource, asking) : undefined)
}

function href(path: string): string {
  return dav('href', escapeXml(path))
}

const TYPES: Readonly<Record<DavResource['kind'], string>> = {
  root: dav('collection'),
  principal: dav('collection') + dav('principal'),
  book: dav('collection') + card('addressbook'),
  card: '',
}

const REPORTS: Readonly<Record<DavResource['kind'], readonly string[]>> = {
  root: [],
  principal: [dav('expand-property')],
  book: [card('addressbook-multiget'), card('addressbook-query'), dav('sync-collection')],
  card: [card('addressbook-multiget'), card('addressbook-query')],
}

function reports(names: readonly string[]): string {
  return names.map((name) => dav('supported-report', dav('report', name))).join('')
}

function privileges(isReadOnly: boolean): string {
  const names = ['read', 'read-current-user-privilege-set']
  if (!isReadOnly) names.push('write', 'write-content', 'write-properties', 'bind', 'unbind')
  return names.map((name) => dav('privilege', dav(name))).join('')
}
