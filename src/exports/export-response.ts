/** The download responses: attachments that are streamed. */

import { exportFilename, exportMimeType, type ExportFormat } from './connection-export.ts'
import { readExport, type StoredExport } from './export-store.ts'
import type { MemberReader } from '../db/database.ts'
import type { Answer, ContentStream } from '../http/response.ts'

export const ZIP_TYPE = 'application/zip'

/** An archive, with its length. */
export function exportAnswer(reader: MemberReader, stored: StoredExport): Answer {
  const { filename, bytes } = stored
  const answer = attachment({ type: ZIP_TYPE, filename }, readExport(reader, stored))
  return { ...answer, headers: { ...answer.headers, 'content-length': String(bytes) } }
}

/** A contact file. */
export function contactFileAnswer(
  exported: { readonly format: ExportFormat },
  stream: ContentStream,
): Answer {
  const type = `${exportMimeType(exported)}; charset=utf-8`
  return attachment({ type, filename: exportFilename(exported) }, stream)
}

function attachment(
  { type, filename }: { readonly type: string; readonly filename: string },
  stream: ContentStream,
): Answer {
  return {
    status: 200,
    headers: {
      'content-type': type,
      'content-disposition': `attachment; filename="${filename}"`,
      'cache-control': 'no-store',
    },
    body: undefined,
    stream,
  }
}
