/** The input schemas of `tools/list` in the clients that convert them: OpenAI strict mode, Gemini and Cursor. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { listingOf } from '../src/mcp/server/tool-server.ts'
import { readArguments } from '../src/tools/arguments/read-arguments.ts'
import { PLAIN_KEYWORD, type SchemaPart } from '../src/tools/arguments/schema-part.ts'
import { toolsOver } from './fixtures/tools.ts'
import { createStore } from './support/store.ts'
import type { Tool } from '../src/tools/tool.ts'

interface Schema {
  readonly type: string
  readonly description?: string
  readonly enum?: readonly unknown[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
  /** Not listed. */
  readonly examples?: readonly unknown[]
}

interface Listed {
  readonly name: string
  readonly description: string
  readonly schema: Schema
  readonly tool: Tool
}

async function listed(): Promise<Listed[]> {
  await using store = await createStore()
  return toolsOver(store).map((tool) => {
    const { name, description, inputSchema } = listingOf(tool)
    // As clients receive it.
    return { name, description, tool, schema: JSON.parse(JSON.stringify(inputSchema)) as Schema }
  })
}

/** A schema and all schemas in it, with their depth. */
function* partsOf(schema: Schema, depth = 1): Generator<readonly [Schema, number]> {
  yield [schema, depth]
  for (const part of Object.values(schema.properties ?? {})) yield* partsOf(part, depth + 1)
  if (schema.items) yield* partsOf(schema.items, depth + 1)
}

const NAME = /^[a-z][a-z_]{0,59}$/

test('every schema is valid for OpenAI strict mode, in which all arguments are required and may be null', async () => {
  for (const { name, schema, tool } of await listed()) {
    assert.match(name, NAME)
    // https://platform.openai.com/docs/guides/structured-outputs, supported schemas.
    assert.equal(schema.type, 'object')
    const parts = [...partsOf(schema)]
    assert.ok(
      parts.every(([, depth]) => depth <= 10),
      `${name} is nested too deeply`,
    )
    assert.ok(parts.length <= 5000)
    for (const [part] of parts) {
      assert.deepEqual(
        Object.keys(part).filter((keyword) => !STRICT.has(keyword)),
        [],
        name,
      )
      // OpenAI Agents 0.20.0, strictToolSchema: with an object that can have any properties, the tool falls back to loose.
      assert.ok(!isOpen(part), `${name} has an open object`)
    }
    const strict = strictOf(schema)
    const [example = {}] =
      (tool.input as { examples?: Readonly<Record<string, unknown>>[] }).examples ?? []
    const call = Object.fromEntries(
      Object.entries(strict.properties).map(([argument, part]) => {
        const sample = sampleOf(part)
        return [argument, sample === null ? null : (example[argument] ?? sample)]
      }),
    )
    const read = readArguments(tool, call, { timeZone: 'UTC', now: 0 })
    const given = Object.keys(call).filter((argument) => call[argument] !== null)
    assert.deepEqual(read.ok ? Object.keys(read.value as object) : read.explanation, given, name)
  }
})

const STRICT: ReadonlySet<string> = new Set([
  'type',
  'description',
  'enum',
  'items',
  'properties',
  'required',
  'additionalProperties',
  'minimum',
  'maximum',
  'minItems',
  'maxItems',
])

function isOpen({ type, properties = {}, additionalProperties }: Schema): boolean {
  return type === 'object' && Object.keys(properties).length === 0 && additionalProperties !== false
}

interface StrictSchema {
  readonly type: string | readonly string[]
  readonly description?: string
  readonly properties: Readonly<Record<string, StrictSchema>>
  readonly items?: StrictSchema
  readonly enum?: readonly unknown[]
  readonly required: readonly string[]
  readonly additionalProperties: false
}

/** As the Agents SDKs convert: all properties required, the optional ones with null as a further type. */
function strictOf({ type, properties = {}, required = [], ...rest }: Schema): StrictSchema {
  const converted = Object.entries(properties).map(([name, part]) => {
    const strict = strictOf(part)
    const isRequired = required.includes(name)
    return [name, isRequired ? strict : { ...strict, type: [part.type, 'null'] }] as const
  })
  return {
    type,
    ...(rest.description !== undefined && { description: rest.description }),
    ...(rest.enum && { enum: rest.enum }),
    ...(rest.items && { items: strictOf(rest.items) }),
    properties: Object.fromEntries(converted),
    required: Object.keys(properties),
    additionalProperties: false,
  }
}

/** What a model in strict mode sends for an argument that it does not use, or an example. */
function sampleOf(part: StrictSchema): unknown {
  if (Array.isArray(part.type)) return null
  if (part.enum) return part.enum[0]
  switch (part.type) {
    case 'array':
      return part.items ? [sampleOf(part.items)] : []
    case 'object':
      return Object.fromEntries(
        Object.entries(part.properties).map(([name, property]) => [name, sampleOf(property)]),
      )
    case 'integer':
    case 'number':
      return 1
    case 'boolean':
      return true
    default:
      // The only required strings with a pattern are IDs, such as `c_…`.
      return `${/\b(a|c|f|i|n)_…/.exec(part.description ?? '')?.[1] ?? 'c'}_1`
  }
}

/** The schema's example with null or the empty text for every argument that is optional, at any depth. */
function withNothing(schema: Schema, nothing: unknown): unknown {
  if (schema.type === 'array') return [withNothing(schema.items ?? schema, nothing)]
  if (schema.type !== 'object') return schema.examples?.[0] ?? sampleOf(strictOf(schema))
  const entries = Object.entries(schema.properties ?? {}).map(([name, part]) => [
    name,
    schema.required?.includes(name) === true ? withNothing(part, nothing) : nothing,
  ])
  return Object.fromEntries(entries)
}

test('an optional argument that is null or empty counts as not given, at any depth', async () => {
  for (const { name, tool } of await listed()) {
    const schema = JSON.parse(JSON.stringify(tool.input)) as Schema
    const required = schema.required ?? []
    const [example = {}] = (tool.input as { examples?: object[] }).examples ?? []
    const given = Object.entries(example).filter(([argument]) => required.includes(argument))
    // One argument at a time with its own optional ones empty, then all of them.
    for (const nothing of [null, ''])
      for (const [argument, part] of Object.entries(schema.properties ?? {})) {
        const base = { ...(withNothing(schema, nothing) as object), ...Object.fromEntries(given) }
        const isNested = (part.items ?? part).type === 'object'
        const call = isNested ? { ...base, [argument]: withNothing(part, nothing) } : base
        const read = readArguments(tool, call, { timeZone: 'UTC', now: 0 })
        assert.ok(read.ok, `${name}.${argument}: ${JSON.stringify(read)}`)
        const expected = isNested ? [...new Set([...required, argument])] : required
        assert.deepEqual(Object.keys(read.value as object).sort(), expected.toSorted(), name)
        assert.ok(!JSON.stringify(read.value).includes('null'), `${name}.${argument}`)
      }
  }
})

test('every schema is valid for Gemini, which supports a part of OpenAPI', async () => {
  // https://ai.google.dev/api/caching#Schema
  // Clients that declare functions by `parametersJsonSchema` keep `additionalProperties`; others leave it out.
  const keywords = STRICT
  const types = new Set(['object', 'array', 'string', 'integer', 'number', 'boolean'])
  for (const { name, schema } of await listed()) {
    // A function without arguments is declared without parameters.
    if (Object.keys(schema.properties ?? {}).length === 0) continue
    for (const [part] of partsOf(schema)) {
      assert.deepEqual(
        Object.keys(part).filter((keyword) => !keywords.has(keyword)),
        [],
        name,
      )
      assert.ok(types.has(part.type), `${name}: ${part.type}`)
      if (part.type === 'array') assert.ok(part.items, `${name} has a list without items`)
      if (part.enum) assert.equal(part.type, 'string', `${name} has choices that are not strings`)
      if (part.type === 'object') assert.ok(Object.keys(part.properties ?? {}).length > 0, name)
      const known = Object.keys(part.properties ?? {})
      assert.ok(
        (part.required ?? []).every((argument) => known.includes(argument)),
        name,
      )
    }
  }
})

test('every schema is valid for Cursor, which rejects unions, references and long names', async () => {
  for (const { name, schema, description } of await listed()) {
    // Server and tool together; this server is `weft`.
    assert.ok(`weft_${name}`.length <= 60, name)
    assert.ok(description.length <= 1000)
    const text = JSON.stringify(schema)
    assert.doesNotMatch(text, /"(anyOf|oneOf|allOf|not|\$ref|\$defs)":/, name)
    for (const [{ type }] of partsOf(schema)) assert.equal(typeof type, 'string', name)
  }
})

test('every argument has a description, which is listed unless its name says the same', async () => {
  for (const { name, schema, tool } of await listed()) {
    // As errors and docs/tools.md show it.
    const whole = JSON.parse(JSON.stringify(tool.input)) as Schema
    for (const [{ properties = {} }] of partsOf(whole))
      for (const [argument, { description }] of Object.entries(properties))
        assert.ok(description !== undefined && description.length >= 4, `${name}.${argument}`)
    for (const [argument, { description }] of Object.entries(schema.properties ?? {}))
      if (description === undefined) {
        const part: SchemaPart | undefined = whole.properties?.[argument]
        assert.equal(part?.[PLAIN_KEYWORD], true, `${name}.${argument}`)
      }
  }
})

test('the description of an ID names the tool that returns it', async () => {
  const tools = await listed()
  const names = tools.map(({ name }) => name)
  for (const { name, schema } of tools)
    for (const [argument, { description = '' }] of Object.entries(schema.properties ?? {}))
      if (/(^|_)ids?$/.test(argument) && !UNSOURCED.has(`${name}.${argument}`))
        assert.ok(
          names.some((tool) => description.includes(tool)) || TAKES_NAMES.test(description),
          `${name}.${argument}: ${description}`,
        )
})

/** Arguments that also take what a member says instead of an ID. */
const TAKES_NAMES = /\bIDs?, emails? or (full )?names?$/

/** Their descriptions use other words. */
const UNSOURCED: ReadonlySet<string> = new Set([
  'import_connections.upload_id', // from HTTP
  'save_follow_up.follow_up_id',
  'resolve_duplicates.keep_id',
  'get_jobs.task_id',
])
