/** The options of an import for reading a file: format, text encoding and column mapping. */

import { isDeepStrictEqual } from 'node:util'
import { RequestError } from '../../base/request-error.ts'
import {
  COLUMN_FIELDS,
  parseTarget,
  type ColumnTarget,
} from '../../contact-files/fields/column-fields.ts'
import { ENCODINGS, encodingNamed } from '../../contact-files/bytes/encodings.ts'
import type { ReadOptions } from '../../contact-files/read-contacts.ts'
import type { ColumnTexts, MappingLookup } from './column-mappings.ts'
import type { ImportFormat } from '../../contact-files/contact/contact.ts'

export const IMPORT_FORMATS = ['auto', 'linkedin', 'google', 'outlook', 'vcard', 'table'] as const

export interface FileReading {
  readonly format?: ImportFormat | 'auto'
  readonly encoding?: string
  /** Column name to field, as `parseTarget` reads it. */
  readonly columns?: ColumnTexts
  /** See `HeaderOptions`. */
  readonly allowUnknown?: boolean
}

/** The options in the input of an import; columns are strings such as `Role=title`. */
interface ReadingInput extends Omit<FileReading, 'columns'> {
  readonly columns?: readonly string[]
}

/** @throws {RequestError} `invalid_request` when a column has no `=`. */
export function fileReading({ format, encoding, columns }: ReadingInput): FileReading {
  return {
    ...(format !== undefined && { format }),
    ...(encoding !== undefined && { encoding }),
    ...(columns !== undefined && { columns: Object.fromEntries(columns.map(columnPair)) }),
  }
}

function columnPair(text: string, index: number): readonly [name: string, field: string] {
  const at = text.lastIndexOf('=')
  if (at > 0) return [text.slice(0, at), text.slice(at + 1)]
  const detail = 'must be Header=field, such as Role=title'
  throw new RequestError('invalid_request', `columns: "${text}" ${detail}.`, {
    errors: [{ pointer: `/columns/${index}`, detail }],
  })
}

/**
 * Whether both read a file in the same way, apart from columns that are remembered.
 *
 * @throws {RequestError} `invalid_request` when the encoding or a field is unknown.
 */
export function isSameReading(one: FileReading, other: FileReading): boolean {
  return isDeepStrictEqual(withDefaults(one), withDefaults(other))
}

function withDefaults({ format = 'auto', encoding = 'auto', columns = {} }: FileReading): object {
  return { format, encoding: requireEncoding(encoding), columns: columnMapping(columns) }
}

/**
 * The given columns are added to those remembered for the header.
 *
 * @throws {RequestError} `invalid_request` when the encoding or a field is unknown.
 */
export function readOptions(
  { format, encoding, columns, allowUnknown }: FileReading,
  remembered: MappingLookup = () => undefined,
): ReadOptions {
  const given = columns === undefined ? undefined : columnMapping(columns)
  return {
    ...(format !== undefined && { hint: format }),
    ...(encoding !== undefined && { encoding: requireEncoding(encoding) }),
    ...(allowUnknown !== undefined && { allowUnknown }),
    mappingOf(names) {
      const before = remembered(names)
      if (before === undefined) return given
      return new Map([...columnMapping(before), ...(given ?? [])])
    },
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
    if (target === null) throw unknownField(text)
    mapping.set(name.trim(), target)
  }
  return mapping
}

function unknownField(text: string): RequestError {
  const detail = `must be one of ${COLUMN_FIELDS.join(', ')}; a label can follow, such as phone:work`
  return new RequestError('invalid_request', `columns: "${text}" is not a field. It ${detail}.`, {
    errors: [{ pointer: '/columns', detail }],
  })
}
