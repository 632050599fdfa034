// The text encodings that a contact file can have, and decoders for them.

/** Names of encodings that members and agents can use, as in the WHATWG Encoding Standard, and UTF-32. */
export const ENCODINGS = [
  'utf-8',
  'utf-16le',
  'utf-16be',
  'utf-32le',
  'utf-32be',
  'windows-1250',
  'windows-1251',
  'windows-1252',
  'windows-1253',
  'windows-1254',
  'windows-1255',
  'windows-1256',
  'windows-1257',
  'windows-1258',
  'windows-874',
  'iso-8859-2',
  'iso-8859-5',
  'iso-8859-7',
  'iso-8859-15',
  'macintosh',
  'x-mac-cyrillic',
  'koi8-r',
  'koi8-u',
  'ibm866',
  'shift_jis',
  'euc-jp',
  'iso-2022-jp',
  'gb18030',
  'big5',
  'euc-kr',
] as const

export type Encoding = (typeof ENCODINGS)[number]

/** Also accepts other names, such as `cp1250`, `Mac Roman`, `GBK` or `latin1`; null for an unknown one. */
export function encodingNamed(name: string): Encoding | null {
  const plain = name.trim().toLowerCase().replace(/[ _]/g, '-')
  const label = OTHER_NAMES.get(plain) ?? plain.replace(/^cp-?(?=12[5]\d$|874$)/, 'windows-')
  if (/^utf-?32(?:le|be)?$/.test(label)) return label.endsWith('be') ? 'utf-32be' : 'utf-32le'
  const known = whatwgName(label) ?? whatwgName(label.replaceAll('-', '_'))
  if (known === 'gbk') return 'gb18030' // a superset
  return ENCODINGS.find((encoding) => encoding === known) ?? null
}

const OTHER_NAMES: ReadonlyMap<string, string> = new Map([
  ['mac-roman', 'macintosh'],
  ['macroman', 'macintosh'],
  ['x-mac-roman', 'macintosh'],
  ['sjis', 'shift_jis'],
  ['cp932', 'shift_jis'],
  ['cp936', 'gbk'],
  ['cp949', 'euc-kr'],
  ['cp950', 'big5'],
  ['cp866', 'ibm866'],
  ['maccyrillic', 'x-mac-cyrillic'],
  ['utf16', 'utf-16le'],
  ['utf16le', 'utf-16le'],
  ['utf16be', 'utf-16be'],
])

function whatwgName(label: string): string | undefined {
  try {
    return new TextDecoder(label).encoding
  } catch {
    return undefined // a RangeError: not a label of the standard
  }
}

interface StreamDecoder {
  /** `last` ends the text. */
  decode(bytes: Uint8Array, last: boolean): string
}

/** Bytes that the encoding does not have become U+FFFD. A byte order mark is dropped. */
export function streamDecoder(encoding: Encoding): StreamDecoder {
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return utf32Decoder(encoding)
  const decoder = new TextDecoder(encoding)
  return { decode: (bytes, last) => decoder.decode(bytes, { stream: !last }) }
}

const UTF_32_UNIT = 4 // bytes
const MAX_CODE_POINT = 0x10ffff

function utf32Decoder(encoding: 'utf-32le' | 'utf-32be'): StreamDecoder {
  let held = Buffer.alloc(0)
  let first = true
  const read = (bytes: Buffer, at: number) =>
    encoding === 'utf-32le' ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at)
  return {
    decode(more, last) {
      const bytes = Buffer.concat([held, more])
      const whole = bytes.length - (bytes.length % UTF_32_UNIT)
      held = bytes.subarray(whole)
      let text = ''
      for (let at = 0; at < whole; at += UTF_32_UNIT) {
        const code = read(bytes, at)
        const isValid = code <= MAX_CODE_POINT && (code < 0xd800 || code > 0xdfff)
        if (!(first && code === 0xfeff)) text += isValid ? String.fromCodePoint(code) : '\ufffd'
        first = false
      }
      return last && held.length > 0 ? `${text}\ufffd` : text
    },
  }
}

/** UTF-16, UTF-32 or ISO-2022-JP, by byte order mark, zero bytes or escape sequences; null for any other. */
export function markedEncoding(head: Uint8Array): Encoding | null {
  const mark = Buffer.from(head.subarray(0, UTF_32_UNIT)).toString('hex')
  if (mark === 'fffe0000') return 'utf-32le'
  if (mark === '0000feff') return 'utf-32be'
  if (mark.startsWith('fffe')) return 'utf-16le'
  if (mark.startsWith('feff')) return 'utf-16be'
  return encodingWithZeros(head) ?? (hasJapaneseEscapes(head) ? 'iso-2022-jp' : null)
}

/**
 * Separators and line breaks have zero bytes in UTF-16 and UTF-32. Text in one of these has zeros at certain positions
 * and nowhere else.
 */
function encodingWithZeros(head: Uint8Array): Encoding | null {
  const sample = head.subarray(0, 4000)
  if (sample.length < MIN_SAMPLE_BYTES) return null
  const zeros = [0, 0, 0, 0] as [number, number, number, number]
  for (const [index, byte] of sample.entries()) {
    if (byte === 0) zeros[(index % UTF_32_UNIT) as 0 | 1 | 2 | 3]++
  }
  const [first, second, third, fourth] = zeros
  const units = Math.floor(sample.length / UTF_32_UNIT)
  if (third >= units && fourth >= units && first < units * RARE) return 'utf-32le'
  if (first >= units && second >= units && fourth < units * RARE) return 'utf-32be'
  const [even, odd] = [first + third, second + fourth]
  const enough = Math.max(2, units / 50)
  if (odd >= enough && even < odd * RARE && isText(sample, 'utf-16le')) return 'utf-16le'
  return even >= enough && odd < even * RARE && isText(sample, 'utf-16be') ? 'utf-16be' : null
}

const MIN_SAMPLE_BYTES = 8
const RARE = 0.2 // characters such as 一 (U+4E00) have a zero byte in the other place

/** Whether the sample has no unassigned characters or lone surrogates, and few controls. */
function isText(sample: Uint8Array, encoding: string): boolean {
  const whole = sample.subarray(0, sample.length - (sample.length % 2))
  const text = new TextDecoder(encoding).decode(whole).slice(0, -1) // may end inside a pair
  return !/[\ufffd\p{Cn}\p{Co}]|(?![\t\n\r])\p{Cc}/u.test(text)
}

function hasJapaneseEscapes(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4000)).includes('\u001b$B')
}
