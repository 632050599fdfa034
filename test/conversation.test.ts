/** One long conversation of an agent through the official client, with checks of its results and costs. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { memberStatement } from '../src/db/statement.ts'
import { startTestService } from './support/service.ts'
import { until } from './support/until.ts'

const CONTACTS = `First Name,Last Name,URL,Email Address,Company,Position,Connected On
Grace,Hopper,https://www.linkedin.com/in/ghopper,grace@navy.example,US Navy,Rear Admiral,01 Mar 2024
Katherine,Johnson,https://www.linkedin.com/in/kjohnson,katherine@nasa.example,NASA,Mathematician,02 Mar 2024
Margaret,Hamilton,https://www.linkedin.com/in/mhamilton,,MIT,Director of Software,03 Mar 2024
Annie,Easley,https://www.linkedin.com/in/aeasley,,NASA,Computer Scientist,04 Mar 2024
`

type Structured = Record<string, unknown>

const LEDGER = memberStatement<object, { reason: string; charges: number; credits: number }>()(`
  select reason, count(*) as charges, cast(0 - sum(delta) as bigint) as credits from credit_ledger
  where member_id = :member_id and kind in ('charge', 'refund') group by reason order by reason`)

test('an agent imports, searches, merges, adds notes, follows up and undoes, and pays for exactly that', async () => {
  await using service = await startTestService()
  const member = await service.addMember()
  const client = new Client(
    { name: 'agent', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  )
  const headers = { authorization: `Bearer ${await service.mintToken()}` }
  const address = new URL(`${service.url}/mcp`)
  await client.connect(new StreamableHTTPClientTransport(address, { requestInit: { headers } }))
  const { tools } = await client.listTools()
  const price = new Map(tools.map(({ name, _meta }) => [name, Number(_meta?.['weft/cost'])]))
  const paid = new Map<string, number>()
  let calls = 0
  const call = async (name: string, args: Structured = {}): Promise<Structured> => {
    const result = await client.callTool({ name, arguments: args })
    calls += 1
    assert.notEqual(result.isError, true, `${name}: ${JSON.stringify(result.content)}`)
    const cost = Number(result._meta?.['weft/cost'])
    assert.equal(cost, args['done'] === true ? 0 : price.get(name), name)
    if (cost > 0) paid.set(name, (paid.get(name) ?? 0) + cost)
    return result.structuredContent as Structured
  }
  const namesOf = (page: Structured) =>
    (page['connections'] as { name: string }[]).map(({ name }) => name)
  const peopleIn = async (name: string, args: Structured) =>
    (await call(name, args))['connections'] as Structured[]
  const idOf = async (query: string) => {
    const found = await call('search_connections', { query })
    const [first] = found['connections'] as { connection_id: string }[]
    assert.ok(first, query)
    return first.connection_id
  }

  assert.equal(((await call('whoami'))['member'] as Structured)['username'], 'ada')
  const remaining = async () => ((await call('whoami'))['credits'] as Structured)['remaining']
  assert.equal(await remaining(), 1000)

  const { task_id } = await call('import_connections', { content: CONTACTS })
  const job = async () => ((await call('get_jobs', { task_id }))['jobs'] as Structured[])[0]
  await until(async () => (await job())?.['terminal'] === true)
  assert.equal(namesOf(await call('search_connections')).length, 4)
  const [best] = namesOf(await call('search_connections', { query: 'nasa math' }))
  assert.equal(best, 'Katherine Johnson')

  const grace = await idOf('hopper')
  await call('add_connections', {
    name: 'Grace B. Hopper',
    company: 'US Navy',
    location: 'Arlington, Virginia',
    phones: ['+1 555 0100'],
    allow_duplicate: true,
  })
  const twin = await idOf('grace b hopper')
  assert.notEqual(twin, grace)
  const { groups } = (await call('find_duplicates')) as { groups: Structured[] }
  assert.equal(groups.length, 1)
  const merge = { action: 'merge', keep_id: grace, merge_ids: [twin] }
  const [merged = {}] = (await call('resolve_duplicates', merge))['groups'] as Structured[]
  assert.equal(namesOf(await call('search_connections')).length, 4)
  await call('undo', { activity_id: merged['activity_id'] })
  assert.equal(namesOf(await call('search_connections')).length, 5)
  await call('resolve_duplicates', merge)
  const [kept = {}] = await peopleIn('get_connections', { people: [grace] })
  assert.deepEqual(
    [kept['name'], kept['title'], kept['location'], kept['phones']],
    ['Grace Hopper', 'Rear Admiral', 'Arlington, Virginia', ['+1 555 0100']],
  )

  await call('save_note', { people: grace, text: 'Collects nanoseconds of wire.' })
  assert.equal(await idOf('nanoseconds'), grace)
  await call('update_connections', { people: [grace], tags: { add: ['Compilers'] } })
  const { tags } = (await call('list_tags')) as { tags: Structured[] }
  assert.deepEqual(tags, [{ tag: 'Compilers', count: 1 }])
  const plan = {
    people: grace,
    text: 'Ask about COBOL',
    due_on: '2026-11-30',
    recurrence: 'monthly',
  }
  const [set = {}] = (await call('save_follow_up', plan))['follow_ups'] as Structured[]
  await call('save_follow_up', { follow_up_id: set['follow_up_id'], done: true })
  const open = (await call('list_follow_ups'))['follow_ups'] as Structured[]
  assert.deepEqual(
    open.map(({ text, due_on }) => [text, due_on]),
    [['Ask about COBOL', '2026-12-30']],
  )

  const introductions = await call('find_introductions', { target: 'NASA' })
  assert.ok(JSON.stringify(introductions).includes('Katherine Johnson'))
  const margaret = await idOf('hamilton')
  await call('update_connections', { people: margaret, company: 'Draper Laboratory' })
  await call('undo')
  const [again] = await peopleIn('get_connections', { people: [margaret] })
  assert.equal(again?.['company'], 'MIT')
  const annie = await idOf('easley')
  await call('delete_connections', { people: [annie] })
  assert.deepEqual(namesOf(await call('search_connections', { query: 'easley' })), [])
  await call('restore_connections', { people: [annie] })
  await call('update_profile', { headline: 'Keeps in touch' })

  const names = namesOf(await call('search_connections'))
  assert.deepEqual(names, [
    'Annie Easley',
    'Grace Hopper',
    'Katherine Johnson',
    'Margaret Hamilton',
  ])
  const { activity } = (await call('list_activity', { limit: 50 })) as { activity: Structured[] }
  assert.ok(activity.length >= 13)
  const total = [...paid.values()].reduce((sum, credits) => sum + credits, 0)
  assert.equal(await remaining(), 1000 - total)
  await client.close()

  assert.ok(calls >= 30, `${calls} calls`)
  const rows = await service.database.member(member.memberId).all(LEDGER, {})
  const charged = new Map(rows.map(({ reason, credits }) => [reason, credits]))
  // A job is charged by its kind.
  const expected = new Map(
    [...paid].map(([name, credits]) => [
      name === 'import_connections' ? 'file_import' : name,
      credits,
    ]),
  )
  assert.deepEqual(
    charged,
    new Map([...expected].toSorted(([one], [other]) => (one < other ? -1 : 1))),
  )
})
