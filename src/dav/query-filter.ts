/** Filters of `addressbook-query` (RFC 6352 section 10.5). */

import { splitUnquoted, unquotedIndex } from '../contact-files/vcard/vcard-property.ts'
import { namesOfLine } from './address-data.ts'
import { CARD, childOf, childrenOf, type XmlElement } from './xml.ts'

interface CardProperty {
  readonly names: readonly string[]
  readonly parameters: readonly (readonly [name: string, value: string])[]
  readonly value: string
}

type Test<Item> = (item: Item) => boolean

/** Whether the text of a card matches. Without a filter, each one does. */
export function cardFilter(filter: XmlElement | undefined): Test<string> {
  if (!filter) return () => true
  const tests = childrenOf(filter, CARD, 'prop-filter').map(propertyFilter)
  if (tests.length === 0) return () => true
  const combine = combined(filter, tests)
  return (text) => combine(propertiesOf(text))
}

/** `anyof` is the default. */
function combined<Item>({ attributes }: XmlElement, tests: readonly Test<Item>[]): Test<Item> {
  return attributes['test'] === 'allof'
    ? (item) => tests.every((test) => test(item))
    : (item) => tests.some((test) => test(item))
}

function propertyFilter(filter: XmlElement): Test<readonly CardProperty[]> {
  const name = (filter.attributes['name'] ?? '').toUpperCase()
  const named = (all: readonly CardProperty[]) => all.filter(({ names }) => names.includes(name))
  if (childOf(filter, CARD, 'is-not-defined')) return (all) => named(all).length === 0
  const tests = [
    ...childrenOf(filter, CARD, 'text-match').map((match): Test<readonly CardProperty[]> => {
      const test = textMatch(match)
      // Negation means that some value does not match.
      return (properties) => properties.some(({ value }) => test(value))
    }),
    ...childrenOf(filter, CARD, 'param-filter').map(parameterFilter),
  ]
  if (tests.length === 0) return (all) => named(all).length > 0
  const combine = combined(filter, tests)
  return (all) => {
    const properties = named(all)
    return properties.length > 0 && combine(properties)
  }
}

function parameterFilter(filter: XmlElement): Test<readonly CardProperty[]> {
  const name = (filter.attributes['name'] ?? '').toUpperCase()
  const valuesOf = ({ parameters }: CardProperty) =>
    parameters.flatMap(([one, value]) => (one === name ? [value] : []))
  if (childOf(filter, CARD, 'is-not-defined'))
    return (properties) => properties.every((one) => valuesOf(one).length === 0)
  const match = childOf(filter, CARD, 'text-match')
  const test = match ? textMatch(match) : () => true
  return (properties) => properties.some((one) => valuesOf(one).some(test))
}

function textMatch({ attributes, text }: XmlElement): Test<string> {
  const isExact = attributes['collation'] === 'i;octet'
  const fold = (value: string) => (isExact ? value : value.toLowerCase())
  const wanted = fold(text)
  const type = attributes['match-type'] ?? 'contains'
  const matches = MATCHES[type] ?? MATCHES['contains']
  const isNegated = attributes['negate-condition'] === 'yes'
  return (value) => (matches?.(fold(value), wanted) ?? false) !== isNegated
}

const MATCHES: Readonly<Record<string, (value: string, wanted: string) => boolean>> = {
  equals: (value, wanted) => value === wanted,
  contains: (value, wanted) => value.includes(wanted),
  'starts-with': (value, wanted) => value.startsWith(wanted),
  'ends-with': (value, wanted) => value.endsWith(wanted),
}

/** Values are unescaped, and lists and structured values are compared as they are written. */
function propertiesOf(text: string): CardProperty[] {
  return text
    .replaceAll(/\r?\n[ \t]/g, '')
    .split(/\r?\n/)
    .flatMap((line) => {
      const colon = unquotedIndex(line, ':')
      if (colon === -1) return []
      const [, ...parameters] = splitUnquoted(line.slice(0, colon), ';')
      return {
        names: namesOfLine(line),
        parameters: parameters.flatMap(parametersIn),
        value: line
          .slice(colon + 1)
          .replaceAll(/\\([nN\\,;:])/g, (_, one: string) => (/n/i.test(one) ? '\n' : one)),
      }
    })
}

/** A list such as `TYPE=HOME,WORK` is two parameters. */
function parametersIn(parameter: string): (readonly [string, string])[] {
  const equals = parameter.indexOf('=')
  if (equals === -1) return [['TYPE', parameter]]
  const name = parameter.slice(0, equals).toUpperCase()
  const values = splitUnquoted(parameter.slice(equals + 1), ',')
  return values.map((value) => [name, value.replaceAll('"', '')] as const)
}
