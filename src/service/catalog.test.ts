import assert from 'node:assert/strict'
import { test } from 'node:test'
import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { createLog } from '../base/log.ts'
import { openEmbedder } from '../embeddings/embedder.ts'
import { listingOf } from '../mcp/server/tool-server.ts'
import { createRateLimits } from '../guards/rate-limits.ts'
import { createAttemptRecorder } from '../oauth/attempts/attempt-recorder.ts'
import { clientDocuments } from '../oauth/client-document.ts'
import { quickHasher } from '../../test/support/password.ts'
import { TOOL_RULES } from '../../test/fixtures/tool-rules.ts'
import { createStore } from '../../test/support/store.ts'
import { listJobKinds, listTools } from './catalog.ts'
import { checkDeprecations, DEPRECATED_PARAMETERS } from '../guards/deprecations.ts'
import { JOB_KINDS } from './background-work.ts'
import { routeGroups } from './route-groups.ts'

/** Other members and the public web. */
const OPEN_WORLD = new Set(['search_directory', 'update_profile'])
const READING = /^(whoami|get|list|search|find|fetch)(_|$)/

/** Names, descriptions and input schemas are always in a model's context. A longer tool needs shorter ones. */
const TOKENS_PER_TOOL = 160
/** With output schemas. */
const BYTES_PER_TOOL = 2000
/** Models choose worse among more. */
const MAX_TOOLS = 40

async function everything() {
  const store = await createStore()
  const { database, clock } = store
  const deps = {
    database,
    clock,
    log: createLog('silent'),
    publicUrl: 'https://weft.example.org',
    quota: 1000,
    version: '0.0.0',
    embedder: openEmbedder(null),
    wake: () => {},
    asksLegacyClients: true,
    calendars: { sealSecret: () => 'test', outgoing: new OutgoingPool() },
    authenticate: () => Promise.reject(new Error('not called')),
    documents: clientDocuments({ clock }),
    uploadQuotaMb: 250,
    refreshGraceSeconds: 0,
    davBurst: null,
    securityContact: null,
    privacyPolicy: null,
    termsOfService: null,
    mcpRegistryAuth: null,
    openaiAppsChallenge: null,
    rateLimits: {},
    limits: createRateLimits({ overrides: {}, clock }),
    signUp: 'open' as const,
    demo: 'on' as const,
    oidc: null,
    webhookHosts: [],
    smtp: null,
    attempts: createAttemptRecorder({
      database,
      clock,
      log: createLog('silent'),
      publicUrl: 'https://weft.example.org',
      addressOf: () => '127.0.0.1',
    }),
    hasher: quickHasher,
    node: { name: 'test:1', startedAt: 0, jobConcurrency: 2, memoryBytes: () => 0 },
  }
  const [first, ...later] = routeGroups(deps)
  return {
    tools: listTools(deps),
    routes: [...first, ...(await Promise.all(later.map((load) => load()))).flat()],
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  }
}

/** Every object in a schema, with its path. */
function* partsOf(schema: unknown, path = ''): Generator<[string, Record<string, unknown>]> {
  if (typeof schema !== 'object' || schema === null) return
  yield [path, schema as Record<string, unknown>]
  for (const [name, part] of Object.entries(schema)) yield* partsOf(part, `${path}/${name}`)
}

test('every tool has a verb_noun name, a title, and a description with its effects', async () => {
  await using catalog = await everything()
  const names = catalog.tools.map(({ name }) => name)
  assert.equal(new Set(names).size, names.length)
  for (const { name, title, description, effect } of catalog.tools) {
    assert.match(name, /^(whoami|[a-z]+(_[a-z]+)+|undo|search|fetch)$/)
    assert.ok(name.length <= 64)
    assert.match(title, /^[A-Z].{2,59}$/)
    assert.ok(
      description.length >= 40 && description.length <= 600,
      `${name}: ${description.length}`,
    )
    assert.match(description, /\.$/)
    if (effect !== 'read') assert.match(description, /\breturns\b/i, name)
  }
})

test('every price and effect matches the contract', async () => {
  await using catalog = await everything()
  for (const { name, credits, effect } of catalog.tools) {
    assert.ok(Number.isInteger(credits))
    const { credits: price, effect: documented } = TOOL_RULES[name] ?? {}
    assert.deepEqual([credits, effect], [price, documented], `${name}: a row of TOOL_RULES`)
    assert.equal(effect === 'read', READING.test(name), name)
  }
})

test('every schema is self-contained, with an object and no union at its root', async () => {
  await using catalog = await everything()
  for (const { name, input, output } of catalog.tools)
    for (const schema of [input, output]) {
      const root = schema as unknown as Record<string, unknown>
      assert.equal(root['type'], 'object', name)
      for (const union of ['anyOf', 'oneOf', 'allOf', 'not', 'enum'])
        assert.ok(!(union in root), `${name} has ${union}`)
      for (const [path, part] of partsOf(JSON.parse(JSON.stringify(schema))))
        for (const reference of ['$ref', '$id', '$defs', '$dynamicRef'])
          assert.ok(!(reference in part), `${name}${path} has ${reference}`)
    }
})

test('every input rejects unknown arguments, has limits, and has no redundant descriptions', async () => {
  await using catalog = await everything()
  for (const { name, input } of catalog.tools) {
    const root = JSON.parse(JSON.stringify(input)) as Record<string, unknown>
    assert.equal(root['additionalProperties'], false, name)
    for (const [argument, schema] of Object.entries(root['properties'] ?? {})) {
      assert.match(argument, /^[a-z]+(_[a-z]+)*$/)
      const { description } = schema as { description?: string }
      assert.ok(
        description !== undefined && saysMore(description, argument),
        `Describe ${name}.${argument} in words that its name does not have; it has ${JSON.stringify(description)}. Add [PLAIN_KEYWORD]: true if agents need no description.`,
      )
    }
    for (const [path, part] of partsOf(root)) {
      if (part['type'] === 'string' && !('enum' in part) && !('pattern' in part))
        assert.ok('maxLength' in part, `${name}${path} has no maximum length`)
      if (part['type'] === 'array')
        assert.ok('maxItems' in part, `${name}${path} has no maximum number of items`)
    }
  }
})

/** Whether a description says more than the name; a redundant one only wastes tokens. */
function saysMore(description: string, name: string): boolean {
  const named = new Set(name.split('_'))
  const words = description.toLowerCase().match(/[a-z]+/g) ?? []
  return words.some((word) => !named.has(word))
}

test('every listing has all four annotations, and they match the effect', async () => {
  await using catalog = await everything()
  for (const tool of catalog.tools) {
    const { annotations } = listingOf(tool)
    assert.deepEqual(Object.keys(annotations).sort(), [
      'destructiveHint',
      'idempotentHint',
      'openWorldHint',
      'readOnlyHint',
      'title',
    ])
    assert.equal(annotations.readOnlyHint, tool.effect === 'read')
    assert.equal(annotations.title, tool.title)
    assert.equal(annotations.destructiveHint, tool.effect !== 'read')
    assert.equal(annotations.openWorldHint, OPEN_WORLD.has(tool.name), tool.name)
    if (tool.effect === 'read') assert.equal(annotations.idempotentHint, true)
  }
})

test('the list of all tools is small enough for every model that reads it', async (t) => {
  await using catalog = await everything()
  // Only ChatGPT is offered these: see chatgpt-tools.ts.
  const offered = catalog.tools.filter(({ name }) => name !== 'search' && name !== 'fetch')
  const listed = offered.map((tool) => listingOf(tool))
  const total = bytesOf(listed)
  // Clients do not show output schemas and `_meta` to models.
  const read = listed.map(({ name, description, inputSchema }) => {
    return { name, description, inputSchema }
  })
  const tokens = countTokens(JSON.stringify(read))
  t.diagnostic(`tools/list: ${listed.length} tools, ${total} bytes, ${tokens} tokens for a model`)
  const count = listed.length
  assert.ok(count <= MAX_TOOLS, `${count} tools`)
  assert.ok(tokens <= count * TOKENS_PER_TOOL, `${tokens} tokens for ${count} tools`)
  assert.ok(total <= count * BYTES_PER_TOOL, `${total} bytes for ${count} tools`)
})

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value))
}

test('the deprecations are valid', async () => {
  await using catalog = await everything()
  checkDeprecations([
    ...DEPRECATED_PARAMETERS,
    ...catalog.routes.flatMap(({ deprecated = [] }) => deprecated),
  ])
})

test('every form has a rate limit', async () => {
  await using catalog = await everything()
  const forms = catalog.routes.filter(
    ({ method, access }) => method === 'POST' && (access === 'session' || access === 'browser'),
  )
  assert.ok(forms.length > 50)
  assert.deepEqual(
    forms.filter(({ limit }) => limit === undefined).map(({ path }) => path),
    [],
  )
})

test('no two routes have the same method and path, and no two jobs the same kind', async () => {
  await using catalog = await everything()
  const routes = catalog.routes.map(({ method, path }) => `${method} ${path}`)
  assert.equal(new Set(routes).size, routes.length)
  const kinds = listJobKinds({
    embedder: openEmbedder(null),
    calendars: { sealSecret: () => 'test', outgoing: new OutgoingPool() },
    publicUrl: 'http://weft.test',
  }).map(({ kind }) => kind)
  assert.equal(new Set(kinds).size, kinds.length)
  assert.deepEqual(kinds, JOB_KINDS)
})
