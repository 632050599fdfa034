// LDIF (RFC 2849), which Thunderbird, SeaMonkey and directories export. Entries are read as vCards.

import { cardLine, cardOfLines, escapedText } from './vcard-text-lines.ts'

/** Whether the text starts with an entry, after comments and the version. */
export function holdsLdif(head: string): boolean {
  return /^\s*(?:(?:version: *\d+|#.*)(?:\r?\n)+)*dn::? *\S/i.test(head)
}

/** The entries as vCard text. */
export async function* ldifText(blocks: AsyncIterable<string>): AsyncGenerator<string> {
  let rest: string[] = [] // an entry may be longer than a block
  for await (const block of blocks) {
    // The blank line that ends an entry may have begun in the block before.
    const hasEnd = BLANK_LINE.test((rest.at(-1) ?? '').slice(-LINE_BREAK_LENGTH) + block)
    rest.push(block)
    if (!hasEnd) continue
    const entries = rest.join('').split(BLANK_LINES)
    rest = [entries.pop() ?? '']
    const cards = entries.map(cardOf)
    if (cards.length > 0) yield cards.join('')
  }
  yield cardOf(rest.join(''))
}

const LINE_BREAK_LENGTH = 2
const BLANK_LINE = /(?:\r?\n|\r(?!\n)){2}/
const BLANK_LINES = /(?:\r?\n|\r(?!\n)){2,}/

/** The values of an entry by attribute, lower-case and without options such as `;lang-de`. */
type Entry = ReadonlyMap<string, readonly string[]>

function entryOf(text: string): {
  readonly entry: Entry
  readonly names: ReadonlyMap<string, string>
} {
  const entry = new Map<string, string[]>()
  const names = new Map<string, string>()
  const unfolded = text.replace(/(?:\r\n|\r|\n) /g, '')
  for (const line of unfolded.split(/[\r\n]+/)) {
    const [, name = '', isEncoded, written = ''] =
      /^([a-z][\w.-]*)(?:;[\w;-]*)?:(:?)(.*)$/is.exec(line) ?? []
    const value = written.replace(/^ +/, '')
    if (name === '' || value === '') continue
    const key = name.toLowerCase()
    const decoded =
      isEncoded === ':' && key !== 'jpegphoto' ? Buffer.from(value, 'base64').toString() : value
    names.set(key, name)
    const values = entry.get(key)
    if (values) values.push(decoded)
    else entry.set(key, [decoded])
  }
  return { entry, names }
}

function cardOf(text: string): string {
  const { entry, names } = entryOf(text)
  if (!entry.has('dn')) return ''
  const used = new Set(['dn', ...IGNORED])
  const all = (attribute: string) => {
    used.add(attribute)
    return entry.get(attribute) ?? []
  }
  const first = (...attributes: readonly string[]) =>
    attributes.map((attribute) => all(attribute)[0] ?? '').find((value) => value !== '') ?? ''
  const lines = [
    'VERSION:4.0',
    textLine('UID', first('dn')),
    ...(isGroup(all('objectclass')) ? ['KIND:group'] : []),
    textLine('FN', first('cn', 'displayname')),
    partsLine('N', [
      first('sn', 'surname'),
      first('givenname', 'gn'),
      '',
      first('personaltitle'),
      first('generationqualifier'),
    ]),
    ...TEXTS.flatMap(([attribute, property]) =>
      all(attribute).map((value) => textLine(property, value)),
    ),
    ...LABELED.flatMap(([attribute, property, type]) =>
      all(attribute).map((value) => cardLine(property, [['TYPE', [type]]], escapedText(value))),
    ),
    partsLine('ORG', [
      first('o', 'organizationname', 'company'),
      first('ou', 'orgunit', 'department'),
    ]),
    addressLine(
      'home',
      ADDRESS_PARTS.map((part) => first(`mozillahome${part}`)),
      first('mozillahomestreet2'),
    ),
    addressLine(
      'work',
      [
        first('street', 'streetaddress', 'mozillaworkstreet'),
        first('l', 'locality'),
        first('st', 'region'),
        first('postalcode', 'zip'),
        first('c', 'co', 'countryname'),
      ],
      first('mozillaworkstreet2'),
    ),
    textLine('BDAY', dayOf(first('birthyear'), first('birthmonth'), first('birthday'))),
    ...all('jpegphoto').map((value) => `PHOTO;ENCODING=b;TYPE=JPEG:${value}`),
    ...['member', 'uniquemember'].flatMap((attribute) =>
      all(attribute).map((value) => textLine('MEMBER', value)),
    ),
  ]
  const others = [...entry].flatMap(([key, values]) =>
    used.has(key) ? [] : values.map((value) => textLine(names.get(key) ?? key, value)),
  )
  return cardOfLines([...lines, ...others].filter((line) => line !== ''))
}

function isGroup(classes: readonly string[]): boolean {
  return classes.some((name) => /^groupof/i.test(name))
}

/** Nothing about the person. */
const IGNORED = [
  'version',
  'userpassword',
  'modifytimestamp',
  'createtimestamp',
  'changetype',
  'control',
]

const TEXTS: readonly (readonly [attribute: string, property: string])[] = [
  ['mail', 'EMAIL'],
  ['mozillasecondemail', 'EMAIL'],
  ['title', 'TITLE'],
  ['mozillanickname', 'NICKNAME'],
  ['xmozillanickname', 'NICKNAME'],
  ['description', 'NOTE'],
  ['labeleduri', 'URL'],
  ['nsaimid', 'X-AIM'],
  ['nscpaimscreenname', 'X-AIM'],
]

const LABELED: readonly (readonly [attribute: string, property: string, type: string])[] = [
  ['mobile', 'TEL', 'cell'],
  ['cellphone', 'TEL', 'cell'],
  ['telephonenumber', 'TEL', 'work'],
  ['homephone', 'TEL', 'home'],
  ['facsimiletelephonenumber', 'TEL', 'fax'],
  ['fax', 'TEL', 'fax'],
  ['pager', 'TEL', 'pager'],
  ['pagerphone', 'TEL', 'pager'],
  ['mozillaworkurl', 'URL', 'work'],
  ['workurl', 'URL', 'work'],
  ['mozillahomeurl', 'URL', 'home'],
  ['homeurl', 'URL', 'home'],
]

/** Thunderbird's names after `mozillaHome`. */
const ADDRESS_PARTS = ['street', 'localityname', 'state', 'postalcode', 'countryname']

function textLine(property: string, value: string): string {
  return value === '' ? '' : `${property}:${escapedText(value)}`
}

function partsLine(property: string, parts: readonly string[]): string {
  return parts.every((part) => part === '') ? '' : `${property}:${parts.map(escapedText).join(';')}`
}

/** `street` to `country`. Only Thunderbird's own attributes say that an address is that of the home. */
function addressLine(label: string, parts: readonly string[], extended: string): string {
  const line = partsLine('ADR', ['', extended, ...parts])
  return label === 'home' ? line.replace(/^ADR/, 'ADR;TYPE=home') : line
}

function dayOf(year: string, month: string, day: string): string {
  if (day === '' || month === '') return year
  return `${year === '' ? '-' : year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
}
