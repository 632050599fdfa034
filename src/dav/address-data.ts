/** The card in a report: which version and which properties a client wants. */

import { CARD, childrenOf, isElement, type XmlElement } from './xml.ts'
import type { VcardVersion } from './book.ts'

export interface AddressDataRequest {
  readonly version: VcardVersion
  /** Upper-case names of properties; undefined for the whole card. */
  readonly properties: ReadonlySet<string> | undefined
}

/** Undefined if `prop` does not ask for cards. */
export function readAddressData(prop: XmlElement | undefined): AddressDataRequest | undefined {
  const asked = prop?.children.find((child) => isElement(child, CARD, 'address-data'))
  if (!asked) return undefined
  const names = childrenOf(asked, CARD, 'prop').map(({ attributes }) => attributes['name'] ?? '')
  return {
    version: asked.attributes['version'] === '4.0' ? '4.0' : '3.0',
    properties: names.length === 0 ? undefined : new Set(names.map((name) => name.toUpperCase())),
  }
}

/** The properties that every part of a card has. */
const ALWAYS: ReadonlySet<string> = new Set(['BEGIN', 'VERSION', 'UID', 'FN', 'N', 'END'])

/** The card, or the lines of its properties that were requested (RFC 6352 section 10.4.2). */
export function selectProperties(
  text: string,
  { properties }: Pick<AddressDataRequest, 'properties'>,
): string {
  if (!properties) return text
  let isKept = false
  return text
    .split(/(?<=\n)/)
    .filter((line) => {
      if (line.startsWith(' ') || line.startsWith('\t')) return isKept
      isKept = namesOfLine(line).some((name) => ALWAYS.has(name) || properties.has(name))
      return isKept
    })
    .join('')
}

/** The name of the property in a line, upper-case. One with a group also has the name `GROUP.NAME` (RFC 6352 section 10.5.1). */
export function namesOfLine(line: string): readonly string[] {
  const path = line
    .slice(0, line.search(/[;:\r\n]|$/))
    .trim()
    .toUpperCase()
  const dot = path.lastIndexOf('.')
  return dot === -1 ? [path] : [path.slice(dot + 1), path]
}
