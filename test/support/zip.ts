// Builds zip files for tests.

import { crc32, deflateRawSync } from 'node:zlib'

interface Entry {
  readonly name: string
  readonly content: string | Buffer
  readonly store?: boolean
  readonly flags?: number
  readonly declaredSize?: number
}

/** A zip in the format of PKWARE APPNOTE 6.3.10: local entries, directory, end of directory. */
export function zipOf(entries: readonly Entry[]): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content, store = false, flags = 0, declaredSize } of entries) {
    const bytes = Buffer.from(content)
    const packed = store ? bytes : deflateRawSync(bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(flags, 2)
    fields.writeUInt16LE(store ? 0 : 8, 4)
    fields.writeUInt32LE(crc32(bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(declaredSize ?? bytes.length, 18)
    fields.writeUInt16LE(Buffer.byteLength(name), 22)
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), fields, Buffer.from(name), packed])
    const rest = Buffer.alloc(14)
    rest.writeUInt32LE(offset, 10)
    const start = Buffer.from('PK\x01\x02\x14\x00')
    directory.push(Buffer.concat([start, fields, rest, Buffer.from(name)]))
    locals.push(local)
    offset += local.length
  }
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06')
  end.writeUInt16LE(entries.length, 10)
  end.writeUInt32LE(offset, 16)
  return Buffer.concat([...locals, ...directory, end])
}
