/** The shared parts of the OpenAPI document: each is in it once, under a name, and only if something refers to it. */

import Type, { type TSchema } from 'typebox'
import { REQUEST_ERRORS } from '../../base/request-error.ts'
import type { Json, JsonObject } from './json.ts'

export type Reference = {
  readonly $ref: string
}

export interface Components {
  /** A schema as OpenAPI has it; objects that carry their own name in `object` are shared under it. */
  schema(schema: TSchema): Json
  problem(): Reference
  header(name: HeaderName): Reference
  idempotencyKey(): Reference
  /** The `components` object, of what was asked for until now. */
  all(): JsonObject
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

/** TypeBox keeps its own marks where JSON does not see them. */
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

/** `human_summary` is HumanSummary; a `list` is named by what it lists: JobList. */
function nameOf({ properties }: JsonObject): string | undefined {
  if (!isObject(properties) || !isObject(properties['object'])) return undefined
  const kind = properties['object']['const']
  if (typeof kind !== 'string') return undefined
  if (kind !== 'list') return pascalCase(kind)
  const listed = Object.entries(properties).find(
    ([, property]) => isObject(property) && property['type'] === 'array',
  )
  return listed && `${pascalCase(listed[0].replace(/s$/, ''))}List`
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function pascalCase(name: string): string {
  return name.replaceAll(/(?:^|_)([a-z])/g, (_all, letter: string) => letter.toUpperCase())
}

function share(shared: Map<string, Json>, name: string, part: Json): void {
  const there = shared.get(name)
  if (there !== undefined && JSON.stringify(there) !== JSON.stringify(part))
    throw new Error(`two different things are called ${name} in the OpenAPI document`)
  shared.set(name, part)
}

function sorted(parts: ReadonlyMap<string, Json>): JsonObject {
  return Object.fromEntries([...parts].toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

const HEADERS = {
  'X-Request-Id': text('Names this request, for a question to the operator'),
  ETag: text('Validates a kept copy: sent back in If-None-Match, it is answered by 304'),
  Link: text('The next page, with rel="next" (RFC 8288); not there on the last'),
  Location: text('Where the result is', { format: 'uri' }),
  'Retry-After': count('Seconds to wait before asking again'),
  'WWW-Authenticate': text(
    'Bearer, with the address of the protected resource metadata (RFC 9728)',
  ),
  'Idempotency-Replayed': text('`true` where the first answer is given once more'),
  Deprecation: text('Since when this is deprecated (RFC 9745)'),
  RateLimit: text('What is left: `"policy";r=<requests>;t=<seconds>`'),
  'RateLimit-Policy': text('The quota: `"policy";q=<requests>;w=<seconds>`'),
  'RateLimit-Limit': count('Requests allowed in the window'),
  'RateLimit-Remaining': count('Requests left in the window'),
  'RateLimit-Reset': count('Seconds until the window ends'),
} as const satisfies Record<string, Json>

function text(description: string, more: JsonObject = {}): JsonObject {
  return { description, schema: { type: 'string', ...more } }
}

function count(description: string): JsonObject {
  return { description, schema: { type: 'integer', minimum: 0 } }
}

const IDEMPOTENCY_KEY = {
  name: 'Idempotency-Key',
  in: 'header',
  description:
    'Makes a retry safe: the same key and body again within 24 hours get the first answer, with `Idempotency-Replayed: true`. Another body under the same key is refused with 422.',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
} as const satisfies Json

/** RFC 9457, with what every problem of this API has beside it. */
const PROBLEM = Type.Object(
  {
    type: Type.String({ format: 'uri-reference' }),
    title: Type.String({ description: 'The same for every problem of this code' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What was wrong with this very request' }),
    code: Type.Enum(Object.keys(REQUEST_ERRORS), { description: 'Stable: what a program goes by' }),
    hint: Type.Optional(Type.String({ description: 'What to do about it' })),
    errors: Type.Optional(
      Type.Array(
        Type.Object({
          pointer: Type.String({ description: 'Where in the request (RFC 6901)' }),
          detail: Type.String(),
        }),
      ),
    ),
    retry_after: Type.Optional(Type.Integer({ description: 'Seconds, as in Retry-After' })),
    request_id: Type.String({ description: 'As in X-Request-Id' }),
  },
  { description: 'A problem document (RFC 9457); a code may add members of its own.' },
)
