// Reads zip files with limits against zip bombs.

import { MEGABYTE } from '../../base/format-bytes.ts'
import { phrase } from '../../languages/message.ts'
import type { FileEntry } from '@zip.js/zip.js/index-native.js'
import { UnreadableFile } from './unreadable-file.ts'

/** True if the first bytes of a file are those of a zip with entries, or of an empty one. */
export function looksLikeZip(head: Uint8Array): boolean {
  const [p, k, a, b] = head
  return p === 0x50 && k === 0x4b && ((a === 3 && b === 4) || (a === 5 && b === 6))
}

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
  // Imported on first use, because few processes need it.
  const { Uint8ArrayReader, ZipReader } = await import('@zip.js/zip.js/index-native.js')
  const zip = new ZipReader(new Uint8ArrayReader(await whole(bytes)), {
    strictness: 'tolerant',
    checkCrc32: true,
    useWebWorkers: false,
  })
  const budget: Budget = { left: MAX_TOTAL_BYTES }
  const files: ZipEntry[] = []
  let count = 0
  try {
    for await (const entry of zip.getEntriesGenerator()) {
      if (++count > MAX_ENTRIES) throw tooManyFiles()
      const { filename: name, uncompressedSize: size } = entry
      if (!entry.directory && !name.startsWith('__MACOSX/'))
        files.push({ name, size, open: () => contentOf(entry, budget) })
    }
  } catch (cause) {
    throw cause instanceof UnreadableFile ? cause : damaged()
  }
  return files
}

const MAX_SIZE_BYTES = 200 * MEGABYTE // of the zip and of each extracted entry; stops zip bombs
/** Total size of all entries, counted each time that one is extracted: thousands of entries can share the same compressed bytes. */
const MAX_TOTAL_BYTES = 500 * MEGABYTE
const MAX_ENTRIES = 20_000 // files and folders: LinkedIn's zip has about fifty

const BLOCK_BYTES = 64 * 1024

/** The bytes that may still be extracted. */
interface Budget {
  left: number
}

async function whole(bytes: AsyncIterable<Uint8Array>): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of bytes) {
    size += chunk.length
    if (size > MAX_SIZE_BYTES) throw tooLarge(MAX_SIZE_BYTES)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, size)
}

/** Counts the actual bytes, because the sizes declared in a zip may be wrong. */
async function* contentOf(
  entry: FileEntry,
  budget: Budget,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (entry.encrypted) throw encrypted()
  if (entry.uncompressedSize > MAX_SIZE_BYTES) throw tooLarge(MAX_SIZE_BYTES)
  let fail: (error: unknown) => void = () => {}
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => void (fail = (error) => controller.error(error)),
  })
  // Without this, the reader of an entry that cannot be opened would wait forever.
  const extracted = entry.getData(writable).catch(() => fail(damaged()))
  let size = 0
  try {
    for await (const chunk of readable) {
      size += chunk.length
      budget.left -= chunk.length
      if (size > MAX_SIZE_BYTES) throw tooLarge(MAX_SIZE_BYTES)
      if (budget.left < 0) throw tooLarge(MAX_TOTAL_BYTES)
      // Readers report their progress after each block.
      for (let at = 0; at < chunk.length; at += BLOCK_BYTES)
        yield chunk.subarray(at, at + BLOCK_BYTES)
    }
  } catch (cause) {
    throw cause instanceof UnreadableFile ? cause : damaged()
  } finally {
    await extracted
  }
}

function damaged(): UnreadableFile {
  return new UnreadableFile(
    'damaged_zip',
    phrase('This zip file is damaged or incomplete.'),
    phrase('Download it again, or extract it and import the contact files inside.'),
  )
}

function encrypted(): UnreadableFile {
  return new UnreadableFile(
    'encrypted_zip',
    phrase('The contact file in this zip is password-protected.'),
    phrase('Extract the zip and import the contact file inside.'),
  )
}

function tooLarge(limit: number): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    {
      source: phrase('This zip file contains more than {limit} MB.'),
      values: { limit: limit / MEGABYTE },
    },
    phrase('Extract the zip and import only the contact file inside.'),
  )
}

function tooManyFiles(): UnreadableFile {
  return new UnreadableFile(
    'zip_too_large',
    {
      source: phrase('This zip file contains more than {max} files.'),
      values: { max: MAX_ENTRIES.toLocaleString('en') },
    },
    phrase('Extract the zip, then import the contact files inside, or zip fewer files at a time.'),
  )
}
