/** How a file is to be read, as an import's input says: format, text encoding and the meaning of columns. */

import { RequestError } from '../../base/request-error.ts'
import { COLUMN_FIELDS, parseTarget, type ColumnTarget } from './formats/column-fields.ts'
import { ENCODINGS, encodingNamed } from './formats/encodings.ts'
import type { ReadOptions } from './formats/read-contacts.ts'
import type { ImportFormat } from '../model/contact.ts'

export const IMPORT_FORMATS = ['auto', 'linkedin', 'google', 'outlook', 'vcard', 'table'] as const

export interface FileReading {
  readonly format?: ImportFormat | 'auto'
  readonly encoding?: string
  /** Column name to field, as `parseTarget` reads it. */
  readonly columns?: Readonly<Record<string, string>>
}

/** @throws {RequestError} `invalid_request` for an unknown encoding or field */
export function readOptions({ format, encoding, columns }: FileReading): ReadOptions {
  const mapping = columns === undefined ? undefined : columnMapping(columns)
  return {
    ...(format !== undefined && { hint: format }),
    ...(encoding !== undefined && { encoding: requireEncoding(encoding) }),
    ...(mapping !== undefined && { mappingOf: () => mapping }),
  }
}

function requireEncoding(name: string) {
  if (name === '' || name === 'auto') return 'auto'
  const encoding = encodingNamed(name)
  if (encoding !== null) return encoding
  const detail = `must be one of ${ENCODINGS.join(', ')}`
  throw new RequestError('invalid_request', `encoding: ${detail}.`, {
    errors: [{ pointer: '/encoding', detail }],
  })
}

function columnMapping(
  columns: Readonly<Record<string, string>>,
): ReadonlyMap<string, ColumnTarget> {
  const mapping = new Map<string, ColumnTarget>()
  for (const [name, text] of Object.entries(columns)) {
    const target = parseTarget(text)
    if (target === null) throw unknownField(name, text)
    mapping.set(name.trim(), target)
  }
  return mapping
}

function unknownField(column: string, text: string): RequestError {
  const detail = `must be one of ${COLUMN_FIELDS.join(', ')}; a label can follow, such as phone:work`
  return new RequestError('invalid_request', `columns: "${text}" is not a field. It ${detail}.`, {
    errors: [{ pointer: `/columns/${column.replaceAll('~', '~0').replaceAll('/', '~1')}`, detail }],
  })
}
