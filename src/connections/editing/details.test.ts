import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  getConnectionTool,
  addConnectionTool,
  updateConnectionTool,
} from '../../../test/fixtures/one-person.ts'
import { openSharedWorld, rowsOf, type Acting } from '../../../test/fixtures/network.ts'
import { undoTool } from '../../tools/undo/undo.tool.ts'
import { customFieldUndoer } from '../custom-fields/custom-fields.ts'
import { getNetworkSummaryTool } from '../overview/get-network-summary.tool.ts'
import { setCustomFieldTool } from '../custom-fields/set-custom-field.tool.ts'
import { peopleUndoer } from '../undo/undo-connections.ts'
import type { DetailsJson } from '../../contact-files/contact/details-json.ts'

const undo = undoTool({ undoers: [peopleUndoer, customFieldUndoer] })

const GRACE: DetailsJson = {
  name_prefix: 'Rear Admiral',
  middle_name: 'Brewster',
  nickname: 'Amazing Grace',
  pronouns: 'she/her',
  labels: { 'grace@x.org': 'work', '+1 212 555 0100': 'mobile' },
  addresses: [
    { label: 'home', street: '1 Main St\nFloor 2', city: 'Arlington', postal_code: '22201' },
  ],
  handles: [{ service: 'x', value: 'grace' }],
  organizations: [
    { name: 'Vassar', title: 'Professor', from: '1931', until: '1943-12', current: false },
  ],
  dates: [{ label: 'anniversary', date: '1930-06-15' }],
  relations: [{ name: 'Vincent Hopper', relation: 'spouse' }],
}

async function detailsOf(member: Acting, connection_id = 'c_1'): Promise<DetailsJson | undefined> {
  const whole = await member.ask<{ details?: DetailsJson }>(getConnectionTool, { connection_id })
  return whole.details
}

async function addGrace(member: Acting): Promise<void> {
  await member.ask(addConnectionTool, {
    name: 'Grace Hopper',
    title: 'Engineer',
    company: 'Eckert-Mauchly',
    emails: ['grace@x.org'],
    phones: ['+1 212 555 0100'],
    details: GRACE,
  })
}

test('every detail field can be set, shown and undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addGrace(member)
  assert.deepEqual(await detailsOf(member), GRACE)
  await member.ask(updateConnectionTool, {
    connection_id: 'c_1',
    details: {
      nickname: 'Grandma COBOL',
      pronouns: null,
      labels: { 'grace@x.org': 'old', '+1 212 555 0100': '' },
      handles: null,
      relations: { replace: [] },
    },
  })
  const { pronouns: _pronouns, handles: _handles, relations: _relations, ...left } = GRACE
  assert.deepEqual(await detailsOf(member), {
    ...left,
    nickname: 'Grandma COBOL',
    labels: { 'grace@x.org': 'old' },
  })
  await member.ask(undo, { activity_id: 'a_2' })
  assert.deepEqual(await detailsOf(member), GRACE)
})

test('fields are set as strings; an empty value clears a field, and an omitted field is unchanged', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Tier' })
  await addGrace(member)
  const set = (details: unknown) =>
    member.ask(updateConnectionTool, { connection_id: 'c_1', details })
  await set([
    'nickname = Amazing = Grace',
    'pronouns="she/they"',
    'labels.grace@x.org=private',
    'custom.Tier="[Gold]"',
    'handles={"replace":[{"service":"x","value":"hopper"}]}',
    'dates=',
    'addresses=[]',
  ])
  const { dates: _dates, ...left } = GRACE
  const changed: DetailsJson = {
    ...left,
    nickname: 'Amazing = Grace',
    pronouns: 'she/they',
    labels: { ...GRACE.labels, 'grace@x.org': 'private' },
    handles: [{ service: 'x', value: 'hopper' }],
    custom: { Tier: '[Gold]' },
  }
  assert.deepEqual(await detailsOf(member), changed)
  for (const nothing of [null, '', [], {}])
    await member.refused(updateConnectionTool, { connection_id: 'c_1', details: nothing })
  assert.deepEqual(await detailsOf(member), changed)
  await set('custom.Tier=')
  await set({ labels: '', nickname: null })
  const { nickname: _nickname, labels: _labels, custom: _custom, ...rest } = changed
  assert.deepEqual(await detailsOf(member), rest)
})

test('entries of lists are added, merged by key, removed by their parts, or replaced, and undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addGrace(member)
  type Changes = { readonly changes: readonly { readonly field: string }[] }
  type Fields = { readonly [Field in keyof DetailsJson]?: DetailsJson[Field] | undefined }
  const steps: readonly (readonly [details: unknown, expected: Fields])[] = [
    [
      { relations: [{ name: 'Roger', relation: 'brother' }] },
      {
        relations: [
          { name: 'Vincent Hopper', relation: 'spouse' },
          { name: 'Roger', relation: 'brother' },
        ],
      },
    ],
    [
      { relations: [{ name: 'vincent hopper', relation: 'former spouse' }] },
      {
        relations: [
          { name: 'vincent hopper', relation: 'former spouse' },
          { name: 'Roger', relation: 'brother' },
        ],
      },
    ],
    [
      [
        'dates={"add":[{"label":"anniversary","date":"1930-06-16"}],"remove":[{"label":"Anniversary"}]}',
        'handles=[{"service":"matrix","value":"@g:x.org"}]',
        'handles={"add":[{"service":"X","value":"Grace","label":"work"}]}',
      ],
      {
        dates: [{ label: 'anniversary', date: '1930-06-16' }],
        handles: [
          { service: 'x', value: 'Grace', label: 'work' },
          { service: 'matrix', value: '@g:x.org' },
        ],
      },
    ],
    [
      {
        organizations: [{ name: 'Navy', from: '1943-12', current: true }],
        addresses: { remove: [{ city: 'arlington' }, { city: 'Rome', postal_code: '22201' }] },
      },
      {
        organizations: [
          ...(GRACE.organizations ?? []),
          { name: 'Navy', from: '1943-12', current: true },
        ],
        addresses: undefined,
      },
    ],
    [{ relations: { replace: [{ name: 'Mary' }] } }, { relations: [{ name: 'Mary' }] }],
  ]
  const states: (DetailsJson | undefined)[] = [await detailsOf(member)]
  for (const [details, expected] of steps) {
    const { changes } = await member.ask<Changes>(updateConnectionTool, {
      connection_id: 'c_1',
      details,
    })
    const { ...was } = states.at(-1)
    assert.deepEqual(changes.map(({ field }) => field).toSorted(), Object.keys(expected).toSorted())
    const now = JSON.parse(JSON.stringify({ ...was, ...expected })) as DetailsJson
    assert.deepEqual(await detailsOf(member), now)
    states.push(now)
  }
  for (const state of states.slice(0, -1).toReversed()) {
    await member.ask(undo)
    assert.deepEqual(await detailsOf(member), state)
  }
})

test('an update names what it removed, and an empty list changes nothing', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Tier' })
  await addGrace(member)
  const details = { relations: { remove: [{ name: 'Vincent Hopper' }] }, custom: { Tier: 'Gold' } }
  const { changes } = await member.ask<{ changes: unknown }>(updateConnectionTool, {
    connection_id: 'c_1',
    details,
  })
  assert.deepEqual(changes, [
    {
      field: 'relations',
      before: 'spouse: Vincent Hopper (not linked: no single connection has this whole name)',
    },
    { field: 'custom.Tier', after: 'Gold' },
  ])
  for (const nothing of [{ handles: [] }, { handles: { add: [], remove: null } }, { labels: {} }])
    assert.match(
      (await member.refused(updateConnectionTool, { connection_id: 'c_1', details: nothing }))
        .message,
      /No fields to update/,
    )
})

test('the label of a URL with an equals sign', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const url = 'https://grace.example/?q=1&r=2'
  await member.ask(addConnectionTool, {
    name: 'Grace',
    links: [url],
    details: [`labels.${url}=blog`],
  })
  assert.deepEqual(await detailsOf(member), { labels: { [url]: 'blog' } })
})

test('a label is removed with its value', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addGrace(member)
  await member.ask(updateConnectionTool, { connection_id: 'c_1', remove_emails: ['grace@x.org'] })
  assert.deepEqual((await detailsOf(member))?.labels, { '+1 212 555 0100': 'mobile' })
})

test('an import adds values and never replaces typed ones', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addGrace(member)
  const details = {
    nickname: 'Gracie',
    nameSuffix: 'PhD',
    labels: { 'grace@x.org': 'private', 'new@x.org': 'work' },
    addresses: [{ city: 'New York' }],
  }
  const emails = ['grace@x.org', 'new@x.org']
  await member.import([{ name: 'Grace Hopper', emails, details }], { source: 'vcard' })
  assert.deepEqual(await detailsOf(member), {
    ...GRACE,
    name_suffix: 'PhD',
    labels: { ...GRACE.labels, 'new@x.org': 'work' },
    addresses: [...(GRACE.addresses ?? []), { city: 'New York' }],
  })
  await member.ask(updateConnectionTool, { connection_id: 'c_1', details: { addresses: '' } })
  await member.import([{ name: 'Grace Hopper', emails, details }], { source: 'google', jobId: 2 })
  assert.equal((await detailsOf(member))?.addresses, undefined)
})

test('among files of one kind the newest wins; lists grow and labels change', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = ['a@x.org']
  const file = (details: object, jobId: number) =>
    member.import([{ name: 'Ann Lee', emails, details }], { source: 'google', jobId })
  const first = { nickname: 'Annie', labels: { 'a@x.org': 'home' }, addresses: [{ city: 'Rome' }] }
  const second = {
    nickname: 'Nan',
    labels: { 'a@x.org': 'work' },
    addresses: [{ label: 'work', city: 'ROME' }, { city: 'Oslo' }],
  }
  assert.deepEqual(await file(first, 1), ['created'])
  assert.deepEqual(await file(second, 2), ['updated'])
  assert.deepEqual(await detailsOf(member), {
    nickname: 'Nan',
    labels: { 'a@x.org': 'work' },
    addresses: [{ label: 'work', city: 'ROME' }, { city: 'Oslo' }],
  })
  assert.deepEqual(await file(second, 3), ['unchanged'])
  assert.deepEqual(await file(first, 4), ['updated'])
  assert.equal((await detailsOf(member))?.nickname, 'Annie')
})

test('invalid details are rejected with an error that names the position', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await addGrace(member)
  const mistakes: readonly (readonly [object, string])[] = [
    [{ nick_name: 'x' }, '/details/nick_name'],
    [{ nick_name: '' }, '/details/nick_name'],
    [{ nickname: { first: 'x' } }, '/details/nickname'],
    [['nickname'], '/details/0'],
    [['=x'], '/details/0'],
    [['handles=x'], '/details/handles'],
    [['nick_name=x'], '/details/nick_name'],
    [['custom.Tier=Gold'], '/details/custom'],
    [{ addresses: { city: 'Rome' } }, '/details/addresses'],
    [{ addresses: {} }, '/details/addresses'],
    [{ handles: { add: [], replace: [] } }, '/details/handles'],
    [{ handles: { add: [{ service: 'x' }] } }, '/details/handles/add/0/value'],
    [{ handles: { remove: [{ user: 'x' }] } }, '/details/handles/remove/0/user'],
    [{ handles: { remove: [{}] } }, '/details/handles/remove/0'],
    [{ dates: { replace: [{ label: 'x', date: 'soon' }] } }, '/details/dates/replace/0/date'],
    [{ dates: [{ label: 'wedding', date: 'soon' }] }, '/details/dates/0/date'],
    [
      { organizations: [{ name: 'x', from: '--02-03', current: false }] },
      '/details/organizations/0/from',
    ],
    [{ organizations: [{ current: true }] }, '/details/organizations/0'],
    [{ custom: { Tier: 'Gold' } }, '/details/custom'],
  ]
  for (const [details, pointer] of mistakes) {
    const error = await member.refused(updateConnectionTool, { connection_id: 'c_1', details })
    assert.deepEqual([error.code, error.errors?.[0]?.pointer], ['invalid_request', pointer])
  }
  assert.deepEqual(await detailsOf(member), GRACE)
})

test('values of custom fields are checked by kind', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionTool, { name: 'Ann Lee' })
  const kinds = [
    ['Score', 'number', '2.5', 'high'],
    ['Since', 'date', '2020-05', 'May'],
    ['Site', 'url', 'https://x.org', 'not a url'],
    ['Tier', 'choice', 'Gold', 'Bronze'],
  ] as const
  for (const [name, kind, good, bad] of kinds) {
    const choices = kind === 'choice' ? { choices: ['Gold', 'Silver'] } : {}
    await member.ask(setCustomFieldTool, { name, kind, ...choices })
    const set = (value: string | null) => ({
      connection_id: 'c_1',
      details: { custom: { [name]: value } },
    })
    await member.ask(updateConnectionTool, set(good))
    const error = await member.refused(updateConnectionTool, set(bad))
    assert.match(error.message, new RegExp(`details/custom/${name} must be`))
  }
  await member.ask(updateConnectionTool, {
    connection_id: 'c_1',
    details: { custom: { tier: 'SILVER', Score: '' } },
  })
  assert.deepEqual(await detailsOf(member), {
    custom: { Since: '2020-05', Site: 'https://x.org', Tier: 'Silver' },
  })
})

test('choices are added and removed one by one; one that a connection has is kept', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const set = (changes: object) =>
    member.ask<{ choices?: string[] }>(setCustomFieldTool, { name: 'Tier', ...changes })
  await set({ choices: ['Gold', 'Silver'] })
  await member.ask(addConnectionTool, { name: 'Ann Lee', details: { custom: { Tier: 'Gold' } } })
  assert.deepEqual((await set({ choices: ['Bronze', 'SILVER'] })).choices, [
    'Gold',
    'SILVER',
    'Bronze',
  ])
  assert.deepEqual((await set({ remove_choices: ['silver'] })).choices, ['Gold', 'Bronze'])
  const error = await member.refused(setCustomFieldTool, { name: 'Tier', remove_choices: ['Gold'] })
  assert.equal(error.code, 'conflict')
  await member.ask(undo)
  assert.deepEqual((await set({})).choices, ['Gold', 'SILVER', 'Bronze'])
})

test('a custom field is renamed for everyone, deleted with its values, and both are undone', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Tier' })
  await member.ask(addConnectionTool, { name: 'Ann Lee', details: { custom: { Tier: 'Gold' } } })
  await member.ask(setCustomFieldTool, { name: 'tier', rename_to: 'Level' })
  assert.deepEqual(await detailsOf(member), { custom: { Level: 'Gold' } })
  await member.ask(setCustomFieldTool, { name: 'Level', delete: true })
  assert.equal(await detailsOf(member), undefined)
  assert.equal(
    (await member.ask<{ custom_fields?: object[] }>(getNetworkSummaryTool)).custom_fields,
    undefined,
  )
  await member.ask(undo)
  assert.deepEqual(await detailsOf(member), { custom: { Level: 'Gold' } })
  await member.ask(undo)
  assert.deepEqual(await detailsOf(member), { custom: { Tier: 'Gold' } })
  const error = await member.refused(setCustomFieldTool, { name: 'Tier', kind: 'number' })
  assert.match(error.message, /“Gold” is a value of Tier/)
})

test('other columns of a file become custom text fields, also for values that do not fit', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Score', kind: 'number' })
  const custom = [
    { field: 'Score', value: 'high' },
    { field: 'T-Shirt Size', value: 'M' },
    { field: 't shirt size', value: 'L' },
  ]
  await member.import(
    [
      { name: 'Ann Lee', details: { custom } },
      { name: 'Bo Day', details: { custom } },
    ],
    {
      batch: 1,
    },
  )
  const expected = { 'Score (text)': 'high', 'T-Shirt Size': 'M\nL' }
  assert.deepEqual((await detailsOf(member, 'c_1'))?.custom, expected)
  assert.deepEqual((await detailsOf(member, 'c_2'))?.custom, expected)
  assert.equal((await rowsOf(world, member, 'custom_fields')).length, 3)
})

test('a number field takes numbers as spreadsheets write them; one with two meanings stays a text', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await member.ask(setCustomFieldTool, { name: 'Deal', kind: 'number' })
  const texts = ['$1,234.50', '1.234,50 €', '(1,200)', '12.5%', '1,234']
  await member.import(
    texts.map((value, at) => ({
      name: `Person ${at}`,
      emails: [`p${at}@x.example`],
      details: { custom: [{ field: 'Deal', value }] },
    })),
  )
  const read = await Promise.all(texts.map((_, at) => detailsOf(member, `c_${at + 1}`)))
  assert.deepEqual(
    read.map((details) => details?.custom),
    [
      { Deal: '1234.50' },
      { Deal: '1234.50' },
      { Deal: '-1200' },
      { Deal: '12.5' },
      { 'Deal (text)': '1,234' },
    ],
  )
})

test('a deleted custom field stays deleted when a file has its column again', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const file = (value: string, jobId: number) =>
    member.import([{ name: 'Ann Lee', details: { custom: [{ field: 'Junk', value }] } }], { jobId })
  await file('1', 1)
  await member.ask(setCustomFieldTool, { name: 'Junk', delete: true })
  await file('2', 2)
  assert.equal(await detailsOf(member), undefined)
  await member.ask(undo)
  assert.deepEqual(await detailsOf(member), { custom: { Junk: '2' } })
})

test('long details are truncated to the size that clients accept', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const custom = Array.from({ length: 20 }, (_, index) => ({
    field: `Field ${index}`,
    value: 'x'.repeat(10_000),
  }))
  await member.import([{ name: 'Ann Lee', details: { custom, nickname: 'Annie' } }])
  const whole = await member.ask<{ details?: DetailsJson; truncated?: boolean }>(
    getConnectionTool,
    {
      connection_id: 'c_1',
    },
  )
  assert.equal(whole.truncated, true)
  assert.equal(whole.details?.nickname, 'Annie')
  assert.ok(Object.keys(whole.details.custom ?? {}).length > 10)
})
