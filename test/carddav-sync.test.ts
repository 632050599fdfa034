/** A client that syncs by token always ends with the cards of the server, whatever both sides and other nodes do meanwhile. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { deviceAt, openDevice, phoneCard, type DavDevice } from './fixtures/dav-device.ts'
import { startTestService, startTwoServices } from './support/service.ts'
import { createDevice } from '../src/access/device-password.ts'
import { deleteConnections, restoreConnections } from '../src/connections/deletion/deletion.ts'
import { mergeConnections } from '../src/connections/duplicates/merge-connections.ts'
import { changeConnection } from '../src/connections/editing/edit.ts'
import { findConnection } from '../src/connections/model/connection-store.ts'
import { memberStatement } from '../src/db/statement.ts'
import type { MemberDatabase } from '../src/db/database.ts'

const STEPS = Number(process.env['WEFT_TEST_STEPS'] ?? 250)

const LIVING = memberStatement<object, { people: number }>()(
  'select count(*) as people from connections where member_id = :member_id and deleted_at is null',
)

/** A client as it should be: it sends If-Match, and reads what changed since its token. */
function openClient(device: DavDevice) {
  const cards = new Map<string, { readonly etag: string; readonly text: string }>()
  let token = ''
  return {
    cards,
    async sync() {
      for (let isMore = true; isMore;) {
        const answer = await device.sync(token, 7)
        assert.equal(answer.status, 207)
        for (const name of answer.removed) cards.delete(name)
        for (const name of answer.changed) {
          const { text, headers, status } = await device.get(name)
          if (status === 200) cards.set(name, { text, etag: headers.get('etag') ?? '' })
        }
        token = answer.token
        isMore = answer.isTruncated
      }
    },
    async assertSame() {
      const listed = await device.list()
      assert.deepEqual(new Map([...cards].map(([name, { etag }]) => [name, etag])), listed)
    },
  }
}

test('random changes on both sides leave both with the same cards, and no line that only the client knows is lost', async () => {
  await using service = await startTestService({
    davBurst: null,
    rateLimits: { dav: { quota: 1_000_000, window: 60 } },
  })
  const ada = await service.addMember()
  const db = service.database.member(ada.memberId)
  const device = await openDevice(service, ada)
  const client = openClient(device)
  const now = () => service.clock.now()
  let next = 0
  const randoms = fc.sample(
    fc.record({ kind: fc.nat(9), which: fc.nat(1e6), value: fc.nat(999) }),
    { numRuns: STEPS, seed: 5 },
  )
  for (const [step, { kind, which, value }] of randoms.entries()) {
    const id = (which % Math.max(next, 1)) + 1
    const names = [...client.cards.keys()]
    const name = names[which % Math.max(names.length, 1)]
    const own = name === undefined ? undefined : client.cards.get(name)
    if (kind <= 1) {
      next += 1
      const card = phoneCard(
        `u${next}`,
        `Person ${next}`,
        `X-OWN:${next}`,
        `EMAIL:p${next}@example.org`,
      )
      assert.equal((await device.put(`n${next}.vcf`, card, { 'if-none-match': '*' })).status, 201)
    } else if (kind <= 3 && own && name !== undefined) {
      const text = own.text.includes('TEL')
        ? own.text.replace(/TEL:.*/, `TEL:${value}`)
        : own.text.replace('UID', `TEL:${value}\r\nUID`)
      const { status } = await device.put(name, text, { 'if-match': own.etag })
      assert.ok(status === 204 || status === 412, `step ${step}: ${status}`)
    } else if (kind === 4 && own && name !== undefined) {
      const { status } = await device.send('DELETE', device.book + name, undefined, {
        'if-match': own.etag,
      })
      assert.ok([204, 404, 412].includes(status), `step ${step}: ${status}`)
    } else if (kind <= 6)
      await db.write(async (tx) => {
        const before = await findConnection(tx, id)
        if (before?.deletedAt === null)
          await changeConnection(
            tx,
            before,
            {
              values: { title: `T${value}` },
              lists: { tags: { add: [`t${value % 5}`], remove: [`t${(value + 1) % 5}`] } },
            },
            now(),
          )
      })
    else if (kind === 7)
      await db.write((tx) => deleteConnections(tx, [`c_${id}`], now())).catch(() => {})
    else if (kind === 8)
      await db.write((tx) => restoreConnections(tx, [`c_${id}`], now())).catch(() => {})
    else if (value % 4 === 0 && next > 2)
      await db
        .write((tx) => mergeConnections(tx, `c_${id}`, [`c_${(id % next) + 1}`], now()))
        .catch(() => {})
    if (step % 5 === 0) await client.sync()
    if (step % 50 === 0) await client.assertSame()
  }
  await client.sync()
  await client.assertSame()
  const { people = 0 } = (await db.get(LIVING, {})) ?? {}
  assert.equal(client.cards.size, people)
  for (const [name, { text }] of client.cards) {
    const number = /n(\d+)/.exec(name)?.[1]
    assert.ok(text.includes(`X-OWN:${number}\r\n`) && text.includes(`UID:u${number}\r\n`), text)
  }
})

test('two nodes: a token never skips a change while both write', async () => {
  await using nodes = await startTwoServices({ davBurst: null })
  const { one, other, clock } = nodes
  const ada = await one.addMember()
  const { deviceId, password } = await one.database
    .member(ada.memberId)
    .write((tx) => createDevice(tx, { name: 'Phone', readOnly: false, tag: null }, clock.now()))
  const at = (url: string) =>
    deviceAt(url, { deviceId, password, username: 'ada', memberId: ada.memberId })
  const devices = [at(one.url), at(other.url)]
  const [first, second] = devices
  assert.ok(first && second)
  const client = openClient(first)
  const databases: MemberDatabase[] = [
    one.database.member(ada.memberId),
    other.database.member(ada.memberId),
  ]
  const writers = devices.flatMap((device, node) =>
    [0, 1].map(async (writer) => {
      for (let index = 0; index < 15; index++) {
        const name = `n${node}-${writer}-${index}`
        const { status } = await device.put(`${name}.vcf`, phoneCard(name, `Person ${name}`))
        assert.equal(status, 201)
        await databases[node]?.write(async (tx) => {
          const before = await findConnection(tx, index + 1)
          if (before)
            await changeConnection(tx, before, { values: { title: name }, lists: {} }, clock.now())
        })
      }
    }),
  )
  const written = Promise.all(writers).then(() => 'written')
  for (let state = ''; state === '';) {
    await client.sync()
    state = await Promise.race([written, Promise.resolve('')])
  }
  await client.sync()
  await client.assertSame()
  assert.equal(client.cards.size, 60)
  assert.deepEqual(await first.list(), await second.list())
})
