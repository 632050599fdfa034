import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openSharedWorld } from '../../../test/fixtures/network.ts'
import { dayAt, daysLater } from '../../dates/calendar-day.ts'
import { logInteractionTool } from '../interactions/log-interaction.tool.ts'
import { listTimelineTool } from '../interactions/list-timeline.tool.ts'
import { saveNoteTool } from '../notes/save-note.tool.ts'
import { NO_LIMITS } from '../../http/caller.ts'
import { addConnectionsTool } from '../people/add-connections.tool.ts'

interface Candidate {
  readonly name: string
  readonly snippet?: string
  readonly last_contact_on?: string
}

interface Listed {
  readonly given: string
  readonly candidates: readonly Candidate[]
}

const PEOPLE = [
  { name: 'Geneviève Thibault', company: 'Acme' },
  { name: 'Walter Ostrander', note: 'Dad. Pacemaker since May' },
  { name: 'Priya Raman', note: 'aunt, mum’s sister' },
  { name: 'Trần Thị Hồng', note: 'Dì Hồng, the neighbor' },
  { name: 'Hồng Phạm' },
  { name: 'Anna Meier', note: 'From the choir' },
  { name: 'Anna Huber', location: 'Berlin' },
]

async function openNetwork() {
  const world = await openSharedWorld()
  const member = await world.join()
  await member.ask(addConnectionsTool, { connections: PEOPLE })
  return { world, member }
}

test('a person named by other words than their name is suggested, with the words that match', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const cases: [given: string, name: string, snippet: RegExp][] = [
    ['Gen', 'Geneviève Thibault', /^$/],
    ['dad', 'Walter Ostrander', /Dad/],
    ['aunt', 'Priya Raman', /aunt/],
    ['Dì Hồng', 'Trần Thị Hồng', /Dì Hồng/],
  ]
  for (const [given, name, snippet] of cases)
    for (const [tool, input] of [
      [listTimelineTool, { people: given }],
      [saveNoteTool, { people: [given, 'Anna Meier'], text: 'Hello' }],
    ] as const) {
      const refused = await member.refused(tool, input)
      assert.equal(refused.code, 'not_found', given)
      const [one] = refused['similar'] as Listed[]
      assert.equal(one?.given, given)
      assert.equal(one.candidates[0]?.name, name)
      assert.match(one.candidates[0].snippet ?? '', snippet)
      assert.match(refused.hint ?? '', new RegExp(`Did you mean ${name}`))
      assert.equal('unknown_people' in refused, false)
    }
  const unknown = await member.refused(listTimelineTool, { people: 'Zebulon Quark' })
  assert.equal('similar' in unknown, false)
})

test('of people with the same name, those with a contact come first, and each has what tells them apart', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const yesterday = daysLater(dayAt(world.clock.now()), -1)
  await member.ask(logInteractionTool, { people: ['Anna Huber'], kind: 'call', on: yesterday })
  const refused = await member.refused(saveNoteTool, { people: ['Anna'], text: 'Hello' })
  assert.deepEqual(refused['ambiguous'], [
    {
      given: 'Anna',
      candidates: [
        {
          connection_id: 'c_7',
          name: 'Anna Huber',
          location: 'Berlin',
          last_contact_on: yesterday,
        },
        { connection_id: 'c_6', name: 'Anna Meier', snippet: 'From the choir' },
      ],
    },
  ])
})

test('an agent learns no note that it may not read, and no name without the connections', async () => {
  const { world, member } = await openNetwork()
  await using _world = world
  const refusedWith = async (limits: object, people: string) => {
    Object.assign(member.caller, { limits: { ...NO_LIMITS, ...limits } })
    return JSON.stringify(await member.refused(listTimelineTool, { people }))
  }
  assert.doesNotMatch(await refusedWith({ withholdsText: true }, 'dad'), /Walter|Pacemaker/)
  assert.match(await refusedWith({ withholdsText: true }, 'Gen'), /Thibault/)
  assert.doesNotMatch(await refusedWith({ withholdsText: true }, 'Anna'), /choir/)
  for (const people of ['Gen', 'Ann Meyer', 'Anna'])
    assert.doesNotMatch(await refusedWith({ groups: ['notes'] }, people), /Thibault|Meier|c_/)
})
