/** WEFT_PORT=0: every URL that the service sends contains the bound port. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { createHome, assertRejected, servingHere } from './support/command-line.ts'
import { runWeft } from './support/in-process.ts'
import { openVisitor } from './support/visitor.ts'

const PORT_ZERO = /:0(?![0-9])/

const PASSWORD = 'analytical engine 1843'

test('with port 0, the join link and agents work, and every URL has the real port', async () => {
  await using home = await createHome({ WEFT_PORT: '0', WEFT_LOG_LEVEL: 'warn' })
  const service = await servingHere(home)
  const { url, said } = service
  assert.match(new URL(url).port, /^[1-9][0-9]+$/)
  assert.doesNotMatch(said, PORT_ZERO)

  const link = /Join as the first member[^]*?(http\S+)/.exec(said)?.[1] ?? ''
  assert.equal(new URL(link).origin, url)
  const ada = openVisitor(url)
  const joining = await ada.get(link)
  const joined = await ada.submit(joining, {
    name: 'Ada Lovelace',
    username: 'ada',
    email: 'ada@example.org',
    password: PASSWORD,
  })
  assert.equal(joined.status, 303, joined.text)
  assert.equal(new URL(joined.location ?? '').origin, url)
  const inside = await ada.follow(joined)
  assert.equal(inside.status, 200, 'the session cookie belongs to this URL')
  const clients = await ada.get('/user/integrations/mcp')
  assert.ok(clients.html.includes(`${url}/mcp`))

  await agentConnects(url, ada)
  for (const path of ANONYMOUS) {
    const response = await fetch(new URL(path, url))
    const content = `${JSON.stringify([...response.headers])}\n${await response.text()}`
    assert.doesNotMatch(content, /(localhost|127\.0\.0\.1|\[::1\]):0(?![0-9])/, path)
  }
  const demo = await fetch(new URL('/api/human/demo', url))
  const { profile_url } = (await demo.json()) as { profile_url: string }
  assert.equal(new URL(profile_url).origin, url)
  const metadata = await fetch(new URL('/.well-known/oauth-authorization-server', url))
  assert.equal(((await metadata.json()) as { issuer: string }).issuer, url)
  assert.equal((await service.stop('SIGTERM')).code, 0)
})

test('a command that must print a link reports that only the running service knows its port', async () => {
  await using home = await createHome({ WEFT_PORT: '0' })
  const made = await home.run('member', 'create', '--username', 'ada', '--name', 'Ada')
  assert.equal(made.code, 0)
  assert.doesNotMatch(made.stderr, PORT_ZERO)
  for (const command of [['invite', 'create'], ['member', 'reset-link', 'ada'], ['work']])
    assertRejected(await home.run(...command), 1, /WEFT_PORT is 0[^]*Set WEFT_PUBLIC_URL/)
  const settings = { ...home.environment, WEFT_PUBLIC_URL: 'http://127.0.0.1:4000' }
  const told = await runWeft(settings, ['invite', 'create'])
  assert.match(told.stdout, /^http:\/\/127\.0\.0\.1:4000\/join/)
})

/** Documents and headers that contain the service's URL, including a challenge and an error. */
const ANONYMOUS = [
  '/',
  '/llms.txt',
  '/auth.md',
  '/openapi.json',
  '/v1',
  '/mcp',
  '/sitemap.xml',
  '/api/human/demo',
  '/api/network/members?q=climate',
  '/sandbox',
  '/oauth/authorize',
  '/sign-in',
  '/.well-known/oauth-protected-resource/mcp',
  '/.well-known/oauth-authorization-server',
  '/.well-known/mcp.json',
]

/** Uses a token that the member creates on the page, whose form is bound to this URL by cookie and policy. */
async function agentConnects(url: string, member: ReturnType<typeof openVisitor>): Promise<void> {
  const page = await member.get('/user/integrations/mcp')
  const created = await member.follow(
    await member.submit(page, { name: 'laptop', confirm_password: PASSWORD }),
  )
  const token = /weft_pat_[0-9A-Za-z]+/.exec(created.html)?.[0]
  assert.ok(token, created.text)
  const client = new Client({ name: 'port-zero', version: '1.0.0' })
  await client.connect(
    new StreamableHTTPClientTransport(new URL('/mcp', url), {
      requestInit: { headers: { authorization: `Bearer ${token}` } },
    }),
  )
  const { isError } = await client.callTool({ name: 'whoami', arguments: {} })
  await client.close()
  assert.notEqual(isError, true)
}
