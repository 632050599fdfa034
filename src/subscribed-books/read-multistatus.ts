/** Reads multistatus responses of other servers (RFC 4918 section 13). */

import { setImmediate } from 'node:timers/promises'
import { RequestError } from '../base/request-error.ts'
import { childOf, childrenOf, DAV, isElement, xmlReader, type XmlElement } from '../dav/xml.ts'

/** A resource in a response. */
export interface RemoteResource {
  /** As the server writes it. */
  readonly href: string
  /** The status of the resource as a whole, such as 404 or 507; undefined if it has properties. */
  readonly status: number | undefined
  readonly properties: readonly XmlElement[]
}

/** More than the largest book has, so that small elements do not fill the memory. */
const MAX_RESOURCES = 60_000

/** Bytes that are read before other work continues. */
const PART_BYTES = 64 * 1024

/**
 * Lets other work run in between.
 *
 * @throws {RequestError} `invalid_request` when the bytes are no multistatus.
 */
export async function readResponses(
  bytes: Uint8Array,
): Promise<{ readonly resources: readonly RemoteResource[]; readonly token: string | null }> {
  const resources: RemoteResource[] = []
  let token: string | null = null
  const reader = xmlReader((child) => {
    if (isElement(child, DAV, 'response')) resources.push(resourceOf(child))
    if (resources.length > MAX_RESOURCES)
      throw new RequestError('invalid_request', 'The XML has too many responses.')
    if (isElement(child, DAV, 'sync-token'))
      token = child.text.replaceAll(/\p{Cc}/gu, '').trim() || null
  })
  const decoder = new TextDecoder()
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    reader.write(decoder.decode(bytes.subarray(at, at + PART_BYTES), { stream: true }))
    await setImmediate()
  }
  if (!isElement(reader.end(), DAV, 'multistatus'))
    throw new RequestError('invalid_request', 'The XML has no multistatus.')
  return { resources, token }
}

function resourceOf(response: XmlElement): RemoteResource {
  const found = childrenOf(response, DAV, 'propstat').filter((one) => statusOf(one) === 200)
  return {
    href: childOf(response, DAV, 'href')?.text.trim() ?? '',
    status: statusOf(response),
    properties: found.flatMap((one) => childOf(one, DAV, 'prop')?.children ?? []),
  }
}

/** Such as 404 in `HTTP/1.1 404 Not Found`. */
function statusOf(element: XmlElement): number | undefined {
  const [, status] = / (\d{3})\b/.exec(childOf(element, DAV, 'status')?.text ?? '') ?? []
  return status === undefined ? undefined : Number(status)
}

export function remoteProperty(
  { properties }: RemoteResource,
  namespace: string,
  local: string,
): XmlElement | undefined {
  return properties.find((one) => isElement(one, namespace, local))
}

/** Without control characters, which databases do not store; null if the resource has no such text. */
export function remoteText(
  resource: RemoteResource,
  namespace: string,
  local: string,
): string | null {
  const text = remoteProperty(resource, namespace, local)?.text
  return text?.replaceAll(/\p{Cc}/gu, ' ').trim() || null
}
