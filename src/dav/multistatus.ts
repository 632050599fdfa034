/** The parts of a multistatus response (RFC 4918 section 13). */

import { hrefOf, readProperty, type Asking, type DavResource } from './resource.ts'
import {
  card,
  CARD,
  dav,
  document,
  escapeXml,
  isElement,
  NAMESPACES,
  tag,
  XML_TYPE,
  type XmlName,
} from './xml.ts'
import type { Answer, ContentStream } from '../http/response.ts'

const FOUND = dav('status', 'HTTP/1.1 200 OK')
const MISSING = dav('status', 'HTTP/1.1 404 Not Found')

/** A resource with the properties that were requested; unknown ones are in a propstat of their own. `text` is its card. */
export function resourceResponse(
  resource: DavResource,
  names: readonly XmlName[],
  asking: Asking,
  text?: string,
): string {
  let [found, missing] = ['', '']
  for (const name of names) {
    if (text !== undefined && isElement(name, CARD, 'address-data')) {
      found += card('address-data', escapeXml(text))
      continue
    }
    const content = readProperty(name, resource, asking)
    if (content === undefined) missing += tag(name)
    else found += tag(name, content)
  }
  const href = dav('href', escapeXml(hrefOf(resource, asking.principal)))
  const some = found === '' && missing !== '' ? '' : dav('propstat', dav('prop', found) + FOUND)
  return dav(
    'response',
    href + some + (missing === '' ? '' : dav('propstat', dav('prop', missing) + MISSING)),
  )
}

/** A resource that does not exist (any more). */
export function missingResponse(href: string): string {
  return dav('response', dav('href', escapeXml(href)) + MISSING)
}

export function multistatus(responses: string, status = 207): Answer {
  return { status, headers: HEADERS, body: document('multistatus', responses) }
}

/** No proxy may change or keep it. */
const HEADERS = { 'content-type': XML_TYPE, 'cache-control': 'no-store, no-transform' }

/** Sends the responses as they are read, so that the memory does not grow with the book. */
export function multistatusStream(pages: AsyncIterable<string>): Answer {
  const stream: ContentStream = {
    async *[Symbol.asyncIterator]() {
      yield `<?xml version="1.0" encoding="utf-8"?>\n<D:multistatus ${NAMESPACES}>`
      yield* pages
      yield '</D:multistatus>\n'
    },
  }
  return { status: 207, headers: HEADERS, body: undefined, stream }
}
