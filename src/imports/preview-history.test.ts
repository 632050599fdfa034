import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, type Person } from '../../test/fixtures/member.ts'
import { readEvents } from '../../test/fixtures/import.ts'

interface Counts {
  readonly created: number
  readonly updated: number
  readonly unchanged: number
}

/** `connections.json` of an export, as far as it says something. */
function archiveOf(people: readonly object[]): string {
  const lines = people.map((person, index) =>
    JSON.stringify({ connection_id: `c_${index + 1}`, ...person }),
  )
  return `[\n${lines.join(',\n')}\n]\n`
}

const ANN = { name: 'Ann Lee', emails: ['ann@lee.example'] }
const note = (text: string) => ({ text, happened_on: null, created_at: null })
const followUp = (text: string) => ({ text, due_on: '2027-01-05', recurrence: 'none' })

/** What a preview counts, after checking that an import and a preview after it agree with it. */
async function countsOf(ada: Person, people: readonly object[]): Promise<readonly number[]> {
  const content = archiveOf(people)
  const preview = async () => {
    const answer = await ada.ask('import_connections', { content, preview: true })
    return listed(answer['preview'] as Counts)
  }
  const planned = await preview()
  const { task_id } = await ada.ask('import_connections', { content })
  await readEvents(ada, Number(task_id))
  const { jobs } = await ada.ask('get_jobs', { task_id })
  const [{ result } = {}] = jobs as { result?: unknown }[]
  assert.deepEqual(planned, listed(result as Counts))
  assert.deepEqual(await preview(), [0, 0, people.length])
  return planned
}

function listed({ created, updated, unchanged }: Counts): readonly number[] {
  return [created, updated, unchanged]
}

test('a preview counts people as updated if only their notes, follow-ups, tags or interactions are new', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const people = [
    { notes: [note('met in Rome')] },
    { follow_ups: [followUp('call')] },
    { tags: ['Friends'] },
    { interactions: [{ interaction_id: 'i_1', on: '2026-03-01', kind: 'message' }] },
  ].map((added, index) =>
    Object.assign({ name: `Ann ${index}`, emails: [`ann${index}@x.example`] }, added),
  )
  for (const { name, emails } of people) await ada.ask('add_connections', { name, emails })
  assert.deepEqual(await countsOf(ada, people), [0, 4, 0])
})

test('a preview counts what a later row adds to a person of the same file', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const added = { ...ANN, connection_id: null } // lines with an ID are different people
  const people = [
    { ...ANN, notes: [note('met in Rome')] },
    { ...added, links: ['https://lee.example'], notes: [note('met in Rome')] },
    { ...added, notes: [note('met in Rome'), note('met in Oslo')] },
    { ...added, notes: [note('met in Oslo')], follow_ups: [followUp('call')] },
  ]
  assert.deepEqual(await countsOf(ada, people), [1, 3, 0])
})

test('a preview does not count notes and follow-ups that the member deleted', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const { people } = await ada.ask('add_connections', ANN)
  const [{ connection_id } = {}] = people as { connection_id?: string }[]
  await ada.ask('save_note', { people: connection_id, text: 'met in Rome' })
  await ada.ask('delete_note', { note_id: 'n_1' })
  const counts = await countsOf(ada, [{ ...ANN, notes: [note('met in Rome')] }])
  assert.deepEqual(counts, [0, 0, 1])
})
