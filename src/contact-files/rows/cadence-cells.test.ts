import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'
import { readCadence } from '../../dates/cadence.ts'

test('how often to keep in touch is read from words and numbers', () => {
  const expected = [
    ['Every 3 months', { every: 3, unit: 'month' }],
    ['every other week', { every: 2, unit: 'week' }],
    ['Monthly', { every: 1, unit: 'month' }],
    ['bi-weekly', { every: 2, unit: 'week' }],
    ['every three months', { every: 3, unit: 'month' }],
    ['Every 90 days', { every: 90, unit: 'day' }],
    ['alle zwei Wochen', { every: 2, unit: 'week' }],
    ['Vierteljährlich', { every: 3, unit: 'month' }],
    ['every zero days', null],
    ['Twice a year', { every: 6, unit: 'month' }],
    ['90', { every: 90, unit: 'day' }],
    ['2 years', { every: 24, unit: 'month' }],
    ['quarter', { every: 3, unit: 'month' }],
    ['Never', null],
    ['0', null],
    ['99999 days', null],
    ['every', null],
    ['', null],
  ] as const
  for (const [text, cadence] of expected) assert.deepEqual(readCadence(text), cadence, text)
})

test('other names of these columns are known', async () => {
  const names = [
    ['Last contacted', 'Follow-up frequency'],
    ['last_contacted_at', 'Reminder Frequency'],
    ['Date of last contact', 'Keep in touch'],
    ['Letzter Kontakt', 'Kontakthäufigkeit'],
  ] as const
  for (const [last, often] of names) {
    const { rows } = await readWhole(
      `Name,Email,${last},${often}\nAnn Lee,ann@x.example,2026-03-01,Quarterly\n`,
    )
    const [ann] = rows
    assert.ok(ann && 'contact' in ann)
    assert.deepEqual(ann.cadence, { every: 3, unit: 'month' }, often)
    assert.deepEqual(ann.contact.details, {
      interactions: [{ kind: 'other', on: '2026-03-01', isLastContact: true }],
    })
  }
})

test('columns with the last contact and the cadence are read as such', async () => {
  const { rows } = await readWhole(
    'First Name,Last Name,Emails,Last Interaction,Keep In Touch\nAnn,Lee,ann@x.example,2026-03-01,Every 3 months\nBo,Day,bo@x.example,Email,Someday\n',
  )
  const [ann, bo] = rows
  assert.ok(ann && 'contact' in ann && bo && 'contact' in bo)
  assert.deepEqual(ann.cadence, { every: 3, unit: 'month' })
  assert.deepEqual(ann.contact.details?.interactions, [
    { kind: 'other', on: '2026-03-01', isLastContact: true },
  ])
  assert.equal(bo.cadence, undefined)
  assert.deepEqual(bo.contact.details?.custom, [
    { field: 'Last Interaction', value: 'Email' },
    { field: 'Keep In Touch', value: 'Someday' },
  ])
})
