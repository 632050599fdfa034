/** Address books of Radicale, xandikos and another Weft that a member subscribes to. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openDevice, phoneCard } from './fixtures/dav-device.ts'
import { isInstalled, openPeer, PEERS } from './fixtures/dav-peers.ts'
import { createWorld, rowsOf, type Acting, type World } from './fixtures/network.ts'
import { bookDeps, bookSubscriber, type BookSubscriber } from './fixtures/subscribed-books.ts'
import { startTestService } from './support/service.ts'
import { OutgoingPool } from '../src/base/concurrency/outgoing-pool.ts'
import { undoTool } from '../src/tools/undo/undo.tool.ts'
import { importUndoer } from '../src/imports/undo-import.ts'
import { bookProblem } from '../src/subscribed-books/book-error.ts'
import { memberStatement } from '../src/db/statement.ts'

const undo = undoTool({ undoers: [importUndoer] })

/** A card with many fields; the number and the year are in all of them. */
function wholeCard(at: number, year = 2026): string {
  return phoneCard(
    `uid-${at}`,
    `Given${at} Family${at}`,
    `ORG:Company ${at};Team`,
    `TITLE:Pilot ${year}`,
    `EMAIL;type=INTERNET;type=WORK;type=pref:p${at}@example.org`,
    `EMAIL;type=INTERNET;type=HOME:home${at}@example.net`,
    `TEL;type=CELL;type=VOICE:+49 30 ${100_000 + at}`,
    `ADR;type=HOME:;;${at} Main St;Bonn;;53111;Germany`,
    `URL:https://example.org/${at}`,
    'BDAY;X-APPLE-OMIT-YEAR=1604:1604-11-30',
    `NOTE:Met at no. ${at}`,
    'CATEGORIES:Friends,Work',
    `X-HOBBY:Chess ${at}`,
  )
}

/** Counts requests. */
class CountingPool extends OutgoingPool {
  #requests = 0

  override run<T>(...args: Parameters<OutgoingPool['run']>): Promise<T> {
    this.#requests += 1
    return super.run(...args) as Promise<T>
  }

  /** Checks that some work takes this number of requests. */
  async counts<T>(expected: number, work: () => Promise<T>): Promise<T> {
    this.#requests = 0
    const result = await work()
    assert.equal(this.#requests, expected)
    return result
  }
}

async function peopleOf(world: World, member: Acting) {
  const rows = await rowsOf(world, member, 'connections')
  return rows.filter((row) => row['deleted_at'] === null)
}

for (const name of PEERS)
  test(
    `1,000 cards of ${name} arrive with every field; ten changes are ten updates, and undo takes them back`,
    { skip: !isInstalled(name) && `needs ${name}` },
    async () => {
      const count = name === 'radicale' ? 1000 : 120
      await using peer = await openPeer(name)
      await using world = await createWorld()
      const member = await world.join()
      await peer.fill(Array.from({ length: count }, (_, at) => wholeCard(at)))
      const outgoing = new CountingPool()
      const subscriber = bookSubscriber({ ...bookDeps(world, [peer.host]), outgoing }, member.db)
      assert.equal(await subscriber.subscribe(peer.address, 'ada', 'secret'), 1)
      const [first] = await outgoing.counts(2 + Math.ceil(count / 100), () => subscriber.pull())
      assert.deepEqual([first?.created, first?.rejected], [count, []])
      const before = await peopleOf(world, member)
      assert.equal(before.length, count)
      const one = JSON.stringify(before.find((row) => row['name'] === 'Given7 Family7'))
      for (const value of [
        'Company 7',
        'Pilot 2026',
        'p7@example.org',
        'home7@example.net',
        '+49 30 100007',
        'Bonn',
        'https://example.org/7',
        '--11-30',
        'Chess 7',
      ])
        assert.ok(one.includes(value), `${value} in ${one}`)
      assert.equal((await rowsOf(world, member, 'notes')).length, count)
      assert.equal((await rowsOf(world, member, 'connection_tags')).length, 2 * count)

      for (let at = 0; at < 10; at += 1) await peer.put(`uid-${at}.vcf`, wholeCard(at, 2027))
      for (let at = 20; at < 23; at += 1) await peer.remove(`uid-${at}.vcf`)
      world.clock.advance(60_000)
      const [second, ...more] = await outgoing.counts(2, () => subscriber.pull())
      assert.deepEqual(more, [])
      assert.deepEqual([second?.created, second?.updated, second?.unchanged], [0, 10, 0])
      assert.equal((await peopleOf(world, member)).length, count)
      assert.deepEqual(await outgoing.counts(1, () => subscriber.pull()), [])

      const last = await member.db.get(LAST_ACTIVITY, {})
      await member.ask(undo, { activity_id: `a_${last?.id}` })
      const after = await peopleOf(world, member)
      assert.deepEqual(
        after.map(({ name: own, title, emails }) => [own, title, emails]),
        before.map(({ name: own, title, emails }) => [own, title, emails]),
      )
      assert.deepEqual(await subscriber.pull(), [])
    },
  )

/** A service with a member whose address book another member can subscribe to. */
async function openWeft() {
  const service = await startTestService({ jobConcurrency: 0 })
  const ada = await service.addMember()
  const db = service.database.member(ada.memberId)
  const device = await openDevice(service, ada)
  const names = async () =>
    (await db.all(PRESENT, {})).map(({ name, version }) => `${name} ${version}`).toSorted()
  return {
    service,
    db,
    device,
    names,
    host: new URL(service.url).host,
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
    },
  }
}

test('two members of two services subscribe to each other, and nothing loops or doubles', async () => {
  await using one = await openWeft()
  await using other = await openWeft()
  const subscribers: BookSubscriber[] = []
  for (const [own, theirs] of [
    [one, other],
    [other, one],
  ] as const) {
    const subscriber = bookSubscriber(bookDeps(own.service, [theirs.host]), own.db)
    await subscriber.subscribe(theirs.service.url, 'ada', theirs.device.credentials[1])
    subscribers.push(subscriber)
  }
  const pullAll = async () => {
    const reports = []
    for (const subscriber of subscribers) reports.push(...(await subscriber.pull()))
    return reports
  }
  for (let at = 0; at < 20; at += 1) await one.device.put(`${at}.vcf`, wholeCard(at))
  await other.device.put('twin.vcf', phoneCard('twin', 'Ann Twin'))
  await one.device.put('twin.vcf', phoneCard('another', 'Ann Twin'))
  for (let round = 0; round < 4; round += 1) await pullAll()
  const [before, theirs] = [await one.names(), await other.names()]
  assert.equal(before.length, 21)
  assert.equal(theirs.length, 21)
  assert.deepEqual(await pullAll(), [])
  // A change here arrives there, and does not come back as another one.
  await one.device.put('3.vcf', wholeCard(3).replace('30 100003', '30 555'))
  const reports = []
  for (let round = 0; round < 4; round += 1) reports.push(...(await pullAll()))
  assert.equal(
    reports.reduce((sum, { updated }) => sum + updated, 0),
    1,
  )
  assert.deepEqual(await pullAll(), [])
  assert.equal((await one.names()).length, 21)
  assert.equal((await other.names()).length, 21)
})

test('the own address book is refused, and no one is doubled', async () => {
  await using one = await openWeft()
  await one.device.put('a.vcf', wholeCard(1))
  await one.device.put('b.vcf', phoneCard('b', 'Mom'))
  const before = await one.names()
  const subscriber = bookSubscriber(bookDeps(one.service, [one.host]), one.db)
  await subscriber.subscribe(one.service.url, 'ada', one.device.credentials[1])
  assert.deepEqual(await subscriber.pull(), [])
  const [book] = await subscriber.books()
  assert.match(bookProblem(book?.error ?? ''), /the one that your contacts apps read/)
  assert.equal(book?.nextPullAt, null)
  assert.deepEqual(await one.names(), before)
})

const PRESENT = memberStatement<object, { name: string; version: number }>()(
  'select name, version from connections where member_id = :member_id and deleted_at is null',
)

const LAST_ACTIVITY = memberStatement<object, { id: number }>()(
  'select max(activity_id) as id from activity where member_id = :member_id',
)
