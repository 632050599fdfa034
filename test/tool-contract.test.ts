/** The input schemas of `tools/list` are the contract: calls inside them are accepted, others refused. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { listingOf } from '../src/mcp/server/tool-server.ts'
import { createWorld, type Acting, type World } from './fixtures/network.ts'
import { toolsOver } from './fixtures/tools.ts'
import type { Tool } from '../src/tools/tool.ts'

interface Schema {
  readonly type: string
  readonly description?: string
  readonly enum?: readonly string[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: false
  readonly minimum?: number
  readonly maximum?: number
  readonly minItems?: number
  readonly maxItems?: number
}

const CALLS_PER_TOOL = 30

function schemaOf(tool: Tool): Schema {
  // As clients receive it.
  return JSON.parse(JSON.stringify(listingOf(tool).inputSchema)) as Schema
}

async function withPeople(world: World, tools: readonly Tool[]): Promise<Acting> {
  const member = await world.join()
  const add = tools.find(({ name }) => name === 'add_connections')
  assert.ok(add)
  const connections = ['Ada Lovelace', 'Mary Jackson', 'Grace Hopper'].map((name) => ({ name }))
  await member.ask(add, { connections })
  return member
}

const DATES = ['2026-03-05', 'yesterday', 'last Friday', '5 March 2026', 'in two weeks']

/** Texts of the form that the name or the description of an argument says. */
function textsFor(name: string, { description = '' }: Schema): readonly string[] {
  const letter =
    /\b([a-z]{1,2})_…/.exec(description)?.[1] ?? (/^(keep|merge)_ids?$/.test(name) ? 'c' : '')
  if (letter !== '') return [`${letter}_1`, `${letter}_999999`]
  if (/^(on|since|until|day|birthday)$|_(on|until|since|before|after|by)$|date/i.test(name))
    return DATES
  if (/HH:MM/.test(description)) return ['14:30', '09:05']
  if (/^(every|recurrence)$/.test(name)) return ['monthly', 'every 2 weeks', '3 months']
  if (name === 'people') return ['Ada Lovelace', 'c_2', 'grace@example.org']
  if (/^(details|custom|columns)$/.test(name))
    return ['nickname=Ada', 'custom.Tier=Gold', 'Tier=Gold']
  if (name === 'username') return ['ada', 'grace-hopper']
  return ['Ada', 'engineer in London', 'Größe', '“moth”', '1']
}

function inside(name: string, schema: Schema): fc.Arbitrary<unknown> {
  const { minimum = 0, maximum = 50, minItems = 0, maxItems = 3, items, properties = {} } = schema
  switch (schema.type) {
    case 'object':
      return fc.record(
        Object.fromEntries(
          Object.entries(properties).map(([property, part]) => [property, inside(property, part)]),
        ),
        { requiredKeys: [...(schema.required ?? [])], noNullPrototype: true },
      )
    case 'array': {
      const item = { description: schema.description, ...items } as Schema
      return fc.array(inside(name, item), { minLength: minItems, maxLength: Math.min(maxItems, 3) })
    }
    case 'integer':
      return fc.integer({ min: minimum, max: maximum })
    case 'number':
      return fc.double({ min: minimum, max: maximum, noNaN: true })
    case 'boolean':
      return fc.boolean()
    default:
      return fc.constantFrom(...(schema.enum ?? textsFor(name, schema)))
  }
}

test('a call inside the schema is accepted, or refused for a reason of the data or of what was chosen', async (t) => {
  await using world = await createWorld()
  const tools = toolsOver(world)
  const refused: string[] = []
  let calls = 0
  for (const tool of tools) {
    const member = await withPeople(world, tools)
    for (const given of fc.sample(inside('', schemaOf(tool)), {
      numRuns: CALLS_PER_TOOL,
      seed: 7,
    })) {
      calls += 1
      const outcome = await member.call(tool, given as object)
      if (!outcome.ok && ['invalid_arguments', 'internal'].includes(outcome.error.code))
        refused.push(`${tool.name} ${JSON.stringify(given)}: ${outcome.error.message}`)
    }
  }
  t.diagnostic(`${calls} calls`)
  assert.deepEqual(refused, [])
})

/** Values that no reading makes valid, with where they are. */
function* outside(schema: Schema): Generator<object> {
  yield { zzz: 1 }
  for (const [name, part] of Object.entries(schema.properties ?? {})) {
    const { type, minimum, maximum, items, maxItems = 1000 } = part
    yield { [name]: type === 'object' ? 5 : type === 'array' ? [[{ zzz: {} }]] : { zzz: 1 } }
    if (type === 'object') yield { [name]: { zzz: 1 } }
    if (minimum !== undefined) yield { [name]: minimum - 1 }
    // A larger page than the largest is the largest, and the answer says so.
    if (maximum !== undefined && name !== 'limit') yield { [name]: maximum + 1 }
    if (part.enum || items?.enum) yield { [name]: items ? ['zzz'] : 'zzz' }
    if (maxItems <= 100 && items?.type === 'string')
      yield { [name]: Array.from({ length: maxItems + 1 }, (_, at) => items.enum?.[0] ?? `x${at}`) }
  }
}

test('a call outside the schema is refused', async (t) => {
  await using world = await createWorld()
  const tools = toolsOver(world)
  const accepted: string[] = []
  let calls = 0
  for (const tool of tools) {
    const member = await withPeople(world, tools)
    const schema = schemaOf(tool)
    assert.equal(schema.additionalProperties, false, tool.name)
    for (const given of outside(schema)) {
      calls += 1
      const outcome = await member.call(tool, given)
      if (outcome.ok || outcome.error.code !== 'invalid_arguments')
        accepted.push(`${tool.name} ${JSON.stringify(given).slice(0, 100)}`)
    }
  }
  t.diagnostic(`${calls} calls`)
  assert.deepEqual(accepted, [])
})
