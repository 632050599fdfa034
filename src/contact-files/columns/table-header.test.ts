import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'
import { withHeadings } from './table-header.ts'

test('columns that repeat below merged headings keep apart', async () => {
  const { columns, contacts } = await readWhole(
    'Person,,Work,,Home,,Emergency contact,\n' +
      'First name,Last name,Phone,Email,Phone,Email,Nickname,Last name\n' +
      'Ann,Lee,020 7946 0301,ann@work.example,020 7946 0302,ann@home.example,Mum,Ek\n',
  )
  assert.deepEqual(
    columns.map(({ name, becomes, label }) => [name, becomes, label]),
    [
      ['First name', 'given_name', undefined],
      ['Last name', 'family_name', undefined],
      ['Work Phone', 'phone', 'work'],
      ['Work Email', 'email', 'work'],
      ['Home Phone', 'phone', 'home'],
      ['Home Email', 'email', 'home'],
      ['Nickname', 'nickname', undefined],
      ['Emergency contact Last name', 'custom', undefined],
    ],
  )
  assert.equal(contacts[0]?.name, 'Ann Lee')
  assert.deepEqual(contacts[0].details?.labels, {
    '020 7946 0301': 'work',
    '020 7946 0302': 'home',
    'ann@work.example': 'work',
    'ann@home.example': 'home',
  })
})

test('lists side by side, titles and data above a header are no headings', () => {
  const names = ['Name', 'Phone', 'Name', 'Phone']
  assert.deepEqual(withHeadings(names, ['Team A', '', 'Team B', '']), names)
  const repeated = ['Name', 'Phone', 'Phone']
  assert.deepEqual(withHeadings(repeated, ['Members 2026', '', '']), repeated)
  assert.deepEqual(withHeadings(repeated, ['a', 'b', 'c', 'd']), repeated)
})
