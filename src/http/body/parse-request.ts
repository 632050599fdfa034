/** Parses and validates query strings and bodies. Errors name every invalid field. */

import type { TObject } from 'typebox'
import { INVALID_TEXT, findInvalidText, checkSchema } from '../../base/schema.ts'
import { RequestError } from '../../base/request-error.ts'
import type { BytesBody, JsonBody } from './body-types.ts'

/** No legitimate document is nested deeper. The limit makes recursive traversal safe. */
export const MAX_JSON_DEPTH = 64

/** Validates known parameters and converts numbers; ignores unknown parameters. */
export function readQuery(schema: TObject | undefined, search: string): object {
  if (!schema) return {}
  if (search === '') return readParameters(schema, {})
  const given = new URLSearchParams(search)
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries<{ readonly type?: unknown }>(schema.properties)) {
    const text = given.get(name)
    if (text === null) continue
    rejectInvalidText(text, `/${name}`)
    values[name] = readScalar(property, text)
  }
  return readParameters(schema, values)
}

function readParameters(schema: TObject, values: Readonly<Record<string, unknown>>): object {
  const checked = checkSchema(schema, values)
  if (checked.ok) return checked.value
  const errors = checked.problems.map(({ pointer, detail }) => ({ pointer, detail }))
  const first = errors[0]
  throw new RequestError(
    'invalid_request',
    `The query parameter ${first?.pointer.slice(1) ?? ''} ${first?.detail ?? 'is invalid'}.`,
    {
      errors,
    },
  )
}

function readScalar({ type }: { readonly type?: unknown }, text: string): unknown {
  if (type === 'integer' || type === 'number')
    return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
  if (type === 'boolean') return text === 'true' ? true : text === 'false' ? false : text
  return text
}

/**
 * Parses a JSON body and validates it against its schema.
 *
 * @throws {RequestError} `unsupported_media_type` when the body is not `application/json`.
 * @throws {RequestError} `invalid_request` when the body is not JSON, or does not match the schema.
 */
export function readJson(
  body: JsonBody,
  bytes: Uint8Array,
  contentType: string | undefined,
): unknown {
  if (!isType(contentType, ['application/json']))
    throw unsupported(contentType, ['application/json'])
  const value = parseJson(bytes)
  const checked = checkSchema(body.schema, value)
  if (checked.ok) return checked.value
  throw new RequestError('invalid_request', firstProblem(checked.problems), {
    errors: checked.problems,
  })
}

/** `application/x-www-form-urlencoded` in UTF-8, without NUL or lone surrogates. Browsers send line breaks as CRLF. */
export function readForm(bytes: Uint8Array, contentType: string | undefined): URLSearchParams {
  if (!isType(contentType, [FORM_TYPE])) throw unsupported(contentType, [FORM_TYPE])
  const form = new URLSearchParams(decodeUtf8(bytes).replaceAll(/%0D%0A/gi, '%0A'))
  assertValidText(form)
  return form
}

export function assertValidText(form: URLSearchParams): void {
  // The field name comes from the client, so the error does not repeat it.
  for (const [name, value] of form) rejectInvalidText(name + value, '')
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

/** Returns the bytes if the body may have this content type. */
export function readBytes(
  body: BytesBody,
  bytes: Uint8Array,
  contentType: string | undefined,
): Uint8Array {
  if (!body.types.includes('*/*') && !isType(contentType, body.types))
    throw unsupported(contentType, body.types)
  return bytes
}

/** JSON in UTF-8 (RFC 8259 section 8.1), within the depth limit, without NUL or lone surrogates. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (text.trim() === '')
    throw new RequestError('invalid_request', 'The request body is empty. Send a JSON object.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not JSON'
    throw new RequestError('invalid_request', `The body is not valid JSON: ${reason}`)
  }
  if (isTooDeep(value))
    throw new RequestError(
      'invalid_request',
      `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
    )
  // In decoded text, NUL and lone surrogates can only come from escapes.
  if (/\\u(0000|d[89a-f])/i.test(text)) rejectInvalidText(value, '')
  return value
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw new RequestError('invalid_request', 'The body is not valid UTF-8.')
  }
}

/** Stops at the first path that is too deep, so it never recurses further than `levels`. */
export function isTooDeep(value: unknown, levels = MAX_JSON_DEPTH): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((item) => isTooDeep(item, levels - 1))
}

function rejectInvalidText(value: unknown, pointer: string): void {
  const found = findInvalidText(value, pointer)
  if (found === undefined) return
  throw new RequestError(
    'invalid_request',
    `${found === '' ? 'The text' : `The text at ${found}`} ${INVALID_TEXT}.`,
    {
      errors: [{ pointer: found, detail: INVALID_TEXT }],
    },
  )
}

function firstProblem(problems: readonly { pointer: string; detail: string }[]): string {
  const [first] = problems
  if (!first) return 'The body does not match the schema.'
  return `${first.pointer === '' ? 'The body' : first.pointer} ${first.detail}.`
}

/** Whether a `Content-Type` names one of `types`, ignoring parameters. */
export function isType(contentType: string | undefined, types: readonly string[]): boolean {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return types.includes(essence)
}

/** Whether it is `application/json`, or a more specific type with the suffix `+json` (RFC 6839 section 3.1). */
export function isJsonType(contentType = ''): boolean {
  return /^application\/(?:[\w.!#$&^+-]+\+)?json\s*(?:;|$)/i.test(contentType)
}

/** The error for a body of another content type. */
export function unsupported(
  contentType: string | undefined,
  types: readonly string[],
): RequestError {
  const got = contentType === undefined ? 'no content type' : 'another content type'
  return new RequestError(
    'unsupported_media_type',
    `The request has ${got}. Send ${types.join(' or ')}.`,
    {
      headers: { 'accept-post': types.join(', ') },
    },
  )
}
