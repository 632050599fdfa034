/** Shared components of the OpenAPI document; only referenced ones are included. */

import * as Type from '../../base/type.ts'
import type { TSchema } from 'typebox'
import { REQUEST_ERRORS } from '../../base/request-error.ts'

/** A value of the document. */
export type Json = string | number | boolean | null | readonly Json[] | OpenApiObject

export interface OpenApiObject {
  readonly [name: string]: Json
}

type Reference = {
  readonly $ref: string
}

export interface Components {
  /** Converts a schema to OpenAPI; objects with a name in `object` become shared schemas. */
  schema(schema: TSchema): Json
  problem(): Reference
  header(name: HeaderName): Reference
  idempotencyKey(): Reference
  /** The `components` object with everything referenced so far. */
  all(): OpenApiObject
}

export type HeaderName = keyof typeof HEADERS

export function createComponents(): Components {
  const schemas = new Map<string, Json>()
  const headers = new Map<string, Json>()
  const parameters = new Map<string, Json>()
  return {
    schema: (schema) => shareNamed(toJson(schema), schemas),
    problem() {
      share(schemas, 'Problem', toJson(PROBLEM))
      return { $ref: '#/components/schemas/Problem' }
    },
    header(name) {
      share(headers, name, HEADERS[name])
      return { $ref: `#/components/headers/${name}` }
    },
    idempotencyKey() {
      share(parameters, 'IdempotencyKey', IDEMPOTENCY_KEY)
      return { $ref: '#/components/parameters/IdempotencyKey' }
    },
    all: () => ({
      ...(schemas.size > 0 && { schemas: sorted(schemas) }),
      ...(headers.size > 0 && { headers: sorted(headers) }),
      ...(parameters.size > 0 && { parameters: sorted(parameters) }),
    }),
  }
}

/** Serializing to JSON drops TypeBox's symbol keys. */
function toJson(schema: TSchema): Json {
  return JSON.parse(JSON.stringify(schema)) as Json
}

function shareNamed(schema: Json, schemas: Map<string, Json>): Json {
  if (Array.isArray(schema)) return schema.map((part) => shareNamed(part, schemas))
  if (typeof schema !== 'object' || schema === null) return schema
  const whole = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [key, shareNamed(part, schemas)]),
  )
  const name = nameOf(whole)
  if (name === undefined) return whole
  share(schemas, name, whole)
  return { $ref: `#/components/schemas/${name}` }
}

/** `human_summary` becomes HumanSummary; a `list` is named after its items: JobList. */
function nameOf({ properties }: OpenApiObject): string | undefined {
  if (!isObject(properties) || !isObject(properties['object'])) return undefined
  const kind = properties['object']['const']
  if (typeof kind !== 'string') return undefined
  if (kind !== 'list') return pascalCase(kind)
  const listed = Object.entries(properties).find(
    ([, property]) => isObject(property) && property['type'] === 'array',
  )
  return listed && `${pascalCase(listed[0].replace(/s$/, ''))}List`
}

function isObject(value: Json | undefined): value is OpenApiObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}

function share(shared: Map<string, Json>, name: string, part: Json): void {
  const there = shared.get(name)
  if (there !== undefined && JSON.stringify(there) !== JSON.stringify(part))
    throw new Error(`two different schemas are named ${name} in the OpenAPI document`)
  shared.set(name, part)
}

function sorted(parts: ReadonlyMap<string, Json>): OpenApiObject {
  return Object.fromEntries([...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const HEADERS = {
  'X-Request-Id': text('Request ID for support requests'),
  ETag: text('Validator; send it in If-None-Match to get a 304 if nothing changed'),
  Link: text('The next page, with rel="next" (RFC 8288); absent on the last page'),
  Location: text('URL of the result', { format: 'uri' }),
  'Retry-After': count('Seconds to wait before the next request'),
  'WWW-Authenticate': text('Bearer, with the URL of the protected resource metadata (RFC 9728)'),
  'Idempotency-Replayed': text('`true` if this is a replay of the first response'),
  Deprecation: text('Date of the deprecation (RFC 9745)'),
  RateLimit: text('Remaining requests: `"policy";r=<requests>;t=<seconds>`'),
  'RateLimit-Policy': text('The quota: `"policy";q=<requests>;w=<seconds>`'),
  'RateLimit-Limit': count('Requests allowed in the window'),
  'RateLimit-Remaining': count('Requests left in the window'),
  'RateLimit-Reset': count('Seconds until the window ends'),
} as const satisfies Record<string, Json>

function text(description: string, more: OpenApiObject = {}): OpenApiObject {
  return { description, schema: { type: 'string', ...more } }
}

function count(description: string): OpenApiObject {
  return { description, schema: { type: 'integer', minimum: 0 } }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes retries safe: the same key and body within 24 hours get the first response again, with `Idempotency-Replayed: true`. Another body with the same key is rejected with 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const satisfies Json

/** RFC 9457, with the extension members of this API. */
const PROBLEM = Type.Object(
  {
    type: Type.String({ format: 'uri-reference' }),
    title: Type.String({ description: 'The same for every problem of this code' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What was wrong with this request' }),
    code: Type.Enum(Object.keys(REQUEST_ERRORS), { description: 'Stable error code for programs' }),
    hint: Type.Optional(Type.String({ description: 'How to fix it' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'JSON Pointer into the request (RFC 6901)' }),
          detail: Type.String(),
        }),
      ),
    ),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds, as in Retry-After' })),
    request_id: Type.String({ description: 'As in X-Request-Id' }),
  },
  { description: 'A problem document (RFC 9457); some codes add members.' },
)
