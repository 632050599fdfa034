// Extracts Connections.csv from a LinkedIn export zip (PKWARE APPNOTE 6.3.10; store and deflate).

import { crc32, createInflateRaw } from 'node:zlib'
import { UnreadableFile } from './unreadable-file.ts'

export function looksLikeZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6))
}

/** The bytes of Connections.csv, as a stream. */
export async function connectionsInZip(
  bytes: AsyncIterable<Uint8Array>,
): Promise<AsyncIterable<Uint8Array>> {
  const zip = await whole(bytes)
  const entries = [...entriesOf(zip)]
  if (entries.some(({ name }) => OFFICE_FILE.test(name))) throw spreadsheet()
  const found = entries
    .filter(({ name }) => CONNECTIONS.test(name) && !name.startsWith('__MACOSX/'))
    .toSorted((a, b) => a.name.length - b.name.length)[0]
  if (found === undefined) throw noConnections(entries.length)
  return contentOf(zip, found)
}

const MAX_SIZE_BYTES = 200 * 1024 * 1024 // of the zip and of the extracted entry; stops zip bombs
const MAX_ENTRIES = 20_000 // files: LinkedIn's zip has about fifty

const CONNECTIONS = /(?:^|[/\\])connections\.csv$/i
const OFFICE_FILE = /^(?:\[Content_Types\]\.xml|mimetype|META-INF\/manifest\.xml|Index\/.*\.iwa)$/

const END_OF_DIRECTORY = 0x06054b50
const DIRECTORY_ENTRY = 0x02014b50
const LOCAL_ENTRY = 0x04034b50
const END_LENGTH = 22 // bytes, without the comment
const MAX_COMMENT_LENGTH = 0xffff // bytes
const ENTRY_LENGTH = 46 // bytes, without the name
const LOCAL_LENGTH = 30
const ENCRYPTED = 1 // general purpose bit 0
const STORED = 0
const DEFLATED = 8

interface ZipEntry {
  readonly name: string
  readonly encrypted: boolean
  readonly method: number
  readonly crc: number
  readonly packedSize: number
  readonly size: number
  readonly offset: number
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_SIZE_BYTES) throw tooLarge()
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function* entriesOf(zip: Buffer): Generator<ZipEntry> {
  const end = endOfDirectory(zip)
  const count = Math.min(zip.readUInt16LE(end + 10), MAX_ENTRIES)
  let at = zip.readUInt32LE(end + 16)
  for (let index = 0; index < count; index++) {
    if (at + ENTRY_LENGTH > zip.length || zip.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged()
    const nameLength = zip.readUInt16LE(at + 28)
    yield {
      name: zip.toString('utf8', at + ENTRY_LENGTH, at + ENTRY_LENGTH + nameLength),
      encrypted: (zip.readUInt16LE(at + 8) & ENCRYPTED) !== 0,
      method: zip.readUInt16LE(at + 10),
      crc: zip.readUInt32LE(at + 16),
      packedSize: zip.readUInt32LE(at + 20),
      size: zip.readUInt32LE(at + 24),
      offset: zip.readUInt32LE(at + 42),
    }
    at += ENTRY_LENGTH + nameLength + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32)
  }
}

function endOfDirectory(zip: Buffer): number {
  const earliest = Math.max(0, zip.length - END_LENGTH - MAX_COMMENT_LENGTH)
  for (let at = zip.length - END_LENGTH; at >= earliest; at--) {
    if (zip.readUInt32LE(at) === END_OF_DIRECTORY) return at
  }
  throw damaged()
}

function contentOf(zip: Buffer, entry: ZipEntry): AsyncIterable<Uint8Array> {
  if (entry.encrypted) throw encrypted()
  if (entry.size > MAX_SIZE_BYTES) throw tooLarge()
  if (entry.method !== STORED && entry.method !== DEFLATED) throw damaged()
  const { offset } = entry
  if (offset + LOCAL_LENGTH > zip.length || zip.readUInt32LE(offset) !== LOCAL_ENTRY) {
    throw damaged()
  }
  const names = zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  const start = offset + LOCAL_LENGTH + names
  if (start + entry.packedSize > zip.length) throw damaged()
  const packed = zip.subarray(start, start + entry.packedSize)
  return checked(entry.method === STORED ? stored(packed) : inflated(packed), entry.crc)
}

async function* stored(bytes: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  yield bytes
}

async function* inflated(packed: Uint8Array): AsyncGenerator<Uint8Array, void, undefined> {
  const inflate = createInflateRaw()
  inflate.end(packed)
  try {
    for await (const chunk of inflate) yield chunk
  } catch (cause) {
    throw isZlibError(cause) ? damaged() : cause
  }
}

function isZlibError(cause: unknown): boolean {
  return cause instanceof Error && 'code' in cause && String(cause.code).startsWith('Z_')
}

/** Counts the actual bytes, because the sizes declared in a zip may be wrong. */
async function* checked(
  bytes: AsyncIterable<Uint8Array>,
  crc: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0
  let sum = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_SIZE_BYTES) throw tooLarge()
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== crc) throw damaged()
}

function damaged(): UnreadableFile {
  return new UnreadableFile(
    'damaged_zip',
    'This zip file is damaged or incomplete.',
    'Download it again, or extract it and import the Connections.csv file inside.',
  )
}

function encrypted(): UnreadableFile {
  return new UnreadableFile(
    'encrypted_zip',
    'The Connections.csv file in this zip is password-protected.',
    'Extract the zip and import the Connections.csv file inside.',
  )
}

function tooLarge(): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    'This zip file contains more than 200 MB.',
    'Extract the zip and import only the Connections.csv file inside.',
  )
}

function spreadsheet(): UnreadableFile {
  return new UnreadableFile(
    'spreadsheet_file',
    'This is an Office document, not a plain-text list of contacts.',
    'Open it, save it as CSV (comma-separated), then import that file.',
  )
}

function noConnections(count: number): UnreadableFile {
  return new UnreadableFile(
    'no_connections_in_zip',
    `This zip has ${count} files, but no Connections.csv.`,
    'LinkedIn sends a first zip within minutes and the full one within a day. Request "Connections" and import the zip that contains it, or import a CSV or vCard file.',
  )
}
