// LDIF (RFC 2849), which Thunderbird, SeaMonkey and directories export. Entries are read as vCards.

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'
import { cardLine, cardOfLines, escapedText } from './vcard-text-lines.ts'

/** Whether the text starts with an entry, after comments and the version. */
export function holdsLdif(head: string): boolean {
  return /^\s*(?:(?:version: *\d+|#.*)(?:\r?\n)+)*dn::? *\S/i.test(head)
}

/** The entries as vCard text. */
export async function* ldifText(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [] // an entry may be longer than a block
  let held = '' // a \r, which can be the start of \r\n
  for await (const block of blocks) {
    const whole = held + block
    held = whole.endsWith('\r') ? '\r' : ''
    const text = whole.slice(0, whole.length - held.length).replace(/\r\n?/g, '\n')
    // The blank line that ends an entry may have begun in the block before.
    const hasEnd = ((rest.at(-1) ?? '').slice(-1) + text).includes('\n\n')
    if (text !== '') rest.push(text)
    if (!hasEnd) continue
    const entries = rest.join('').split(/\n{2,}/)
    rest = [entries.pop() ?? '']
    const cards = entries.map(cardOf)
    if (cards.length > 0) yield cards.join('')
  }
  yield cardOf(rest.join(''))
}

/** The values of an entry by attribute, lower-case and without options such as `;lang-de`. */
type Entry = ReadonlyMap<string, { readonly name: string; readonly values: readonly string[] }>

function entryOf(text: string): Entry {
  const entry = new Map<string, { name: string; values: string[] }>()
  // Blank lines before an entry are not lines that the first one continues.
  const unfolded = text.replace(/^\n+/, '').replaceAll('\n ', '')
  for (const line of unfolded.split('\n')) {
    const [, name = '', isEncoded, written = ''] =
      /^([a-z][\w.-]*)(?:;[\w;-]*)?:(:?)(.*)$/is.exec(line) ?? []
    const value = written.replace(/^ +/, '')
    if (name === '' || value === '') continue
    const key = name.toLowerCase()
    const decoded =
      isEncoded === ':' && key !== 'jpegphoto' ? Buffer.from(value, 'base64').toString() : value
    const attribute = entry.get(key)
    if (attribute) attribute.values.push(decoded)
    else entry.set(key, { name, values: [decoded] })
  }
  return entry
}

interface Mapping {
  readonly property: string
  readonly type: string
  /** Whether it is one value, of one or more parts. */
  readonly isStructured: boolean
  /** The attributes with the value, or of each part. */
  readonly attributes: readonly (readonly string[])[]
}

const mappings = lazy(() =>
  readDataLines(new URL('data/ldif.txt', import.meta.url)).map((line): Mapping => {
    const [target = '', names = ''] = line.split(' = ')
    const [property = '', type = ''] = target.split(':')
    const isStructured = property.endsWith(';')
    const parts = isStructured ? names.split(';') : names.split('|')
    const attributes = parts.map((part) => part.trim().split(' '))
    return { property: property.replace(';', ''), type, isStructured, attributes }
  }),
)

function cardOf(text: string): string {
  const entry = entryOf(text)
  if (!entry.has('dn')) return ''
  const all = (name: string) => entry.get(name)?.values ?? []
  const first = (names: readonly string[]) => names.flatMap(all).find((value) => value !== '') ?? ''
  const day = dayOf(first(['birthyear']), first(['birthmonth']), first(['birthday']))
  const isGroup = all('objectclass').some((name) => /^groupof/i.test(name))
  const lines = [
    'VERSION:4.0',
    `UID:${escapedText(first(['dn']))}`,
    ...(isGroup ? ['KIND:group'] : []),
    ...mappings().flatMap(({ property, type, isStructured, attributes }) => {
      if (property === 'ignored') return []
      const line = (value: string) =>
        cardLine(property, type === '' ? [] : [['TYPE', [type]]], value)
      if (!isStructured)
        return attributes
          .flat()
          .flatMap(all)
          .map((value) => line(escapedText(value)))
      const parts = attributes.map(first)
      return parts.every((part) => part === '') ? [] : [line(parts.map(escapedText).join(';'))]
    }),
    ...(day === '' ? [] : [`BDAY:${day}`]),
    ...all('jpegphoto').map((value) => `PHOTO;ENCODING=b;TYPE=JPEG:${value}`),
  ]
  const others = [...entry].flatMap(([key, { name, values }]) =>
    usedAttributes().has(key) ? [] : values.map((value) => `${name}:${escapedText(value)}`),
  )
  return cardOfLines([...lines, ...others])
}

const usedAttributes = lazy(
  () =>
    new Set([
      ...mappings().flatMap(({ attributes }) => attributes.flat()),
      'objectclass',
      'birthyear',
      'birthmonth',
      'birthday',
      'jpegphoto',
    ]),
)

function dayOf(year: string, month: string, day: string): string {
  if (day === '' || month === '') return year
  return `${year === '' ? '-' : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
