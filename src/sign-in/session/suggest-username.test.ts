import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createStore, type TestStore } from '../../../test/support/store.ts'
import { createMember } from '../../members/member.ts'
import { checkUsername } from '../../members/usernames.ts'
import { suggestUsername } from './suggest-username.ts'
import { unicodeText } from '../../../test/support/unicode-text.ts'
import { runsOf } from '../../../test/support/engine-options.ts'

async function add({ database, clock }: TestStore, ...usernames: string[]): Promise<void> {
  for (const username of usernames)
    await database.write((tx) => createMember(tx, { username, name: 'Someone' }, clock.now()))
}

test('a username is made from the letters of a name or the part of an email before the @', async () => {
  await using store = await createStore()
  const suggest = (...wishes: string[]) => suggestUsername(store.database, wishes)
  assert.equal(await suggest('Élodie Müßig'), 'elodie-mussig')
  assert.equal(await suggest('ada.lovelace@example.org'), 'ada-lovelace')
  assert.equal(await suggest('--A__B--'), 'a-b')
  assert.equal(
    await suggest('สมชาย', 'x', 'grace@example.org'),
    'grace',
    'the first that makes one',
  )
  assert.match(await suggest('admin', 'Grace'), /^grace$/, 'reserved names are skipped')
  assert.match(await suggest(), /^member-2$/)
})

test('a username is made from a name in another script', async () => {
  await using store = await createStore()
  for (const [name, username] of [
    ['Владимир Щукин', 'vladimir-shchukin'],
    ['Ευάγγελος Παπάς', 'evangelos-papas'],
    ['王小明', 'wang-xiaoming'],
    ['さくら たなか', 'sakura-tanaka'],
    ['김민수', 'gimminsu'],
    ['გიორგი', 'giorgi'],
    ['Øyvind Åsen', 'oyvind-asen'],
    ['Nguyễn Văn An', 'nguyen-van-an'],
  ] as const)
    assert.equal(await suggestUsername(store.database, [name]), username)
  assert.match(await suggestUsername(store.database, ['א'.repeat(100_000)]), /^[a-z0-9-]{2,39}$/)
})

test('a taken username gets a number', async () => {
  await using store = await createStore()
  await add(store, 'ada', 'ada-2')
  assert.equal(await suggestUsername(store.database, ['Ada']), 'ada-3')
  await add(store, 'ada-3', 'ada-4', 'ada-5', 'ada-6', 'ada-7', 'ada-8', 'ada-9')
  assert.match(await suggestUsername(store.database, ['Ada']), /^ada-\d{6}$/)
})

test('any input produces a valid username', async () => {
  await using store = await createStore()
  await add(store, 'a-'.repeat(16) + 'a')
  const wish = fc.oneof(unicodeText(), fc.string({ maxLength: 80 }), fc.constant('a-'.repeat(40)))
  await fc.assert(
    fc.asyncProperty(fc.array(wish, { maxLength: 3 }), async (wishes) => {
      const username = await suggestUsername(store.database, wishes)
      assert.equal(checkUsername(username, false), username)
    }),
    { numRuns: runsOf(50) },
  )
})
