/** One route as an OpenAPI operation. */

import { SCOPE } from '../../access/scope.ts'
import { otherTypesOf } from '../../http/error-format.ts'
import { pathTag } from './tags.ts'
import type { TSchema } from 'typebox'
import type { AnswerDescription, Route } from '../../http/route.ts'
import type { Body } from '../../http/body/body-types.ts'
import type { Components, HeaderName, Json, OpenApiObject } from './components.ts'

export function operationOf(route: Route, components: Components): OpenApiObject {
  const { operationId, summary, description, access, path, body, deprecated } = route
  const parameters = [
    ...parametersOf('path', route.params, components),
    ...parametersOf('query', route.query ?? route.uncheckedQuery, components),
    ...(route.idempotent === true ? [components.idempotencyKey()] : []),
  ]
  return {
    operationId,
    summary,
    ...(description !== undefined && { description }),
    tags: [pathTag(path)],
    ...(deprecated && { deprecated: true }),
    security: access === 'bearer' ? [{ bearer: [] }, { oauth: [SCOPE] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: true, content: bodyContent(body, components) } }),
    responses: responsesOf(route, components),
  }
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, TSchema>>
  readonly required?: readonly string[]
}

function parametersOf(
  location: 'path' | 'query',
  schema: TSchema | undefined,
  components: Components,
): OpenApiObject[] {
  const { properties = {}, required = [] }: ObjectSchema = schema ?? {}
  return Object.entries(properties).map(([name, property]) =>
    // Parameter schemas are never shared objects.
    parameterOf(
      location,
      name,
      components.schema(property) as OpenApiObject,
      required.includes(name),
    ),
  )
}

/** Moves the description and the deprecation from the schema to the parameter. */
function parameterOf(
  location: 'path' | 'query',
  name: string,
  { description, deprecated, ...schema }: OpenApiObject,
  required: boolean,
): OpenApiObject {
  return {
    name,
    in: location,
    required,
    ...(description !== undefined && { description }),
    ...(deprecated === true && { deprecated }),
    schema,
  }
}

const FORM_TYPE = 'application/x-www-form-urlencoded'

function bodyContent(body: Body, components: Components): OpenApiObject {
  if (body.kind === 'json')
    return { 'application/json': { schema: components.schema(body.schema) } }
  if (body.kind === 'form')
    return { [FORM_TYPE]: { schema: body.fields ? components.schema(body.fields) : {} } }
  const types = body.kind === 'bytes' ? body.types : ['*/*']
  const content: Readonly<Record<string, TSchema>> =
    body.content ?? Object.fromEntries(types.map((type) => [type, {}]))
  return Object.fromEntries(
    Object.entries(content).map(([type, schema]) => [type, { schema: components.schema(schema) }]),
  )
}

function responsesOf(route: Route, components: Components): OpenApiObject {
  const answers = { ...impliedAnswers(route), ...route.answers }
  return {
    ...Object.fromEntries(
      Object.entries(answers).map(([status, answer]) => [
        status,
        responseOf(route, Number(status), answer, components),
      ]),
    ),
    '4XX': responseOf(route, 400, { description: 'The request was rejected' }, components),
    '5XX': responseOf(route, 500, { description: 'Server error' }, components),
  }
}

/** Responses of the pipeline. A route that documents the same status overrides them. */
function impliedAnswers(route: Route): Record<number, AnswerDescription> {
  const { access, body, idempotent, limit, method, params, query } = route
  const validates = method === 'GET' && route.answers[200]?.headers?.includes('ETag') === true
  return {
    ...(validates && { 304: { description: 'The copy named in If-None-Match is current' } }),
    ...((query || body) && { 400: { description: 'Invalid request' } }),
    ...(access === 'bearer' && { 401: { description: 'The bearer token is missing or invalid' } }),
    ...(params && { 404: { description: 'Not found' } }),
    ...(body && {
      413: { description: 'The body is too large' },
      ...(body.kind !== 'stream' && {
        415: { description: 'Unsupported content type' },
      }),
    }),
    ...(idempotent === true && {
      409: { description: 'A request with the same Idempotency-Key is in progress' },
      422: { description: 'The Idempotency-Key was used for another request' },
    }),
    ...(limit && { 429: { description: 'Too many requests' } }),
  }
}

const RATE_LIMIT_HEADERS = [
  'RateLimit',
  'RateLimit-Policy',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
] as const satisfies readonly HeaderName[]

function responseOf(
  route: Route,
  status: number,
  answer: AnswerDescription,
  components: Components,
): OpenApiObject {
  const names: HeaderName[] = [
    'X-Request-Id',
    ...(answer.headers ?? []),
    ...(status === 401 ? (['WWW-Authenticate'] as const) : []),
    ...(status === 429 ? (['Retry-After'] as const) : []),
    ...(route.deprecated ? (['Deprecation'] as const) : []),
    ...(status < 300 && route.idempotent === true ? (['Idempotency-Replayed'] as const) : []),
    // Requests without a valid token are not counted.
    ...(route.limit && status !== 401 ? RATE_LIMIT_HEADERS : []),
  ]
  const content = answerContent(route, status, answer, components)
  return {
    description: answer.description,
    headers: Object.fromEntries(names.map((name) => [name, components.header(name)])),
    ...(Object.keys(content).length > 0 && { content }),
  }
}

const PROBLEM_TYPE = 'application/problem+json'

function answerContent(
  route: Route,
  status: number,
  { schema, type }: AnswerDescription,
  components: Components,
): OpenApiObject {
  if (schema === undefined && type === undefined)
    return status < 400 ? {} : errorContent(route, status, components)
  return {
    ...(schema && { 'application/json': { schema: components.schema(schema) } }),
    ...textContents(listOf(type), components),
  }
}

/** Routes with their own error writer document its format; pages return pages, and all others problem documents. */
function errorContent(route: Route, status: number, components: Components): OpenApiObject {
  if (!route.onError) {
    const others = isPage(route) ? otherTypesOf(status) : []
    return textContents(['problem', ...others], components)
  }
  const own = Object.entries(route.answers).find(
    ([answered, { schema, type }]) => Number(answered) >= 400 && (schema ?? type) !== undefined,
  )
  return own
    ? answerContent(route, Number(own[0]), own[1], components)
    : { 'application/json': { schema: {} } }
}

function isPage({ answers }: Route): boolean {
  return listOf(answers[200]?.type).some((type) => type.startsWith('text/html'))
}

function listOf(type: AnswerDescription['type'] = []): readonly string[] {
  return typeof type === 'string' ? [type] : type
}

function textContents(types: readonly string[], components: Components): OpenApiObject {
  return Object.fromEntries(types.map((type) => textContent(type, components)))
}

function textContent(type: string, components: Components): [type: string, content: Json] {
  if (type === 'problem') return [PROBLEM_TYPE, { schema: components.problem() }]
  const essence = type.split(';', 1)[0] ?? type
  const isText = /^text\/|xml$/.test(essence)
  return [essence, { schema: isText ? { type: 'string' } : {} }]
}
