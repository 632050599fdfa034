import assert from 'node:assert/strict'
import { PASSWORD } from '../../../test/support/password.ts'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import fc from 'fast-check'
import { DAY, HOUR } from '../../base/clock.ts'
import { mintApiToken } from '../../access/api-token.ts'
import { createCloudAgent } from '../../access/cloud-agent.ts'
import { idOf, createTestWorld, secretIn } from '../../../test/fixtures/agents.ts'
import {
  DISCONNECT_AGENT_PATH,
  INTEGRATIONS_PATH,
  REMOVE_CLOUD_AGENT_PATH,
  REVOKE_TOKEN_PATH,
} from '../../html/site-map.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { runsOf } from '../../../test/support/engine-options.ts'

test('an empty page explains what to do', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { text, html } = await ada.show()
  assert.match(text, /No tokens\. Most apps sign in without one/)
  assert.doesNotMatch(text, /Connected apps|Connection attempts|Cloud agents/)
  assert.ok(html.includes(`data-copy="${world.service.url}/mcp"`))
})

test('every sidebar entry links to a page', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const nav = /<nav\b.*?<\/nav>/s.exec((await ada.show()).html)?.[0] ?? ''
  const paths = [...nav.matchAll(/href="([^"]*)"/g)].map(([, path = '']) => path)
  assert.ok(paths.length > 0)
  for (const path of paths)
    assert.equal((await ada.visitor.follow(await ada.visitor.get(path))).status, 200, path)
})

test('a connected app is listed with its destination, date and call count', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const token = await ada.connect('Claude', 'https://claude.ai/api/mcp/auth_callback')
  const unused = await ada.show()
  assert.match(unused.text, /Claude Access given to claude\.ai Connected 21 Nov 2026/)
  // The agent leads to what it changed.
  assert.match(unused.html, /href="\/user\/activity\?by&#61;agent%3AClaude"/)
  assert.match(unused.text, /· not used yet · 0 calls this month/)
  assert.equal(await ada.call(token), 200)
  assert.match((await ada.show()).text, /· last used just now · 1 call this month/)
  assert.equal(await ada.call(token), 200)
  world.service.clock.advance(3 * HOUR)
  assert.match((await ada.show()).text, /· last used 3 hours ago · 2 calls this month/)
  world.service.clock.advance(10 * DAY)
  assert.match((await ada.show()).text, /· last used 21 Nov 2026 · 0 calls this month/)
})

test('local apps and apps with a custom scheme are labeled as such', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.connect('Claude Code', 'http://127.0.0.1:33418/callback')
  await ada.connect('Cursor', 'cursor://anysphere.cursor-mcp/oauth/callback')
  const { text } = await ada.show()
  assert.match(text, /given to 127\.0\.0\.1:33418 , on the computer you used/)
  assert.match(text, /given to the app that opens cursor: links/)
})

test('a disconnected app loses access and disappears from the page', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const token = await ada.connect('Claude')
  const page = await ada.show()
  const inAnotherTab = await ada.show()
  const done = await ada.visitor.submit(page, {}, idOf(page, 'grant_id'))
  assert.equal(done.status, 303)
  const after = await ada.visitor.follow(done)
  assert.match(after.text, /App disconnected\./)
  assert.doesNotMatch(after.text, /Connected apps/)
  assert.equal(await ada.call(token), 401)
  const again = await ada.visitor.submit(inAnotherTab, {}, idOf(page, 'grant_id'))
  assert.equal(again.status, 404)
  assert.match(again.text, /This app is not connected/)
  assert.equal(again.links['Back to agents & tokens'], world.service.url + INTEGRATIONS_PATH)
})

test('a token is shown once, works, and is not stored', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const made = await ada.submit({ name: ' ci ', expires: '30' })
  const secret = secretIn(made)
  assert.equal(made.headers.get('cache-control'), 'no-store')
  assert.ok(made.html.includes(`data-copy="${secret}"`))
  assert.match(made.text, /Token ci created Copy it now; you won't see it again/)
  assert.equal(await ada.call(secret), 200)
  const { html, text } = await ada.show()
  assert.ok(!html.includes(secret))
  assert.match(
    text,
    new RegExp(`ci ${secret.slice(0, 13)}… · used by your own AI client · expires`),
  )
  assert.match(
    text,
    /expires 21 Dec 2026 Created 21 Nov 2026 · last used just now · 1 call this month/,
  )
  assert.ok(!(await world.service.everything()).includes(secret.slice(13)))
})

test('a second token with the name of another is refused', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const sent = await ada.visitor.submit(await ada.show(), {
    name: 'ci',
    confirm_password: PASSWORD,
  })
  secretIn(await ada.visitor.follow(sent))
  const again = await ada.visitor.submit(await ada.show(), {
    name: 'ci',
    confirm_password: PASSWORD,
  })
  assert.equal(again.status, 422)
  assert.doesNotMatch(again.html, /weft_pat_[0-9A-Za-z]{20}/)
})

test('the default lifetime is 90 days, and a token without expiration says so', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.make({ name: 'usual' })
  await ada.make({ name: 'endless', expires: 'never' })
  const { text } = await ada.show()
  assert.match(text, /usual weft_pat_\w+… · used by your own AI client · expires 19 Feb 2027/)
  assert.match(text, /endless weft_pat_\w+… · used by your own AI client · no expiration/)
  const german = await ada.visitor.get(INTEGRATIONS_PATH, { 'accept-language': 'de' })
  assert.match(german.text, /läuft am 19\. Feb\. 2027 ab/)
  assert.doesNotMatch(german.text, /expires/)
})

test('expired tokens and tokens that expire within a week are marked', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const db = world.service.database.member(ada.memberId)
  for (const lifetimeDays of [2, 7, 8]) {
    const token = { name: `days ${lifetimeDays}`, holder: 'ai_client', lifetimeDays } as const
    await db.write((tx) => mintApiToken(tx, token, world.service.clock.now()))
  }
  const { text } = await ada.show()
  assert.match(text, /days 7 expires soon weft_pat_/)
  assert.match(text, /days 8 weft_pat_/)
  world.service.clock.advance(2 * DAY)
  assert.match((await ada.show()).text, /days 2 expired weft_pat_\S+ · .*? · expired 23 Nov 2026/)
})

test('a revoked token stops working, the others do not', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const secret = await ada.make({ name: 'ci' })
  const page = await ada.show()
  const other = await ada.make({ name: 'other' })
  const done = await ada.visitor.submit(page, {}, idOf(page, 'token_id'))
  assert.match((await ada.visitor.follow(done)).text, /Token revoked\./)
  assert.equal(await ada.call(secret), 401)
  assert.equal(await ada.call(other), 200)
})

test('a cloud agent is created with its first token, and removed with all its tokens', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const own = await ada.make({ name: 'own' })
  const first = await ada.make({ name: 'first', holder: 'new', agent_name: 'night shift' })
  const page = await ada.show()
  assert.match(page.text, /first weft_pat_\S+ · used by the cloud agent night shift/)
  assert.match(page.text, /night shift Tokens: first Created 21 Nov 2026/)
  assert.match(page.text, /Remove night shift\? This revokes its 1 token/)
  const agentId = idOf(page, 'agent_id')
  const second = await ada.make({ name: 'second', holder: agentId })
  const both = await ada.show()
  assert.match(both.text, /Tokens: (first , second|second , first)/)
  assert.match(both.text, /This revokes its 2 tokens immediately/)
  const done = await ada.visitor.submit(both, {}, agentId)
  assert.match((await ada.visitor.follow(done)).text, /Cloud agent removed/)
  for (const secret of [first, second]) assert.equal(await ada.call(secret), 401)
  assert.equal(await ada.call(own), 200)
})

test('an invalid token form shows errors next to the fields and keeps the input', async () => {
  await using world = await createTestWorld()
  const [ada, grace] = [await world.join('ada'), await world.join('grace')]
  const { service } = world
  await ada.make({ name: 'ci', holder: 'new', agent_name: 'scout' })
  const foreign = await service.database
    .member(grace.memberId)
    .write((tx) => createCloudAgent(tx, 'hers', service.clock.now()))
  const before = (await ada.show()).text
  const attempts = [
    ['name', { name: '  ' }, "A token's name must have 1 to 80 visible characters."],
    ['name', { name: 'a\u200bb' }, "A token's name must have 1 to 80 visible characters."],
    ['name', { name: 'ci' }, 'A token named “ci” already exists.'],
    ['agent_name', { name: 'x', holder: 'new' }, "A cloud agent's name must have 1 to 80 visible"],
    [
      'agent_name',
      { name: 'x', holder: 'new', agent_name: 'scout' },
      'A cloud agent named “scout” already exists',
    ],
    [
      'name',
      { name: 'ci', holder: 'new', agent_name: 'kept' },
      'A token named “ci” already exists',
    ],
    ['holder', { name: 'x', holder: foreign.agentId }, 'Cloud agent not found'],
    ['holder', { name: 'x', holder: '' }, 'Cloud agent not found'],
    ['expires', { name: 'x', expires: '10000' }, 'Choose when the token expires.'],
    ['expires', { name: 'x', expires: 'constructor' }, 'Choose when the token expires.'],
  ] as const
  for (const [field, sent, error] of attempts) {
    const answer = await ada.submit(sent)
    const about = JSON.stringify(sent)
    assert.equal(answer.status, 422, about)
    const form = answer.forms.find(({ fields }) => Object.hasOwn(fields, 'expires'))
    assert.ok(form, about)
    assert.deepEqual(Object.keys(form.errors), [field], about)
    assert.ok(form.errors[field]?.startsWith(error), about)
    assert.equal(form.fields['name'], sent.name, about)
    if ('agent_name' in sent) assert.equal(form.fields['agent_name'], sent.agent_name, about)
    assert.match(
      answer.html,
      /<details class="rare" open>\s*<summary class="button plain">New token/,
    )
  }
  assert.equal((await ada.show()).text, before)
})

test('access of other members cannot be ended and is not revealed', async () => {
  await using world = await createTestWorld()
  const [ada, grace] = [await world.join('ada'), await world.join('grace')]
  const connected = await ada.connect('Claude')
  const secret = await ada.make({ name: 'ci', holder: 'new', agent_name: 'scout' })
  const page = await ada.show()
  const form_token = (await grace.show()).formToken
  const targets = [
    [DISCONNECT_AGENT_PATH, 'grant_id'],
    [REVOKE_TOKEN_PATH, 'token_id'],
    [REMOVE_CLOUD_AGENT_PATH, 'agent_id'],
  ] as const
  for (const [path, field] of targets) {
    const [real, invented] = await Promise.all(
      [idOf(page, field), 'tok_none'].map((id) =>
        grace.visitor.post(path, { form_token, [field]: id }, SAME_ORIGIN),
      ),
    )
    assert.equal(real?.status, 404, path)
    assert.equal(real.text, invented?.text, path)
    assert.equal((await grace.visitor.post(path, { form_token }, SAME_ORIGIN)).status, 404)
  }
  assert.equal((await ada.show()).text, page.text)
  for (const token of [connected, secret]) assert.equal(await ada.call(token), 200)
})

test('cross-site forms and forms without a valid token are rejected', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const connected = await ada.connect('Claude')
  const secret = await ada.make({ name: 'ci', holder: 'new', agent_name: 'scout' })
  const page = await ada.show()
  const form_token = page.formToken
  const forms = [
    [DISCONNECT_AGENT_PATH, { grant_id: idOf(page, 'grant_id') }],
    [REVOKE_TOKEN_PATH, { token_id: idOf(page, 'token_id') }],
    [REMOVE_CLOUD_AGENT_PATH, { agent_id: idOf(page, 'agent_id') }],
    [INTEGRATIONS_PATH, { name: 'theirs', holder: 'ai_client', expires: '30' }],
  ] as const
  for (const [path, fields] of forms) {
    const foreign = { 'sec-fetch-site': 'cross-site', origin: 'https://evil.example' }
    for (const [sent, headers] of [
      [{ ...fields, form_token }, foreign],
      [fields, SAME_ORIGIN],
      [{ ...fields, form_token: 'x'.repeat(form_token.length) }, SAME_ORIGIN],
    ] as const) {
      const answer = await ada.visitor.post(path, sent, headers)
      assert.equal(answer.status, 403, path)
      assert.match(answer.text, /so it was (rejected|not submitted)\./)
    }
  }
  const after = await ada.show()
  assert.equal(after.text, page.text)
  for (const token of [connected, secret]) assert.equal(await ada.call(token), 200)
})

test('visitors are redirected to sign in', async () => {
  await using world = await createTestWorld()
  const { service } = world
  for (const method of ['GET', 'POST']) {
    const response = await fetch(service.url + INTEGRATIONS_PATH, {
      method,
      redirect: 'manual',
      ...(method === 'POST' && { body: new URLSearchParams({ name: 'x' }) }),
    })
    assert.equal(response.status, 303)
    assert.match(response.headers.get('location') ?? '', /^\/sign-in/)
  }
})

test('names are escaped and isolated from the surrounding text', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const name = `<img src=x onerror=alert(1)> " ' & אבג`
  await ada.connect(name)
  const made = await ada.submit({ name, holder: 'new', agent_name: name })
  const page = await ada.show()
  for (const { html } of [made, page]) {
    assert.doesNotMatch(html, /<img/)
    assert.ok(html.includes('<bdi>&#60;img src&#61;x'))
  }
})

test('unknown notices are not shown', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const plain = (await ada.show()).text
  for (const notice of ['', 'Call+this+number', 'constructor', '__proto__', 'token_revoked%20'])
    assert.equal((await ada.visitor.get(`${INTEGRATIONS_PATH}?notice=${notice}`)).text, plain)
})

test('arbitrary input never causes a server error', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const form_token = (await ada.show()).formToken
  const value = fc.oneof(
    unicodeText({ maxLength: 90 }),
    fc.constantFrom('new', 'ai_client', '30', 'never'),
  )
  const fields = fc.dictionary(
    fc.constantFrom('name', 'holder', 'agent_name', 'expires', 'grant_id', 'token_id', 'agent_id'),
    value,
  )
  const path = fc.constantFrom(
    INTEGRATIONS_PATH,
    DISCONNECT_AGENT_PATH,
    REVOKE_TOKEN_PATH,
    REMOVE_CLOUD_AGENT_PATH,
  )
  await fc.assert(
    fc.asyncProperty(path, fields, async (to, sent) => {
      const { status, headers } = await ada.visitor.post(to, { ...sent, form_token }, SAME_ORIGIN)
      assert.ok([200, 303, 400, 404, 422].includes(status), `${status}`)
      if (status !== 303) assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    }),
    { numRuns: runsOf(60) },
  )
})
