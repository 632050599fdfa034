import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createWorld } from '../../test/fixtures/network.ts'
import { createMember } from './member.ts'
import { searchDirectoryTool } from './search-directory.tool.ts'
import type { NewMember } from './member-fields.ts'

interface DirectoryAnswer {
  readonly members: readonly { readonly username: string }[]
  readonly has_more: boolean
  readonly next_cursor?: string
  readonly truncated?: boolean
}

const publicUrl = 'https://weft.example'

async function withDirectory(others: readonly NewMember[]) {
  const world = await createWorld()
  const { database, clock } = world
  const asking = await world.join() // member-1
  await database.write(async (tx) => {
    for (const fields of others) await createMember(tx, fields, clock.now())
  })
  const tool = searchDirectoryTool({ database, reader: database.heavy, publicUrl })
  return {
    ask: (input: object) => asking.ask<DirectoryAnswer>(tool, input),
    refused: (input: object) => asking.refused(tool, input),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  }
}

test('members are found by words of public profiles, without empty fields in the result', async () => {
  await using directory = await withDirectory([
    { username: 'ada', name: 'Ada Lovelace', headline: 'Countess', skills: ['Mathematics'] },
    { username: 'grace', name: 'Grace Hopper', isPublic: false, skills: ['Mathematics'] },
  ])
  assert.deepEqual(await directory.ask({ query: 'mathem' }), {
    members: [
      {
        username: 'ada',
        name: 'Ada Lovelace',
        headline: 'Countess',
        url: 'https://weft.example/human/ada',
      },
    ],
    has_more: false,
  })
  const everybody = await directory.ask({ query: '' })
  assert.deepEqual(everybody.members.map(({ username }) => username).sort(), ['ada', 'member-1'])
  assert.deepEqual((await directory.ask({ query: '…' })).members, [])
})

test('paging is complete, however long the entries are', async () => {
  const long = '“"'.repeat(60)
  await using directory = await withDirectory(
    Array.from({ length: 60 }, (_, index) => ({
      username: `m${index}`,
      name: `M${index} ${long.slice(0, 100)}`,
      headline: `${long} common`,
      location: long,
      organization: long,
    })),
  )
  const seen: string[] = []
  let cut = 0
  let page: DirectoryAnswer | undefined
  do {
    const cursor = page?.next_cursor
    page = await directory.ask({ query: 'common', limit: 50, ...(cursor && { cursor }) })
    seen.push(...page.members.map(({ username }) => username))
    cut += page.truncated === true ? 1 : 0
  } while (page.has_more)
  assert.equal(seen.length, 60)
  assert.equal(new Set(seen).size, 60)
  assert.ok(cut > 0)
  const { next_cursor: cursor } = await directory.ask({ query: 'common', limit: 1 })
  for (const wrong of [
    { query: 'other', cursor },
    { query: 'common', cursor: 'x' },
  ])
    assert.equal((await directory.refused(wrong)).code, 'invalid_request')
})
