import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { addConnectionTool } from '../../../test/fixtures/one-person.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { deleteConnectionsTool } from '../deletion/delete-connections.tool.ts'
import { findIntroductionsTool } from './find-introductions.tool.ts'
import { openSharedWorld, type Acting } from '../../../test/fixtures/network.ts'
import { runsOf } from '../../../test/support/engine-options.ts'

interface Found {
  readonly known: readonly { readonly connection_id: string }[]
  readonly introductions: readonly {
    readonly connection: { readonly name: string }
    readonly score: number
    readonly reasons: readonly {
      readonly kind: string
      readonly text: string
      readonly quote?: string
      readonly note_id?: string
    }[]
  }[]
  readonly total: number
}

const NETWORK = [
  { name: 'Jane Doe', company: 'Acme Robotics', title: 'Senior Data Engineer', location: 'Rome' },
  { name: 'Ann Lee', company: 'ACME Robotics', title: 'Chief Buyer', emails: ['a@x.org'] },
  {
    name: 'Bo Day',
    company: 'Bolt',
    note: 'Plays chess. Jane Doe is his sister! They meet often.',
  },
  { name: 'Cy Fox', company: 'Bolt', title: 'Data Engineer', location: 'Rome', tags: ['acme'] },
  { name: 'Di Gray', company: 'Acmeology', title: 'Jane of all trades' },
]

async function withNetwork(member: Acting): Promise<void> {
  for (const one of NETWORK) await member.ask(addConnectionTool, one)
}

async function kinds(member: Acting, input: object): Promise<Record<string, string[]>> {
  const { introductions } = await member.ask<Found>(findIntroductionsTool, input)
  return Object.fromEntries(
    introductions.map(({ connection, reasons }) => [
      connection.name,
      reasons.map(({ kind }) => kind),
    ]),
  )
}

test('finds people who work at a company or are tagged with it, but not companies with the same prefix', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNetwork(member)
  assert.deepEqual(await kinds(member, { target: 'acme' }), {
    'Ann Lee': ['works_at_target', 'has_email'],
    'Jane Doe': ['works_at_target'],
    'Cy Fox': ['tagged'],
  })
})

test('everyone in a result has the last contact, or never', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNetwork(member)
  const call = { people: ['Ann Lee', 'Jane Doe'], kind: 'call', on: '2026-11-01' }
  await member.ask(logInteractionTool, call)
  const { known, introductions } = await member.ask<{
    known: readonly { last_contact_on: string }[]
    introductions: readonly { connection: { name: string; last_contact_on: string } }[]
  }>(findIntroductionsTool, { target: 'Jane Doe' })
  assert.equal(known[0]?.last_contact_on, '2026-11-01')
  const contacts = introductions.map(({ connection }) => [
    connection.name,
    connection.last_contact_on,
  ])
  assert.deepEqual(Object.fromEntries(contacts), {
    'Ann Lee': '2026-11-01',
    'Bo Day': 'never',
    'Cy Fox': 'never',
  })
})

test('for a person in the network, finds the person, colleagues, mentions, and same occupation and location', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNetwork(member)
  const found = await member.ask<Found>(findIntroductionsTool, { target: 'jane doe' })
  assert.deepEqual(
    found.known.map(({ connection_id }) => connection_id),
    ['c_1'],
  )
  assert.deepEqual(
    found.introductions.map(({ connection: { name }, score, reasons }) => [name, score, reasons]),
    [
      [
        'Ann Lee',
        0.62,
        [
          {
            kind: 'works_with_target',
            text: 'Works at ACME Robotics as Chief Buyer, where Jane Doe works.',
          },
          { kind: 'has_email', text: 'You have their email address.' },
        ],
      ],
      [
        'Bo Day',
        0.55,
        [
          {
            kind: 'mentioned_in_note',
            text: 'Mentioned in a note.',
            quote: 'Jane Doe is his sister!',
            note_id: 'n_1',
          },
          { kind: 'has_notes', text: 'You have a note about them.' },
        ],
      ],
      [
        'Cy Fox',
        0.2,
        [
          {
            kind: 'same_trade_and_place',
            text: 'Works as Data Engineer in Rome, where Jane Doe works as Senior Data Engineer.',
          },
        ],
      ],
    ],
  )
})

test('for a person outside the network, finds people at their company and location', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNetwork(member)
  const input = { target: 'Max Power', company: 'bolt', location: 'rome' }
  assert.deepEqual(await kinds(member, input), {
    'Cy Fox': ['works_with_target', 'same_location'],
    'Bo Day': ['works_with_target', 'has_notes'],
  })
})

test('finds people with a title', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNetwork(member)
  assert.deepEqual(await kinds(member, { target: 'data engineer' }), {
    'Cy Fox': ['has_title'],
    'Jane Doe': ['has_title'],
  })
})

test('returns no one without a reason, for punctuation, after deletion or from another member', async () => {
  await using world = await openSharedWorld()
  const [member, stranger] = [await world.join(), await world.join()]
  await withNetwork(member)
  const hint = 'No one has a link to this target. search_connections finds people by other words.'
  const empty = { known: [], introductions: [], total: 0, hint }
  assert.deepEqual(await member.ask(findIntroductionsTool, { target: 'Initech' }), empty)
  assert.deepEqual(await member.ask(findIntroductionsTool, { target: '!!!' }), empty)
  assert.deepEqual(await stranger.ask(findIntroductionsTool, { target: 'acme' }), empty)
  const everyone = NETWORK.map((_, index) => `c_${index + 1}`)
  await member.ask(deleteConnectionsTool, { people: everyone })
  assert.deepEqual(await member.ask(findIntroductionsTool, { target: 'acme' }), empty)
})

test('every reason is true of its connection, and results are sorted by score', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  await withNetwork(member)
  const some = fc.constantFrom('acme', 'Jane', 'Doe', 'data', 'Rome', 'Bolt', 'chess', 'li', 'x')
  await fc.assert(
    fc.asyncProperty(
      fc.array(some, { minLength: 1, maxLength: 3 }),
      fc.option(some),
      async (target, company) => {
        const { introductions } = await member.ask<Found>(findIntroductionsTool, {
          target: target.join(' '),
          ...(company !== null && { company }),
        })
        const scores = introductions.map(({ score }) => score)
        assert.deepEqual(
          scores,
          scores.toSorted((one, other) => other - one),
        )
        for (const { connection, reasons } of introductions) {
          assert.ok(reasons.length > 0)
          const known = JSON.stringify(NETWORK.find(({ name }) => name === connection.name))
          for (const { quote } of reasons) if (quote !== undefined) assert.ok(known.includes(quote))
        }
      },
    ),
    { numRuns: runsOf(60) },
  )
})

test('the answer stays within its size limit', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const company = `Acme ${'x'.repeat(280)}`
  await member.import(
    Array.from({ length: 80 }, (_, index) => ({
      name: index % 2 ? `Jane Doe ${index}` : `Ann ${index}`,
      company,
      title: company,
      location: company,
      emails: [`a${index}@x.org`],
      note: `Jane Doe ${'\n'.repeat(3000)}`,
    })),
  )
  // `ask` checks the length of every answer.
  for (const target of ['acme', 'jane doe'])
    await member.ask(findIntroductionsTool, { target, limit: 50 })
})
