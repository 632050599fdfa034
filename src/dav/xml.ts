/** XML of requests and responses: elements with their namespaces. Neither DTDs nor entities beyond XML's own are accepted. */

import sax from 'sax'
import { RequestError } from '../base/request-error.ts'

export const DAV = 'DAV:'
export const CARD = 'urn:ietf:params:xml:ns:carddav'
export const CS = 'http://calendarserver.org/ns/'

export interface XmlName {
  readonly namespace: string
  readonly local: string
}

export interface XmlElement extends XmlName {
  readonly attributes: Readonly<Record<string, string>>
  readonly children: readonly XmlElement[]
  /** Its own text. */
  readonly text: string
}

interface OpenElement extends XmlElement {
  readonly children: OpenElement[]
  text: string
}

const MAX_DEPTH = 32
/** A multiget of all cards of a large book has this many hrefs. */
const MAX_ELEMENTS = 60_000

/**
 * The root element. Undefined for an empty body.
 *
 * @throws {RequestError} `invalid_request` when the body is not XML, is too deep or large, or has a DTD.
 */
export function parseXml(bytes: Uint8Array): XmlElement | undefined {
  const text = decode(bytes)
  if (text.trim() === '') return undefined
  const reader = xmlReader()
  reader.write(text)
  return reader.end()
}

interface XmlReader {
  write(text: string): void
  end(): XmlElement
}

/**
 * Reads a document in parts. With `onChild`, each child of the root is passed on instead of kept, and the limit of elements
 * is for one child. Its functions throw as `parseXml` does.
 */
export function xmlReader(onChild?: (child: XmlElement) => void): XmlReader {
  const parser = sax.parser(true, { xmlns: true, position: false })
  const open: OpenElement[] = []
  let root: OpenElement | undefined
  let count = 0
  parser.ondoctype = () => {
    throw invalid('has a DTD, which is not allowed')
  }
  parser.onopentag = (opened) => {
    const { uri, local, attributes } = opened as sax.QualifiedTag
    count += 1
    if (open.length >= MAX_DEPTH || count > MAX_ELEMENTS) throw invalid('is too deep or too large')
    const named = Object.values(attributes).map((one) => [one.local, one.value] as const)
    const element: OpenElement = {
      namespace: uri,
      local,
      attributes: Object.fromEntries(named),
      children: [],
      text: '',
    }
    open.at(-1)?.children.push(element)
    root ??= element
    open.push(element)
  }
  parser.onclosetag = () => {
    const closed = open.pop()
    if (!onChild || !closed || open.length !== 1) return
    root?.children.pop()
    count = 1
    onChild(closed)
  }
  const onText = (more: string) => {
    const element = open.at(-1)
    if (element) element.text += more
  }
  const onError = () => {
    throw invalid('is not well-formed')
  }
  Object.assign(parser, { ontext: onText, oncdata: onText, onerror: onError })
  return {
    write: (text) => void parser.write(text),
    end() {
      parser.close()
      if (!root) throw invalid('has no element')
      return root
    },
  }
}

function decode(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes)
  } catch {
    throw invalid('is not valid UTF-8')
  }
}

const UTF8 = new TextDecoder('utf-8', { fatal: true })

function invalid(problem: string): RequestError {
  return new RequestError('invalid_request', `The XML ${problem}.`)
}

/** Whether an element has this namespace and name. */
export function isElement({ namespace, local }: XmlName, wanted: string, name: string): boolean {
  return namespace === wanted && local === name
}

/** The first child with this name. */
export function childOf(
  element: XmlElement | undefined,
  namespace: string,
  local: string,
): XmlElement | undefined {
  return element?.children.find((child) => isElement(child, namespace, local))
}

/** All children with this name. */
export function childrenOf(element: XmlElement, namespace: string, local: string): XmlElement[] {
  return element.children.filter((child) => isElement(child, namespace, local))
}

/** Names in one request. Clients ask for about 20; each is in the response for every card. */
const MAX_NAMES = 100
/** Characters of these names and their namespaces. */
const MAX_NAMES_LENGTH = 10_000

/**
 * Each of these names once.
 *
 * @throws {RequestError} `invalid_request` when they are too many or too long.
 */
export function distinctNames(names: readonly XmlName[]): readonly XmlName[] {
  const distinct = new Map(names.map((name) => [`${name.namespace} ${name.local}`, name]))
  const length = [...distinct.keys()].join('').length
  if (distinct.size > MAX_NAMES || length > MAX_NAMES_LENGTH)
    throw invalid('names too many properties')
  return [...distinct.values()]
}

export function countElements({ children }: XmlElement): number {
  return children.reduce((sum, child) => sum + countElements(child), children.length)
}

/** Text in an element or an attribute. Characters that XML does not have are left out. */
export function escapeXml(text: string): string {
  if (text.search(SPECIAL) === -1 && text.isWellFormed()) return text
  return text.toWellFormed().replaceAll(SPECIAL, (one) => ENTITIES[one] ?? '')
}

/** Characters with an entity, and those that XML does not have: controls but tab and line feed, and U+FFFE and U+FFFF. */
const SPECIAL = /[&<>"\r]|(?![\t\n\r\u007f-\u009f])\p{Cc}|[\ufffe\uffff]/gu

/** A carriage return is written as a reference, because parsers turn it into a line feed. */
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

const PREFIXES: ReadonlyMap<string, string> = new Map([
  [DAV, 'D'],
  [CARD, 'C'],
  [CS, 'S'],
])

/** The namespaces of `tag`, for the root element. */
export const NAMESPACES = [...PREFIXES].map(([uri, prefix]) => `xmlns:${prefix}="${uri}"`).join(' ')

/** An element with content that is XML already. */
export function tag({ namespace, local }: XmlName, content = ''): string {
  const prefix = PREFIXES.get(namespace)
  const name = prefix === undefined ? local : `${prefix}:${local}`
  const declaration = prefix === undefined ? ` xmlns="${escapeXml(namespace)}"` : ''
  return content === '' ? `<${name}${declaration}/>` : `<${name}${declaration}>${content}</${name}>`
}

export const dav = (local: string, content = '') => tag({ namespace: DAV, local }, content)
export const card = (local: string, content = '') => tag({ namespace: CARD, local }, content)

export const XML_TYPE = 'application/xml; charset=utf-8'

/** A whole document. */
export function document(name: string, content: string): string {
  return `<?xml version="1.0" encoding="utf-8"?>\n<D:${name} ${NAMESPACES}>${content}</D:${name}>\n`
}
