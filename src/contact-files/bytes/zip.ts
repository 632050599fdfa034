// Reads zip files (PKWARE APPNOTE 6.3.10; store and deflate) with limits against zip bombs.

import { crc32, createInflateRaw } from 'node:zlib'
import { UnreadableFile } from './unreadable-file.ts'

/** True if the first bytes of a file are those of a zip with entries, or of an empty one. */
export function looksLikeZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6))
}

/** A file in a zip. */
export interface ZipEntry {
  readonly name: string
  readonly size: number
  /**
   * Its bytes, as a stream.
   *
   * @throws {UnreadableFile} `damaged_zip` when the zip turns out to be damaged, also while reading.
   */
  open(): AsyncIterable<Uint8Array>
}

/** The files of a zip, which is held in memory. */
export async function filesInZip(bytes: AsyncIterable<Uint8Array>): Promise<readonly ZipEntry[]> {
  const zip = await whole(bytes)
  const budget: Budget = { left: MAX_TOTAL_BYTES }
  return Array.from(entriesOf(zip))
    .filter(({ name }) => !name.startsWith('__MACOSX/') && !name.endsWith('/'))
    .map((entry) => ({
      name: entry.name,
      size: entry.size,
      open: () => contentOf(zip, entry, budget),
    }))
}

const MEGABYTE = 1024 * 1024
const MAX_SIZE_BYTES = 200 * MEGABYTE // of the zip and of each extracted entry; stops zip bombs
/** Of all entries, each time that they are extracted: thousands of entries can share the same compressed bytes. */
const MAX_TOTAL_BYTES = 500 * MEGABYTE
const MAX_ENTRIES = 20_000 // files and folders: LinkedIn's zip has about fifty

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

/** The bytes that may still be extracted. */
interface Budget {
  left: number
}

interface DirectoryEntry {
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
    if (size > MAX_SIZE_BYTES) throw tooLarge(MAX_SIZE_BYTES)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

function* entriesOf(zip: Buffer): Generator<DirectoryEntry> {
  const end = endOfDirectory(zip)
  const count = zip.readUInt16LE(end + 10)
  if (count > MAX_ENTRIES) throw tooManyFiles()
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

function contentOf(zip: Buffer, entry: DirectoryEntry, budget: Budget): AsyncIterable<Uint8Array> {
  if (entry.encrypted) throw encrypted()
  if (entry.size > MAX_SIZE_BYTES) throw tooLarge(MAX_SIZE_BYTES)
  if (entry.method !== STORED && entry.method !== DEFLATED) throw damaged()
  const { offset } = entry
  if (offset + LOCAL_LENGTH > zip.length || zip.readUInt32LE(offset) !== LOCAL_ENTRY) {
    throw damaged()
  }
  const names = zip.readUInt16LE(offset + 26) + zip.readUInt16LE(offset + 28)
  const start = offset + LOCAL_LENGTH + names
  if (start + entry.packedSize > zip.length) throw damaged()
  const packed = zip.subarray(start, start + entry.packedSize)
  const content = entry.method === STORED ? stored(packed) : inflated(packed)
  return checked(content, entry.crc, budget)
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
  budget: Budget,
): AsyncGenerator<Uint8Array, void, undefined> {
  let size = 0
  let sum = 0
  for await (const chunk of bytes) {
    size += chunk.length
    budget.left -= chunk.length
    if (size > MAX_SIZE_BYTES) throw tooLarge(MAX_SIZE_BYTES)
    if (budget.left < 0) throw tooLarge(MAX_TOTAL_BYTES)
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (sum !== crc) throw damaged()
}

function damaged(): UnreadableFile {
  return new UnreadableFile(
    'damaged_zip',
    'This zip file is damaged or incomplete.',
    'Download it again, or extract it and import the contact files inside.',
  )
}

function encrypted(): UnreadableFile {
  return new UnreadableFile(
    'encrypted_zip',
    'The contact file in this zip is password-protected.',
    'Extract the zip and import the contact file inside.',
  )
}

function tooLarge(limit: number): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    `This zip file contains more than ${limit / MEGABYTE} MB.`,
    'Extract the zip and import only the contact file inside.',
  )
}

function tooManyFiles(): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    `This zip file contains more than ${MAX_ENTRIES.toLocaleString('en')} files.`,
    'Extract the zip, then import the contact files inside, or zip fewer files at a time.',
  )
}
