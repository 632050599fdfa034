import assert from 'node:assert/strict'
import { test } from 'node:test'
import { memberStatement } from '../../db/statement.ts'
import { deleteMember } from '../../members/member.ts'
import { readImportedChanges } from '../import/import-changes.ts'
import { undoSlice } from '../import/undo-slice.ts'
import { createWorld, rowsOf } from '../../../test/fixtures/network.ts'
import { findConnections } from './connection-store.ts'
import { nameCompanyKey } from './match-keys.ts'
import { mayHaveEarlierKeys, renewKeys } from './renew-keys.ts'
import type { MemberDatabase } from '../../db/database.ts'

const REPLACE = memberStatement<{ key: string; connection_id: number }>()(`
  update connection_keys set key = :key
  where member_id = :member_id and connection_id = :connection_id and key like 'n%'`)

const REMOVE_PHONES = memberStatement()(
  `delete from connection_keys where member_id = :member_id and key like 'p%'`,
)

const REMOVE_FAMILIES = memberStatement()(
  `delete from connection_keys where member_id = :member_id and (key like 'f%' or key like 'g%')`,
)

const EARLIER = memberStatement()(
  'update networks set key_version = 0 where member_id = :member_id',
)

const BEGAN_EARLIER = memberStatement()(
  'update networks set first_key_version = 0 where member_id = :member_id',
)

/** With the keys that three earlier versions stored, and more people than fit into a transaction. */
const PEOPLE = [
  { name: "Sean O'Brien", company: 'Acme', key: 'nKywK07Iv8iX' },
  { name: 'Юлия Смирнова', company: 'Яндекс', key: 'nm3dIvcQkPBJ' },
  { name: "Sean O'Brien", company: 'Acme', key: 'n0t5EYW0nO9W' },
]

test('keys of earlier versions are renewed once, and other keys are kept', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const others = Array.from({ length: 450 }, (_, at) => ({ name: `Person ${at}`, company: 'Byte' }))
  await member.import(
    [...PEOPLE, ...others].map(({ name, company }, at) => ({
      name,
      company,
      emails: [`p${at}@example.org`],
      phones: [`+1 212 555 ${1000 + at}`],
    })),
  )
  const before = await rowsOf(world, member, 'connection_keys')
  await member.db.write(async (tx) => {
    await tx.run(REMOVE_PHONES, {})
    await tx.run(REMOVE_FAMILIES, {})
    for (const [at, { key }] of PEOPLE.entries())
      await tx.run(REPLACE, { key, connection_id: at + 1 })
    await tx.run(EARLIER, {})
  })
  assert.equal(await renewKeys(member.db), PEOPLE.length + others.length)
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), before)
  assert.ok(before.some(({ key }) => key === nameCompanyKey(PEOPLE[0] ?? assert.fail())))
  assert.equal(await renewKeys(member.db), 0)
})

test('a member who is deleted while keys are renewed does not stop the renewal of others', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.import([{ name: 'Ada Lovelace', company: 'Acme' }])
  await member.db.write((tx) => tx.run(EARLIER, {}))
  let reads = 0
  const db: MemberDatabase = {
    ...member.db,
    get: (...asked) => member.db.get(...asked),
    write: (...work) => member.db.write(...work),
    async all(...asked) {
      const rows = await member.db.all(...asked)
      if (reads++ === 0) await world.database.write((tx) => deleteMember(tx, member.db.memberId))
      return rows
    },
  }
  assert.equal(await renewKeys(db), 1)
})

test('the undo of an import removes a key that was renewed since', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const profileUrl = 'https://www.linkedin.com/in/yulia'
  const [, yulia] = PEOPLE
  assert.ok(yulia)
  await member.import([{ name: yulia.name, company: 'Acme', profileUrl }])
  const before = await rowsOf(world, member, 'connection_keys')
  await member.import([{ name: yulia.name, company: yulia.company, profileUrl }], { jobId: 2 })
  const imported = (await readImportedChanges(member.db, 2, [1])).get(1)
  assert.ok(imported)
  // As the earlier version would have stored it, before the key was renewed.
  const added_keys = imported.added_keys.map((key) =>
    key === nameCompanyKey(yulia) ? yulia.key : key,
  )
  assert.ok(added_keys.includes(yulia.key))
  const [connection] = await findConnections(member.db, [1])
  assert.ok(connection)
  const effects = [
    { connection, change: { ...imported, added_keys }, hasTypedContent: false, decisions: [] },
  ]
  await member.db.write((tx) =>
    undoSlice(tx, { jobId: 2, effects, merged: new Set(), now: 2, startedAt: 0 }),
  )
  assert.deepEqual(await rowsOf(world, member, 'connection_keys'), before)
})

test('only a network that began before the present keys may have earlier ones', async () => {
  await using world = await createWorld()
  const member = await world.join()
  assert.equal(await mayHaveEarlierKeys(member.db), false)
  await member.db.write((tx) => tx.run(BEGAN_EARLIER, {}))
  await member.db.write((tx) => tx.run(EARLIER, {}))
  await renewKeys(member.db)
  assert.equal(await mayHaveEarlierKeys(member.db), true)
})

test('people with keys of earlier versions are found before these are renewed', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const [sean, yulia] = PEOPLE
  assert.ok(sean && yulia)
  await member.import([{ name: sean.name, company: sean.company }])
  await member.db.write((tx) => tx.run(REPLACE, { key: 'n0t5EYW0nO9W', connection_id: 1 }))
  assert.deepEqual(
    await member.import([{ name: sean.name, company: sean.company, title: 'Boss' }], { jobId: 2 }),
    ['updated'],
  )
})
