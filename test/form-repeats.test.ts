/** Forms that are submitted twice, as by a double-click without scripts, have one effect and one result. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isSignedIn, openResetPage, signIn } from './fixtures/account.ts'
import { createTestWorld, type World } from './fixtures/admin.ts'
import { connectionsCsv, planOf, readEvents } from './fixtures/import.ts'
import { PASSWORD } from './support/password.ts'
import { openVisitor, type Page } from './support/visitor.ts'
import { revokeAllApiTokens } from '../src/access/api-token.ts'
import { createLink, revokeLinksOfMember } from '../src/access/one-time-link.ts'
import { DAY } from '../src/base/clock.ts'
import { creditBalance } from '../src/credits/account.ts'
import { requireEndpoint } from '../src/deliveries/endpoint-store.ts'
import { findFeedMember } from '../src/reminders/calendar-feed.ts'
import { memberStatement, statement } from '../src/db/statement.ts'
import { MAX_RECORD_BYTES_PER_DAY } from '../src/guards/idempotency-record.ts'

interface Repeated {
  readonly path: string
  readonly fields: Readonly<Record<string, string>>
  readonly button?: string
  /** Where the form adds a row. */
  readonly table: (typeof TABLES)[number]
  /** Values that make it another submission. */
  readonly changed: Readonly<Record<string, string>>
}

const TABLES = ['connections', 'notes', 'follow_ups', 'custom_fields', 'api_tokens'] as const

const FORMS: readonly Repeated[] = [
  {
    path: '/user/connections/new',
    fields: { name: 'Alan Turing' },
    table: 'connections',
    changed: { name: 'Alonzo Church' },
  },
  {
    path: '/user/connections/c_1',
    fields: { note: 'Met at Bletchley' },
    table: 'notes',
    changed: { note: 'Met in Princeton' },
  },
  {
    path: '/user/connections/c_1',
    fields: { follow_up: 'Write', due_on: '2026-12-01' },
    table: 'follow_ups',
    changed: { follow_up: 'Call' },
  },
  {
    path: '/user/custom-fields',
    fields: { name: 'Team' },
    table: 'custom_fields',
    changed: { name: 'Club' },
  },
  {
    path: '/user/integrations/mcp',
    fields: { name: 'laptop', confirm_password: PASSWORD },
    table: 'api_tokens',
    changed: { name: 'desktop' },
  },
]

/** Submits a form twice at once and once more, and returns the three responses. */
async function submitRepeatedly(
  { ada: { visitor } }: World,
  page: Page,
  fields: Readonly<Record<string, string>>,
  button?: string,
): Promise<readonly Page[]> {
  const submit = () => visitor.submit(page, fields, button)
  return [...(await Promise.all([submit(), submit()])), await submit()]
}

async function countRows({ service, ada }: World, table: Repeated['table']): Promise<number> {
  const count = memberStatement<object, { count: number }>()(
    `select count(*) as count from ${table} where member_id = :member_id`,
  )
  return Number((await service.database.member(ada.member.memberId).get(count, {}))?.count)
}

async function countLinks({ service }: World): Promise<number> {
  const count = statement<object, { count: number }>('select count(*) as count from one_time_links')
  return Number((await service.database.get(count, {}))?.count)
}

function assertSame(answers: readonly Page[], path: string): void {
  const [first] = answers
  for (const answer of answers) {
    assert.equal(answer.status, 303, `${path}: ${answer.text}`)
    assert.equal(answer.location, first?.location, path)
  }
}

test('a form that is submitted repeatedly creates one thing, and with other values another one', async () => {
  await using world = await createTestWorld()
  const { visitor } = world.ada
  for (const { path, fields, button, table, changed } of FORMS) {
    const page = await visitor.get(path)
    assertSame(await submitRepeatedly(world, page, fields, button), path)
    assert.equal(await countRows(world, table), 1, path)
    const other = await visitor.submit(page, { ...fields, ...changed }, button)
    assert.equal(other.status, 303, `${path}: ${other.text}`)
    assert.equal(await countRows(world, table), 2, path)
  }
})

test('a form that is submitted again after what it created was undone creates another one', async () => {
  await using world = await createTestWorld()
  const { visitor } = world.ada
  await visitor.submit(await visitor.get('/user/connections/new'), { name: 'Alan Turing' })
  for (const { path, fields, button, table } of FORMS) {
    if (table === 'api_tokens') continue
    const page = await visitor.get(path)
    const values = table === 'connections' ? { name: 'Alonzo Church' } : fields
    const before = await countRows(world, table)
    const created = await visitor.submit(page, values, button)
    const undone = await visitor.follow(
      await visitor.submit(
        await visitor.follow(created),
        {},
        undoButton(await visitor.follow(created)),
      ),
    )
    assert.match(undone.text, /Undid: /, path)
    const again = await visitor.submit(page, values, button)
    assert.equal(again.status, 303, `${path}: ${again.text}`)
    assert.notEqual(again.location, created.location, path)
    assert.equal(await countRows(world, table), before + 2, path)
    assertSame([again, await visitor.submit(page, values, button)], path)
  }
})

/** The label of the button that undoes the change which the page reports. */
function undoButton({ forms }: Page): string {
  const undo = forms.flatMap(({ buttons }) => buttons).find(({ label }) => label.startsWith('Undo'))
  assert.ok(undo)
  return undo.label
}

test('a form that is submitted again after its secret was revoked shows a new one', async () => {
  await using world = await createTestWorld()
  const { service, ada, grace } = world
  const { visitor } = ada
  const revokeTokens = () =>
    service.database
      .member(ada.member.memberId)
      .write((tx) => revokeAllApiTokens(tx, service.clock.now()))
  const revokeLinks = () =>
    service.database.write((tx) => revokeLinksOfMember(tx, grace.member.memberId))
  const withdraw = async () => {
    const page = await visitor.get('/admin/invites')
    await visitor.submit(page, {}, 'Withdraw')
  }
  for (const [path, fields, button, revoke] of [
    [
      '/user/integrations/mcp',
      { name: 'laptop', confirm_password: PASSWORD },
      undefined,
      revokeTokens,
    ],
    ['/admin/invites', { note: 'Alan', days: '3' }, undefined, withdraw],
    ['/admin/members/grace', {}, 'reset_link', revokeLinks],
  ] as const) {
    const page = await visitor.get(path)
    const secretOf = async () =>
      /weft_(?:pat|otl)_\w{20,}/.exec(
        (await visitor.follow(await visitor.submit(page, fields, button))).html,
      )?.[0]
    const first = await secretOf()
    await revoke()
    const second = await secretOf()
    assert.ok(first && second, path)
    assert.notEqual(second, first, path)
    assert.equal(await secretOf(), second, path)
  }
})

test('a repeated form shows the same secret, which the database does not contain', async () => {
  await using world = await createTestWorld()
  const { visitor } = world.ada
  const forms = [
    ['/user/integrations/mcp', { name: 'laptop', confirm_password: PASSWORD }, undefined],
    ['/admin/invites', { note: 'Alan', days: '3' }, undefined],
    ['/admin/members/grace', {}, 'reset_link'],
  ] as const
  for (const [path, fields, button] of forms) {
    const page = await visitor.get(path)
    const links = await countLinks(world)
    const secrets = []
    for (let at = 0; at < 2; at += 1) {
      const shown = await visitor.follow(await visitor.submit(page, fields, button))
      secrets.push(/weft_(?:pat|otl)_\w{20,}/.exec(shown.html)?.[0])
    }
    const [secret] = secrets
    assert.ok(secret, path)
    assert.deepEqual(secrets, [secret, secret], path)
    assert.ok(!(await world.service.everything()).includes(secret), path)
    if (path !== '/user/integrations/mcp') assert.equal(await countLinks(world), links + 1, path)
    assertSame(
      await submitRepeatedly(world, await visitor.get(path), fieldsOf(path, fields), button),
      path,
    )
  }
})

test('a webhook gets one other secret from a repeated form, and the receiver keeps the former one', async () => {
  await using world = await createTestWorld({ secretKey: 'k'.repeat(32) })
  const { visitor, member } = world.ada
  const notifications = await visitor.get('/user/notifications')
  const address = 'https://hooks.example.org/weft'
  await visitor.submit(notifications, { name: 'Mine', address, cause: 'summary' })
  const db = world.service.database.member(member.memberId)
  const before = (await requireEndpoint(db, 1)).secret
  const page = await visitor.get('/user/notifications/webhooks/1')
  assertSame(await submitRepeatedly(world, page, {}, 'Create another secret'), page.address)
  const { secret, oldSecret } = await requireEndpoint(db, 1)
  assert.equal(oldSecret, before)
  // The person has gone back to the form after another change.
  const later = await visitor.get('/user/notifications/webhooks/1')
  await visitor.submit(later, {}, 'Create another secret')
  await visitor.submit(page, {}, 'Create another secret')
  assert.ok(![before, secret].includes((await requireEndpoint(db, 1)).oldSecret))
})

test('a repeated form shows the address of the calendar feed that works, also after it was removed', async () => {
  await using world = await createTestWorld()
  const { visitor, member } = world.ada
  const page = await visitor.get('/user/notifications')
  const create = async () => {
    const [first] = await submitRepeatedly(world, page, {}, 'Create address')
    assert.ok(first)
    const { html } = await visitor.follow(first)
    const [secret = ''] = /weft_cal_\w{20,}/.exec(html) ?? []
    assert.equal(await findFeedMember(world.service.database, secret), member.memberId)
    return secret
  }
  const secret = await create()
  assert.equal(await create(), secret)
  await visitor.submit(await visitor.get('/user/notifications'), {}, 'Remove address')
  assert.notEqual(await create(), secret)
})

/** The name of a token can be used only once. */
function fieldsOf(path: string, fields: Readonly<Record<string, string>>) {
  return path === '/user/integrations/mcp' ? { ...fields, name: 'desktop' } : fields
}

test('an import or export is started and charged once, even if the first has ended', async () => {
  await using world = await createTestWorld()
  const { visitor } = world.ada
  const person = {
    ...world.ada,
    memberId: world.ada.member.memberId,
    ask: () => Promise.resolve({}),
  }
  const { service, ada } = world
  const remaining = async () =>
    (await creditBalance(service.database.member(ada.member.memberId), 1000, service.clock.now()))
      .remaining
  const plan = await visitor.get(
    await planOf(person, connectionsCsv([['Grace', 'Hopper', 'Navy']])),
  )
  for (const [page, button] of [
    [plan, 'Import'],
    [await visitor.get('/user/account'), 'Export everything'],
  ] as const) {
    const [first] = await Promise.all([
      visitor.submit(page, {}, button),
      visitor.submit(page, {}, button),
    ])
    const jobId = Number(/\/user\/jobs\/(\d+)/.exec(first.location ?? '')?.[1])
    await readEvents(person, jobId)
    const before = await remaining()
    assert.ok(before < 1000)
    const again = await visitor.submit(page, {}, button)
    assert.equal(again.location, first.location, again.text)
    assert.equal(await remaining(), before)
  }
})

test('a person who submits the form to join twice is signed in', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const visitor = openVisitor(world.service.url)
  const page = await visitor.get('/join')
  const fields = { name: 'Alan', username: 'alan', email: 'alan@example.org', password: PASSWORD }
  const answers = await Promise.all([visitor.submit(page, fields), visitor.submit(page, fields)])
  assertSame(answers, '/join')
  assert.ok(await isSignedIn(visitor))
  const stranger = openVisitor(world.service.url)
  const { fields: hidden = {} } = page.forms[0] ?? {}
  const stolen = await stranger.submit(await stranger.get('/join'), {
    ...fields,
    form_key: hidden['form_key'] ?? '',
  })
  assert.equal(stolen.status, 422, 'a key is bound to its browser')
})

/** A click that the browser makes after it has stored the session of the first. */
test('a form that signs in leads to the same page when it is submitted again', async () => {
  await using world = await createTestWorld({ signUp: 'open' })
  const { service, grace } = world
  const { database, clock } = service
  const joining = { name: 'Alan', username: 'alan', email: 'alan@example.org', password: PASSWORD }
  const { secret } = await database.write((tx) =>
    createLink(
      tx,
      { purpose: 'reset', memberId: grace.member.memberId, lifetime: DAY },
      clock.now(),
    ),
  )
  for (const [path, fields, landing] of [
    ['/join?return_to=/user/jobs', joining, '/user/jobs'],
    ['/sign-in?return_to=/user/jobs', { login: 'ada', password: PASSWORD }, '/user/jobs'],
    [`/reset?link=${secret}`, { password: 'a new engine no. 2' }, '/user'],
  ] as const) {
    const visitor = openVisitor(service.url)
    const page = await visitor.get(path)
    await visitor.submit(page, fields)
    const session = visitor.cookies['weft_session']
    const again = await visitor.submit(page, fields)
    assert.equal(again.status, 303, `${path}: ${again.text}`)
    assert.equal(again.location, new URL(landing, service.url).href)
    assert.equal(visitor.cookies['weft_session'], session)
    assert.ok(await isSignedIn(visitor))
  }
})

test('a password reset that is submitted twice at once signs in', async () => {
  await using world = await createTestWorld()
  const { visitor, page } = await openResetPage(world.service, world.grace.member)
  const fields = { password: 'a new engine no. 2' }
  assertSame(
    await Promise.all([visitor.submit(page, fields), visitor.submit(page, fields)]),
    '/reset',
  )
  assert.ok(await isSignedIn(visitor))
})

test('a password that is changed many times at once is changed once, and its browser stays signed in', async () => {
  await using world = await createTestWorld()
  const { visitor } = world.grace
  const page = await visitor.get('/user/account')
  const fields = { current_password: PASSWORD, new_password: 'a new engine no. 2' }
  const submit = () => visitor.submit(page, fields)
  const answers = [...(await Promise.all(Array.from({ length: 4 }, submit))), await submit()]
  assertSame(answers, 'password')
  assert.match(String(answers[0]?.location), /notice=password_changed$/)
  assert.ok(await isSignedIn(visitor))
})

test('an account that is deleted twice at once is deleted', async () => {
  await using world = await createTestWorld()
  const { visitor } = world.grace
  const page = await visitor.get('/user/account')
  const fields = { delete_username: 'grace', delete_password: PASSWORD }
  const submit = () => visitor.submit(page, fields)
  assertSame(await Promise.all([submit(), submit()]), 'delete')
  assert.equal(await isSignedIn(visitor), false)
})

test('a reset page that was left open while its browser signed in changes no password', async () => {
  await using world = await createTestWorld()
  const { visitor, page } = await openResetPage(world.service, world.grace.member)
  await visitor.submit(await visitor.get('/sign-in'), { login: 'ada', password: PASSWORD })
  const refused = await visitor.submit(page, { password: 'a new engine no. 2' })
  assert.equal(refused.status, 403)
  assert.match(refused.text, /form has expired/)
  assert.ok(await isSignedIn(await signIn(world.service, 'grace')))
})

test('a form still works when the results of its member can no longer be stored', async () => {
  await using world = await createTestWorld()
  const { service, ada } = world
  const fill = memberStatement<{ day: number; bytes: number }>()(
    'update networks set keyed_day = :day, keyed_bytes = :bytes where member_id = :member_id',
  )
  const day = Math.floor(service.clock.now() / DAY)
  await service.database
    .member(ada.member.memberId)
    .write((tx) => tx.run(fill, { day, bytes: MAX_RECORD_BYTES_PER_DAY }))
  const page = await ada.visitor.get('/user/connections/new')
  assert.equal((await ada.visitor.submit(page, { name: 'Alan Turing' })).status, 303)
  assert.equal(await countRows(world, 'connections'), 1)
})
