/** With every route and tool, one member cannot see, count or change anything of another. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberBrowser, oauthClient, type MemberBrowser } from './support/oauth.ts'
import { MARK, TOOL_RULES, type KnownIds } from './fixtures/tool-rules.ts'
import { startTestService, type TestService } from './support/service.ts'
import { until } from './support/until.ts'

interface Agent {
  readonly token: string
  call(name: string, args: object): Promise<{ text: string; result: Record<string, unknown> }>
  send(method: string, path: string, body?: unknown): Promise<{ status: number; text: string }>
}

async function createAgent(service: TestService, browser: MemberBrowser): Promise<Agent> {
  const { access_token: token } = await browser.connect(await oauthClient(service).register())
  const send = async (method: string, path: string, body?: unknown) => {
    const response = await fetch(service.url + path, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      redirect: 'manual',
    })
    const text = await response.text()
    const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`)
    return { status: response.status, text: [...headers, text].join('\n') }
  }
  return {
    token,
    send,
    async call(name, args) {
      const params = { name, arguments: args }
      const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
      const { text } = await send('POST', '/mcp', message)
      const body = text.slice(text.indexOf('{"jsonrpc"'))
      const { result } = JSON.parse(body) as {
        result: { structuredContent: Record<string, unknown> }
      }
      return { text, result: result.structuredContent }
    },
  }
}

async function fill(ada: Agent): Promise<KnownIds> {
  const people = [0, 1].map((at) => ({
    name: `${MARK} Person ${at}`,
    company: `${MARK} Works`,
    title: `Chief ${MARK}`,
    location: `${MARK} City`,
    emails: [`p${at}@${MARK}.example`],
  }))
  const [first] = await Promise.all(people.map((person) => ada.call('add_connections', person)))
  assert.ok(first)
  const connectionId = stringIn(first.text, 'connection_id')
  const note = await ada.call('save_note', { people: connectionId, text: `${MARK} note` })
  const followUp = await ada.call('save_follow_up', {
    people: connectionId,
    text: `${MARK} call`,
    due_on: '2026-12-01',
  })
  const interaction = await ada.call('log_interaction', {
    people: [connectionId],
    kind: 'call',
    subject: MARK,
  })
  await ada.call('update_connections', {
    people: [connectionId],
    tags: { add: [`${MARK}-tag`] },
  })
  await ada.call('set_custom_field', { name: MARK })
  await ada.call('update_connections', {
    people: connectionId,
    details: { custom: { [MARK]: MARK } },
  })
  const csv = `First Name,Last Name,Company\n${MARK},Imported,${MARK} Ltd\n`
  const job = await ada.call('import_connections', { content: csv })
  const jobId = stringIn(job.text, 'task_id')
  await until(async () =>
    (await ada.call('get_jobs', { task_id: jobId })).text.includes('"terminal":true'),
  )
  const activity = await ada.call('list_activity', {})
  const form = new FormData()
  form.append('file', new Blob([csv]), `${MARK}.csv`)
  return {
    connectionId,
    jobId,
    uploadId: 'upl_unknown',
    noteId: stringIn(note.text, 'note_id'),
    followUpId: stringIn(followUp.text, 'follow_up_id'),
    interactionId: stringIn(interaction.text, 'interaction_id'),
    activityId: stringIn(activity.text, 'activity_id'),
  }
}

function stringIn(text: string, name: string): string {
  const found = new RegExp(`"${name}":"?([\\w-]+)`).exec(text)?.[1]
  assert.ok(found, `${name} in ${text}`)
  return found
}

/** Everything Ada can read about herself, except times and credits. */
async function everythingOf(ada: Agent): Promise<string> {
  const parts = await Promise.all([
    ada.call('search_connections', { limit: 50 }),
    ada.call('list_timeline', { kinds: ['note'] }),
    ada.call('list_follow_ups', { status: 'all' }),
    ada.call('list_tags', {}),
    ada.call('list_activity', {}),
    ada.call('get_network_summary', {}),
  ])
  return JSON.stringify(parts.map(({ result }) => result))
}

test('no tool returns or changes another member’s data', async () => {
  await using service = await startTestService()
  const [ada, grace] = await bothAgents(service)
  const of = await fill(ada)
  const before = await everythingOf(ada)
  assert.ok(before.includes(MARK))
  const listed = await grace.send('POST', '/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/list' })
  const names = [...listed.text.matchAll(/\{"name":"([a-z_]+)","title"/g)].map(([, name]) => name)
  assert.ok(names.length >= 12)
  for (const name of names) {
    const rule = TOOL_RULES[name ?? '']
    assert.ok(rule, `TOOL_RULES has no row of ${name}: add one`)
    for (const args of rule.calls(of)) {
      const { text } = await grace.call(name ?? '', args)
      const echoed = text.replaceAll(JSON.stringify(args).slice(1, -1), '')
      assert.ok(!mentions(echoed, args), `${name} ${JSON.stringify(args)}: ${text}`)
    }
  }
  assert.equal(await everythingOf(ada), before)
})

/** Whether a text reveals something about Ada that was not in the request. */
function mentions(text: string, asked: object): boolean {
  const question = JSON.stringify(asked)
  if (!text.includes(MARK)) return false
  return !question.includes(MARK) || /Person|note|Imported|Chief|City|Ltd/.test(text)
}

test('no route returns or changes another member’s data', async () => {
  await using service = await startTestService()
  const [ada, grace] = await bothAgents(service)
  const of = await fill(ada)
  const before = await everythingOf(ada)
  const values = [of.jobId, of.connectionId, of.uploadId, 'secret']
  for (const { method, path, access } of service.routes) {
    if (access === 'public' && path.startsWith('/oauth')) continue
    for (const value of path.includes(':') ? values : ['']) {
      const target = path.replaceAll(/:[a-z_]+/g, value)
      for (const body of method === 'GET' ? [undefined] : [{}, { kind: 'file_import' }]) {
        const { status, text } = await grace.send(method, target, body)
        assert.ok(status < 500, `${method} ${target}: ${status} ${text}`)
        assert.ok(!text.includes(MARK), `${method} ${target}: ${text}`)
      }
    }
  }
  assert.equal(await everythingOf(ada), before)
})

/** Ada's profile is private, so that nothing about her is public by choice. */
async function bothAgents(service: TestService): Promise<[Agent, Agent]> {
  const secret = { username: 'secret', name: `${MARK} Ada`, isPublic: false }
  const browsers = [
    await memberBrowser(service, secret),
    await memberBrowser(service, { username: 'grace', name: 'Grace' }),
  ]
  const agents = await Promise.all(browsers.map((browser) => createAgent(service, browser)))
  const [ada, grace] = agents
  assert.ok(ada && grace)
  return [ada, grace]
}
