import assert from 'node:assert/strict'
import { test } from 'node:test'
import { importBytes } from '../../test/fixtures/import-file.ts'
import { createWorld, rowsOf } from '../../test/fixtures/network.ts'

const COUPLES = `Names,Phone,Email
Anna & Paul Maier,030 5550101,maiers@example.org
Ruth & Owen Tregaskis,030 5550102,tregaskis@example.org
`
const CHILDREN = `Kind;Mutter;Tel. Mutter;Ort
Lina Vogt;Sabine Vogt;0171 5550101;Erfurt
Pim Vogt;Sabine Vogt;0171 5550101;Erfurt
`

test('the people of a row are different connections, also when the file is imported again', async () => {
  await using world = await createWorld(1000)
  const member = await world.join()
  const counts = async (file: string) => {
    const { created, updated, unchanged, review } = await importBytes(
      world,
      member,
      Buffer.from(file),
    )
    return { created, updated, unchanged, review }
  }
  const none = { created: 0, updated: 0, unchanged: 0, review: 0 }
  assert.deepEqual(await counts(COUPLES), { ...none, created: 4 })
  assert.deepEqual(await counts(COUPLES), { ...none, unchanged: 4 })
  await counts(CHILDREN)
  const people = await rowsOf(world, member, 'connections')
  assert.deepEqual(people.map((row) => String(row['name'])).toSorted(), [
    'Anna Maier',
    'Lina Vogt',
    'Owen Tregaskis',
    'Paul Maier',
    'Pim Vogt',
    'Ruth Tregaskis',
    'Sabine Vogt',
  ])
  const mother = people.find((row) => row['name'] === 'Sabine Vogt')
  const details = JSON.parse(String(mother?.['details'])) as { relations: { name: string }[] }
  assert.deepEqual(
    details.relations.map(({ name }) => name),
    ['Lina Vogt', 'Pim Vogt'],
  )
})
