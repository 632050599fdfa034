/** From bytes to checked values: query strings and bodies, with every mistake named. */

import Type, { type TSchema } from 'typebox'
import { INVALID_TEXT, findInvalidText } from '../base/invalid-text.ts'
import { RequestError } from '../base/request-error.ts'
import { checkSchema } from '../base/schema.ts'
import type { BytesBody, JsonBody } from './body.ts'

/** A document nested deeper than this is not data anybody typed; the limit keeps every later walk safe. */
const MAX_JSON_DEPTH = 64

/** Known parameters are checked, numbers among them read as numbers; unknown ones are ignored. */
export function readQuery(schema: TSchema | undefined, search: string): unknown {
  if (!schema || !Type.IsObject(schema)) return {}
  const given = new URLSearchParams(search)
  const values: Record<string, unknown> = {}
  for (const [name, property] of Object.entries(schema.properties)) {
    const text = given.get(name)
    if (text === null) continue
    refuseBrokenText(text, `/${name}`)
    values[name] = readScalar(property, text)
  }
  const checked = checkSchema(schema, values)
  if (checked.ok) return checked.value
  const errors = checked.problems.map(({ pointer, detail }) => ({ pointer, detail }))
  const first = errors[0]
  throw new RequestError(
    'invalid_request',
    `The query parameter ${first?.pointer.slice(1) ?? ''} ${first?.detail ?? 'is wrong'}.`,
    {
      errors,
    },
  )
}

function readScalar(schema: TSchema, text: string): unknown {
  if (Type.IsInteger(schema) || Type.IsNumber(schema))
    return /^-?\d{1,15}(\.\d+)?$/.test(text) ? Number(text) : text
  if (Type.IsBoolean(schema)) return text === 'true' ? true : text === 'false' ? false : text
  return text
}

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

/** `application/x-www-form-urlencoded` in UTF-8. Text free of NUL and lone surrogates, as everywhere. */
export function readForm(bytes: Uint8Array, contentType: string | undefined): URLSearchParams {
  if (!isType(contentType, [FORM_TYPE])) throw unsupported(contentType, [FORM_TYPE])
  const form = new URLSearchParams(decodeUtf8(bytes))
  assertValidText(form)
  return form
}

export function assertValidText(form: URLSearchParams): void {
  // The name is not repeated: whoever made the form wrote it.
  for (const [name, value] of form) refuseBrokenText(name + value, '')
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

export function readBytes(
  body: BytesBody,
  bytes: Uint8Array,
  contentType: string | undefined,
): Uint8Array {
  if (!body.types.includes('*/*') && !isType(contentType, body.types))
    throw unsupported(contentType, body.types)
  return bytes
}

/** JSON in UTF-8 (RFC 8259 section 8.1), not too deep, its text free of NUL and lone surrogates. */
export function parseJson(bytes: Uint8Array): unknown {
  const text = decodeUtf8(bytes)
  if (text.trim() === '')
    throw new RequestError('invalid_request', 'The body is empty; a JSON object is expected.')
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    const reason = error instanceof SyntaxError ? error.message : 'it is not JSON'
    throw new RequestError('invalid_request', `The body is not valid JSON: ${reason}`)
  }
  refuseDeep(value, 0)
  // Only an escape can bring NUL or half a surrogate pair into decoded text.
  if (/\\u(0000|d[89a-f])/i.test(text)) refuseBrokenText(value, '')
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

function refuseDeep(value: unknown, depth: number): void {
  if (typeof value !== 'object' || value === null) return
  if (depth >= MAX_JSON_DEPTH)
    throw new RequestError(
      'invalid_request',
      `The body is nested deeper than ${MAX_JSON_DEPTH} levels.`,
    )
  for (const item of Object.values(value)) refuseDeep(item, depth + 1)
}

function refuseBrokenText(value: unknown, pointer: string): void {
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
  if (!first) return 'The body does not have the expected shape.'
  return `${first.pointer === '' ? 'The body' : first.pointer} ${first.detail}.`
}

/** Whether a `Content-Type` names one of `types`, whatever parameters follow. */
export function isType(contentType: string | undefined, types: readonly string[]): boolean {
  const essence = contentType?.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  return types.includes(essence)
}

export function unsupported(
  contentType: string | undefined,
  types: readonly string[],
): RequestError {
  const got = contentType === undefined ? 'no content type' : 'another content type'
  return new RequestError(
    'unsupported_media_type',
    `The body came with ${got}; ${types.join(' or ')} is expected.`,
    {
      headers: { 'accept-post': types.join(', ') },
    },
  )
}
