/** PROPFIND and PROPPATCH (RFC 4918 sections 9.1 and 9.2). */

import { cardResponses } from './card-responses.ts'
import { davError } from './dav-error.ts'
import { multistatus, multistatusStream, resourceResponse } from './multistatus.ts'
import {
  ALL_PROPERTIES,
  hrefOf,
  PROPERTY_NAMES,
  readProperty,
  type Asking,
  type DavResource,
} from './resource.ts'
import {
  childOf,
  childrenOf,
  CS,
  DAV,
  dav,
  distinctNames,
  escapeXml,
  isElement,
  parseXml,
  tag,
  type XmlElement,
  type XmlName,
} from './xml.ts'
import type { Answer } from '../http/response.ts'

interface PropfindRequest {
  readonly body: Uint8Array
  readonly depth: string | undefined
}

export async function propfind(
  resource: DavResource,
  { body, depth }: PropfindRequest,
  asking: Asking,
): Promise<Answer> {
  if (/^infinity$/i.test(depth ?? ''))
    return davError(
      403,
      { namespace: DAV, local: 'propfind-finite-depth' },
      'Depth infinity is not supported. Send Depth 0 or 1.',
    )
  const root = parseXml(body)
  if (root && !isElement(root, DAV, 'propfind'))
    return davError(
      400,
      { namespace: DAV, local: 'valid-request' },
      'The body is not a propfind element.',
    )
  const isNames = childOf(root, DAV, 'propname') !== undefined
  const names = namesIn(root)
  const namesFor = (one: DavResource) => (isNames ? namesOf(one, asking) : names)
  const respond = (one: DavResource) => resourceResponse(one, namesFor(one), asking)
  if (depth !== '1' || resource.kind === 'card') return multistatus(respond(resource))
  if (resource.kind !== 'book')
    return multistatus(respond(resource) + respond(CHILDREN[resource.kind]))
  const entries = await asking.book.list()
  const [entry] = entries
  const wanted = { names: entry ? namesFor({ kind: 'card', entry }) : [], data: undefined }
  return multistatusStream(
    (async function* () {
      yield respond(resource)
      yield* cardResponses(entries, wanted, asking)
    })(),
  )
}

/** The only children. */
const CHILDREN = { root: { kind: 'principal' }, principal: { kind: 'book' } } as const

/** An empty body and `allprop` ask for the usual ones. */
function namesIn(root: XmlElement | undefined): readonly XmlName[] {
  const prop = childOf(root, DAV, 'prop')
  const included = childOf(root, DAV, 'include')?.children ?? []
  return distinctNames(prop?.children ?? [...ALL_PROPERTIES, ...included])
}

function namesOf(resource: DavResource, asking: Asking): XmlName[] {
  return PROPERTY_NAMES.filter((name) => readProperty(name, resource, asking) !== undefined)
}

/** Stores the only property that clients set: which card is the member's own. All others are refused. */
export async function proppatch(
  resource: DavResource,
  body: Uint8Array,
  asking: Asking,
): Promise<Answer> {
  const root = parseXml(body)
  if (!root || !isElement(root, DAV, 'propertyupdate'))
    return davError(
      400,
      { namespace: DAV, local: 'valid-request' },
      'The body is not a propertyupdate element.',
    )
  const changes = root.children.flatMap((change) =>
    childrenOf(change, DAV, 'prop').flatMap(({ children }) =>
      children.map((property) => ({ property, isSet: change.local === 'set' })),
    ),
  )
  const isMeCard = ({ property }: (typeof changes)[number]) =>
    isElement(property, CS, 'me-card') && resource.kind === 'principal'
  // All or nothing (RFC 4918 section 9.2).
  const isDone = changes.every(isMeCard) && !asking.book.isReadOnly
  if (isDone)
    for (const { property, isSet } of changes)
      await asking.book.setMeCard(isSet ? (childOf(property, DAV, 'href')?.text ?? null) : null)
  const propstats = changes.map((change) => {
    const status = isDone
      ? 'HTTP/1.1 200 OK'
      : isMeCard(change)
        ? 'HTTP/1.1 424 Failed Dependency'
        : 'HTTP/1.1 403 Forbidden'
    const condition =
      isDone || isMeCard(change) ? '' : dav('error', dav('cannot-modify-protected-property'))
    return dav('propstat', dav('prop', tag(change.property)) + dav('status', status) + condition)
  })
  const href = dav('href', escapeXml(hrefOf(resource, asking.principal)))
  return multistatus(dav('response', href + propstats.join('')))
}
