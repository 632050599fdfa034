import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createStore, TEST_NOW, type TestStore } from '../../test/support/store.ts'
import { foundCounter, requiredTerms, type DirectoryFilters } from './directory-filters.ts'
import { findMembers, type DirectoryQuestion } from './directory.ts'
import { createMember, requireMemberByUsername, updateMember } from './member.ts'
import type { NewMember } from './member-fields.ts'

const PEOPLE: readonly NewMember[] = [
  {
    username: 'ada',
    name: 'Ada Lovelace',
    headline: 'Countess',
    location: 'London, UK',
    skills: ['C++', 'Algebra'],
  },
  { username: 'bob', name: 'Bob Ross', location: 'Berlin, Germany', organization: 'Müller & Søn' },
  { username: 'cyd', name: 'Cyd Lovelace', location: 'berlin', skills: ['C', 'c#', 'ALGEBRA'] },
  { username: 'dot', name: 'Dot Muller', headline: 'Not of Germany', organization: 'Germany' },
  { username: 'eve', name: 'Eve' },
]

async function createDirectory(): Promise<TestStore> {
  const store = await createStore()
  await store.database.write(async (tx) => {
    for (const person of PEOPLE) await createMember(tx, person, TEST_NOW)
  })
  return store
}

/** Usernames in alphabetical order, read page by page. */
async function search({ database }: TestStore, asked: DirectoryQuestion): Promise<string[]> {
  const found: string[] = []
  let cursor: string | undefined
  do {
    const page = await findMembers({ ...asked, perPage: 1, cursor }, database.anonymous)
    found.push(...page.members.map(({ username }) => username))
    cursor = page.nextCursor ?? undefined
  } while (cursor !== undefined)
  return found.toSorted()
}

test('filters match whole values in any case, with the parts of a location and the signs of a skill', async () => {
  await using store = await createDirectory()
  const cases: readonly [DirectoryQuestion, readonly string[]][] = [
    [{ location: 'Berlin' }, ['bob', 'cyd']],
    [{ location: 'GERMANY' }, ['bob']],
    [{ location: ' Germany , Berlin ' }, ['bob']],
    [{ location: 'Berl' }, []],
    [{ company: 'muller son' }, ['bob']],
    [{ company: 'Müller' }, []],
    [{ company: 'Germany' }, ['dot']],
    [{ skill: 'C' }, ['cyd']],
    [{ skill: 'C++' }, ['ada']],
    [{ skill: 'C#' }, ['cyd']],
    [{ skill: 'algebra' }, ['ada', 'cyd']],
    [{ skill: 'algebra', location: 'Berlin' }, ['cyd']],
    [{ q: 'lovelace', location: 'London' }, ['ada']],
    [{ q: 'love', skill: 'Algebra' }, ['ada', 'cyd']],
    [{ q: 'ada', location: 'Berlin' }, []],
    [{ q: 'Ada Lovelace', location: 'Berlin' }, []],
    [{ q: 'Cyd Lovelace', location: 'Berlin' }, ['cyd']],
    [{ location: '%' }, []],
    [{ skill: '_' }, []],
    [{ skill: '🙂' }, []],
    [{ company: "'); drop table members; --" }, []],
    [{ location: '' }, ['ada', 'bob', 'cyd', 'dot', 'eve']],
    [{ isComplete: true }, ['ada', 'bob', 'cyd', 'dot']],
    [{ q: 'eve', isComplete: true }, ['eve']],
    [{ q: '>berlin' }, ['bob', 'cyd']],
  ]
  for (const [asked, expected] of cases)
    assert.deepEqual(await search(store, asked), expected, JSON.stringify(asked))
})

test('values are counted among the members found, spelled as a profile does', async () => {
  await using store = await createDirectory()
  const count = foundCounter(store.database.anonymous)
  const counted = (words: string[], filters: DirectoryFilters) =>
    count({ words, filters: requiredTerms(filters) ?? [], isComplete: true })
  const all = await counted([], {})
  assert.equal(all?.total, 4)
  assert.deepEqual(all.values.location, [
    { label: 'Berlin', members: 2 },
    { label: 'Germany', members: 1 },
    { label: 'London', members: 1 },
    { label: 'UK', members: 1 },
  ])
  assert.deepEqual(all.values.skill[0], { label: 'Algebra', members: 2 })
  const berlin = await counted(['lovelace'], { location: 'Berlin' })
  assert.equal(berlin?.total, 1)
  assert.deepEqual(berlin.values.company, [])
  assert.deepEqual(
    new Set(berlin.values.skill.map(({ label }) => label)),
    new Set(['C', 'c#', 'ALGEBRA']),
  )
})

test('a changed profile changes the counts, and a private one is not counted', async () => {
  await using store = await createDirectory()
  const { database } = store
  const count = foundCounter(database.anonymous)
  const total = async () => (await count({ words: [], filters: ['>berlin'] }))?.total
  assert.equal(await total(), 2)
  await database.write(async (tx) => {
    const { memberId } = await requireMemberByUsername(tx, 'ada')
    await updateMember(tx, memberId, { location: 'Berlin' }, TEST_NOW)
  })
  assert.equal(await total(), 3)
  await database.write(async (tx) => {
    const { memberId } = await requireMemberByUsername(tx, 'ada')
    await updateMember(tx, memberId, { isPublic: false }, TEST_NOW)
  })
  assert.equal(await total(), 2)
})
