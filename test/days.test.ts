/** Dates in tool arguments: a date that does not exist is rejected with an error that states the format. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestService } from './support/service.ts'

interface Tool {
  readonly name: string
  readonly inputSchema: {
    readonly properties: Readonly<
      Record<string, { readonly type?: string; readonly description?: string }>
    >
  }
}

interface Result {
  readonly isError?: boolean
  readonly tools: readonly Tool[]
  readonly structuredContent?: { readonly people: readonly { readonly connection_id: string }[] }
  readonly content: readonly { readonly text: string }[]
}

/** The other arguments that a call needs before its dates are checked. */
const NEEDED: Readonly<Record<string, object>> = {
  search_connections: { query: '' },
  list_follow_ups: {},
  add_connections: { name: 'Jean Jennings' },
  update_connections: {},
  log_interaction: { people: ['Grace Hopper'], kind: 'call' },
  keep_in_touch: { people: ['Grace Hopper'] },
  save_note: { text: 'Met' },
  save_follow_up: { text: 'Write' },
}

/** A listed argument has no description if its name says the same. */
const DAY_NAMES = /(?:^|_)(?:on|since|until|before|after|birthday)$/

const NO_DAYS = ['2027-02-30', '2027-13-01', '2027-02-29', '03/04/2027', 'in spring', 'never']

const SAME_DAY = ['2028-02-29', '29 February 2028', 'Feb 29, 2028', '2028-02-29T10:00:00Z']

test('every date argument must be a real date, and the error states the format', async () => {
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  const send = async (method: string, params: object): Promise<Result> => {
    const answer = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    return ((await answer.json()) as { result: Result }).result
  }
  const call = (name: string, input: object) => send('tools/call', { name, arguments: input })
  const added = await call('add_connections', { name: 'Grace Hopper' })
  const connection_id = added.structuredContent?.people[0]?.connection_id
  await call('save_note', { people: connection_id, text: 'Met' })
  await call('save_follow_up', { people: connection_id, text: 'Call', due_on: '2027-01-01' })
  const { tools } = await send('tools/list', {})
  // `since` of undo is a time.
  const dated = tools.filter(({ name }) => name !== 'undo')
  const days = dated.flatMap(({ name, inputSchema: { properties } }) =>
    Object.entries(properties)
      .filter(
        ([argument, { type, description = '' }]) =>
          type === 'string' && (/\bdate\b/i.test(description) || DAY_NAMES.test(argument)),
      )
      .map(([argument]) => ({
        name,
        argument,
        takesPeople: 'people' in properties,
      })),
  )
  assert.deepEqual(days.map(({ name, argument }) => `${name} ${argument}`).toSorted(), [
    'keep_in_touch paused_until',
    'list_activity since',
    'list_activity until',
    'list_follow_ups due_before',
    'list_timeline since',
    'list_timeline until',
    'log_interaction on',
    'save_follow_up due_on',
    'save_note on',
    'search_connections changed_jobs_since',
    'search_connections connected_after',
    'search_connections last_contact_before',
    'update_connections birthday',
    'update_connections connected_on',
  ])
  for (const { name, argument, takesPeople } of days) {
    const input = {
      ...NEEDED[name],
      ...(takesPeople && { people: connection_id }),
    }
    for (const day of NO_DAYS) {
      const refused = await call(name, { ...input, [argument]: day })
      assert.equal(refused.isError, true, `${name} ${argument} ${day}`)
      const text = refused.content[0]?.text ?? ''
      assert.match(text, new RegExp(`${argument}\\b.*for example`), `${name} ${day}`)
    }
    for (const day of SAME_DAY) {
      const taken = await call(name, { ...input, [argument]: day })
      assert.equal(taken.isError, undefined, `${name} ${argument}: ${taken.content[0]?.text}`)
    }
  }
  const detailsWith = (day: string) => [
    { dates: [{ label: 'anniversary', date: day }] },
    { organizations: [{ name: 'Navy', current: false, until: day }] },
  ]
  const update = (details: object) => call('update_connections', { people: connection_id, details })
  for (const day of NO_DAYS)
    for (const details of detailsWith(day)) {
      const refused = await update(details)
      assert.equal(refused.isError, true, JSON.stringify(details))
      assert.match(refused.content[0]?.text ?? '', /details\b.*must be a date: YYYY-MM-DD/)
    }
  for (const details of ['2028-02-29', '2028-02', '2028'].flatMap(detailsWith)) {
    const taken = await update(details)
    assert.equal(taken.isError, undefined, `${JSON.stringify(details)}: ${taken.content[0]?.text}`)
  }
})
