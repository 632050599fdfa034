import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createWorld, withClear, type Acting, type World } from '../../test/fixtures/network.ts'
import { listActivityTool } from '../connections/activity/list-activity.tool.ts'
import { undoTool } from '../tools/undo/undo.tool.ts'
import { searchDirectory } from './directory.ts'
import { profileUndoer } from './profile-changes.ts'
import { updateProfileTool } from './update-profile.tool.ts'
import { whoamiTool } from './whoami.tool.ts'

const publicUrl = 'https://weft.example'
const update = updateProfileTool({ publicUrl })
const undo = undoTool({ undoers: [profileUndoer] })

async function found({ database }: World, q: string): Promise<string[]> {
  const { members } = await searchDirectory(database, { q }, publicUrl)
  return members.map(({ username }) => username)
}

/** Without the time of the last change. */
async function profileOf({ database }: World, member: Acting): Promise<Record<string, unknown>> {
  const tool = whoamiTool({ database, publicUrl, quota: 1000, tools: () => [] })
  const me = await member.ask<{ profile: Record<string, unknown> }>(tool)
  const { updated_at: _, ...profile } = me.profile
  return profile
}

test('given fields are set, clear empties fields, others stay, and the directory is updated at once', async () => {
  await using world = await createWorld()
  const member = await world.join()
  const before = await profileOf(world, member)
  const changed = await member.ask(update, {
    username: 'Ada',
    headline: ' Countess ',
    skills: ['Mathematics'],
    links: [{ label: 'Notes', url: 'https://example.org/notes' }],
    avatar_url: 'https://example.org/ada.png',
  })
  assert.deepEqual(changed, {
    username: 'ada',
    profile_url: 'https://weft.example/human/ada',
    is_public: true,
    changed: ['username', 'headline', 'skills', 'links', 'avatar_url'],
  })
  assert.deepEqual(await profileOf(world, member), {
    ...before,
    username: 'ada',
    headline: 'Countess',
    skills: ['Mathematics'],
    links: [{ label: 'Notes', url: 'https://example.org/notes' }],
    avatar_url: 'https://example.org/ada.png',
    profile_url: 'https://weft.example/human/ada',
    markdown_url: 'https://weft.example/api/human/ada.md',
  })
  assert.deepEqual(await found(world, 'mathem'), ['ada'])
  const hidden = { clear: ['headline'], about: null, is_public: false }
  const { changed: fields } = await member.ask<{ changed: string[] }>(update, hidden)
  assert.deepEqual(fields, ['headline', 'is_public'])
  assert.deepEqual((await member.ask<{ changed: string[] }>(update, hidden)).changed, [])
  assert.deepEqual(await found(world, 'ada'), [])
})

test('invalid fields are rejected by name, for free and without changes', async () => {
  await using world = await createWorld()
  const [member] = [await world.join(), await world.join()]
  const before = await profileOf(world, member)
  const cases = [
    [{ username: 'member-2' }, 'conflict', '/username'],
    [{ headline: 'x', username: 'admin' }, 'invalid_request', '/username'],
    [{ username: 'free', avatar_url: 'javascript:x' }, 'invalid_request', '/avatar_url'],
    [{ links: [{ label: 'x', url: 'data:x' }] }, 'invalid_request', '/links/0/url'],
    [{ name: '  ' }, 'invalid_request', '/name'],
    [{ email: 'a@x.org' }, 'invalid_arguments', '/email'],
    [{}, 'invalid_request', undefined],
  ] as const
  for (const [input, code, pointer] of cases) {
    const error = await member.refused(update, input)
    assert.deepEqual([error.code, error.errors?.[0]?.pointer], [code, pointer])
  }
  assert.deepEqual(await profileOf(world, member), before)
  const { activity } = await member.ask<{ activity: unknown[] }>(listActivityTool)
  assert.deepEqual(activity, [])
})

test('an undo restores the changed fields, and fails if they have changed since', async () => {
  await using world = await createWorld()
  const member = await world.join()
  await member.ask(update, { headline: 'One', title: 'Two' }) // a_1
  await member.ask(update, { title: 'Three' })
  const refused = await member.refused(undo, { activity_id: 'a_1' })
  assert.deepEqual([refused.code, /profile: title/.test(refused.message)], ['conflict', true])
  await member.ask(update, { location: 'London' }) // a_3
  await member.ask(undo, { activity_id: 'a_2' })
  await member.ask(undo, { activity_id: 'a_1' })
  const { headline, title, location } = await profileOf(world, member)
  assert.deepEqual([headline, title, location], [null, null, 'London'])
})

const texts = fc.constantFrom(null, 'One', 'Two')
const changes = fc.record(
  {
    username: fc.constantFrom('first', 'second', 'third'),
    name: fc.constantFrom('Ada', 'Grace'),
    headline: texts,
    about: texts,
    skills: fc.subarray(['One', 'Two']),
    avatar_url: fc.constantFrom(null, 'https://example.org/1'),
    is_public: fc.boolean(),
  },
  { requiredKeys: ['headline'] },
)

test('undoing any changes in reverse order restores the original', async () => {
  await using world = await createWorld()
  let members = 0
  await fc.assert(
    fc.asyncProperty(fc.array(changes, { minLength: 1, maxLength: 5 }), async (made) => {
      const member = await world.join()
      members += 1
      const everything = async () => ({
        profile: await profileOf(world, member),
        listed: await found(world, ''),
      })
      const states = [await everything()]
      for (const change of made) {
        const username = change.username && `${change.username}-${members}`
        const input = withClear({ ...change, ...(username && { username }) })
        const { changed } = await member.ask<{ changed: string[] }>(update, input)
        if (changed.length > 0) states.push(await everything())
      }
      for (const state of states.slice(0, -1).toReversed()) {
        await member.ask(undo)
        assert.deepEqual(await everything(), state)
      }
    }),
    { numRuns: 20 },
  )
})
