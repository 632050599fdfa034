/** Optional pages of the operator: legal pages, proofs of ownership, and the entry for the MCP registry. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as Type from '../base/type.ts'
import { checkSchema } from '../base/schema.ts'
import { startTestService } from '../../test/support/service.ts'
import { NETWORK_MOUNT, registryEntry } from './well-known/server-card.ts'

const SET = {
  privacyPolicy: '# Our privacy policy\n\nWe sell <b>nothing</b>.',
  termsOfService: 'Be kind.',
  mcpRegistryAuth: 'v=MCPv1; k=ed25519; p=AAAA',
  openaiAppsChallenge: 'abc-123',
  supportContact: 'https://example.org/help',
}

test('legal pages are served as HTML and markdown, and linked where people and clients look', async () => {
  await using service = await startTestService({ ...SET, signUp: 'open' })
  const get = (path: string, accept = 'text/html') =>
    fetch(service.url + path, { headers: { accept } })
  const page = await (await get('/privacy')).text()
  assert.match(page, /<h1[^>]*>Our privacy policy<\/h1>/)
  assert.match(page, /We sell &lt;b&gt;nothing/)
  assert.match(await (await get('/terms')).text(), /<h1[^>]*>Terms of service<\/h1>/)
  const markdown = await get('/privacy', 'text/markdown')
  assert.equal(await markdown.text(), `${SET.privacyPolicy}\n`)
  const home = await (await get('/')).text()
  assert.match(home, LINKS)
  await service.addMember()
  const paths = [
    '/privacy',
    '/terms',
    '/network',
    '/network?cursor=x',
    '/human/ada',
    '/docs',
    '/mcp',
  ]
  for (const path of [...paths, '/docs?q=token', '/docs/connect', '/sign-in', '/join'])
    assert.match(await (await get(path)).text(), LINKS, path)
  const metadata = (await (await get('/.well-known/oauth-authorization-server')).json()) as object
  assert.partialDeepStrictEqual(metadata, {
    op_policy_uri: `${service.url}/privacy`,
    op_tos_uri: `${service.url}/terms`,
  })
  const resource = (await (await get('/.well-known/oauth-protected-resource/mcp')).json()) as object
  assert.partialDeepStrictEqual(resource, {
    resource_policy_uri: `${service.url}/privacy`,
    resource_tos_uri: `${service.url}/terms`,
  })
})

const LINKS =
  /<a href="\/privacy">Privacy policy<\/a> · <a href="\/terms">Terms of service<\/a> · <a href="https:\/\/example.org\/help">Support<\/a>/

test('proofs of ownership are served unchanged', async () => {
  await using service = await startTestService(SET)
  for (const [name, text] of [
    ['mcp-registry-auth', SET.mcpRegistryAuth],
    ['openai-apps-challenge', SET.openaiAppsChallenge],
  ]) {
    const answer = await fetch(`${service.url}/.well-known/${name}`)
    assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8')
    assert.equal(await answer.text(), text)
  }
})

test('unset pages are 404 and not linked', async () => {
  await using service = await startTestService()
  const paths = [
    '/privacy',
    '/terms',
    '/.well-known/mcp-registry-auth',
    '/.well-known/openai-apps-challenge',
  ]
  for (const path of paths) assert.equal((await fetch(service.url + path)).status, 404, path)
  assert.doesNotMatch(await (await fetch(service.url)).text(), /href="\/(privacy|terms)"/)
  const metadata = await fetch(`${service.url}/.well-known/oauth-authorization-server`)
  assert.doesNotMatch(await metadata.text(), /op_(policy|tos)_uri/)
})

/** The rules of the registry's schema of 2025-12-11 for the members that Weft writes. */
const REGISTRY_ENTRY = Type.Object(
  {
    $schema: Type.Literal(
      'https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json',
    ),
    name: Type.String({
      minLength: 3,
      maxLength: 200,
      pattern: '^[a-zA-Z0-9.-]+/[a-zA-Z0-9._-]+$',
    }),
    title: Type.String({ minLength: 1, maxLength: 100 }),
    description: Type.String({ minLength: 1, maxLength: 100 }),
    version: Type.String({ maxLength: 255, pattern: '^\\d+\\.\\d+\\.\\d+' }),
    websiteUrl: Type.String({ pattern: '^https?://' }),
    icons: Type.Optional(
      Type.Array(
        Type.Object(
          {
            src: Type.String({ maxLength: 255, pattern: '^https://' }),
            mimeType: Type.Enum(['image/png', 'image/jpeg', 'image/svg+xml', 'image/webp']),
            sizes: Type.Array(Type.String({ pattern: '^(\\d+x\\d+|any)$' })),
          },
          { additionalProperties: false },
        ),
      ),
    ),
    repository: Type.Optional(
      Type.Object(
        { url: Type.String({ pattern: '^https://' }), source: Type.Enum(['github', 'gitlab']) },
        { additionalProperties: false },
      ),
    ),
    remotes: Type.Array(
      Type.Object(
        {
          type: Type.Literal('streamable-http'),
          url: Type.String({ pattern: '^https?://[^\\s]+$' }),
        },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
)

test('server.json follows the rules of the MCP registry for every host name', async () => {
  await using service = await startTestService()
  const served: unknown = await (await fetch(`${service.url}/server.json`)).json()
  assert.deepEqual(checkSchema(REGISTRY_ENTRY, served), { ok: true, value: served })
  const entry = registryEntry(NETWORK_MOUNT, {
    publicUrl: 'https://weft.example.org',
    version: '1.2.3',
    repository: { url: 'https://github.com/example/weft', source: 'github' },
  })
  assert.ok(checkSchema(REGISTRY_ENTRY, entry).ok)
  assert.partialDeepStrictEqual(entry, {
    name: 'org.example.weft/network',
    repository: { url: 'https://github.com/example/weft', source: 'github' },
    remotes: [{ type: 'streamable-http', url: 'https://weft.example.org/mcp' }],
  })
  assert.ok('icons' in entry)
})
