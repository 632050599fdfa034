/** The time zone of a member's browser, which their agents' dates use. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createMember, updateMember } from '../members/member.ts'
import { createStore } from '../../test/support/store.ts'
import { findTokenHolder, mintApiToken } from './api-token.ts'
import { browserRequestReader, startSession } from './browser-session.ts'

/** Reads until a background write is seen. */
const MAX_READS = 200

test('agents read dates in the time zone of the first browser, until the member sets another', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const now = clock.now()
  const { memberId } = await database.write((tx) =>
    createMember(tx, { username: 'ada', name: 'Ada' }, now),
  )
  const db = database.member(memberId)
  const token = { name: 'test', holder: 'ai_client', lifetimeDays: null } as const
  const { secret } = await db.write((tx) => mintApiToken(tx, token, now))
  const session = await db.write((tx) => startSession(tx, { userAgent: undefined, now }))
  const read = browserRequestReader({ database, clock, publicUrl: 'http://localhost' })
  const storedZone = async () => (await findTokenHolder(database, secret, now))?.timeZone
  const zoneAfter = async (expected: string, zone?: string) => {
    const told = zone === undefined ? '' : `; weft_time_zone=${encodeURIComponent(zone)}`
    const cookie = `weft_session=${session.secret}${told}`
    assert.equal((await read(cookie)).member?.memberId, memberId)
    // The write runs in the background.
    for (let attempt = 0; attempt < MAX_READS; attempt++) {
      if ((await storedZone()) === expected) return expected
      // Lets a waiting write of SQLite go first.
      await database.write(() => Promise.resolve())
    }
    return storedZone()
  }
  assert.equal((await findTokenHolder(database, secret, now))?.timeZone, 'UTC')
  for (const wrong of ['Nowhere/Land', '+05:17', '', '__proto__'])
    assert.equal(await zoneAfter('UTC', wrong), 'UTC', wrong)
  assert.equal(await zoneAfter('America/New_York', 'America/New_York'), 'America/New_York')
  assert.equal(await zoneAfter('America/New_York'), 'America/New_York', 'a browser without scripts')
  assert.equal(await zoneAfter('America/New_York', 'Asia/Tokyo'), 'America/New_York')
  await database.write((tx) => updateMember(tx, memberId, { timeZone: 'asia/tokyo' }, now))
  assert.equal(await zoneAfter('Asia/Tokyo', 'Europe/Berlin'), 'Asia/Tokyo')
  const shown = await read(`weft_session=${session.secret}; weft_time_zone=Europe%2FBerlin`)
  assert.equal(shown.timeZone, 'Asia/Tokyo', 'pages and agents have one zone')
})
