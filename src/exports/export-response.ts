/** The download response: an attachment with a known length. */

import { readExport, type StoredExport } from './export-store.ts'
import type { MemberReader } from '../db/database.ts'
import type { Answer } from '../http/response.ts'

export const ZIP_TYPE = 'application/zip'

export function exportAnswer(reader: MemberReader, stored: StoredExport): Answer {
  return {
    status: 200,
    headers: {
      'content-type': ZIP_TYPE,
      'content-length': String(stored.bytes),
      'content-disposition': `attachment; filename="${stored.filename}"`,
      'cache-control': 'no-store',
    },
    body: undefined,
    stream: readExport(reader, stored),
  }
}
