// Invented exports in the form that Monica 4 writes. Each `.txt` file has the records that the export of the same name must become.

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { readWhole } from '../../../test/fixtures/reading.ts'
import { UnreadableFile } from '../bytes/unreadable-file.ts'
import type { ImportRow } from '../contact/contact.ts'

const FIXTURES = new URL('../../../test/fixtures/monica/', import.meta.url)

function fixture(name: string): string {
  return readFileSync(new URL(name, FIXTURES), 'utf8')
}

describe('the JSON export of Monica', () => {
  for (const name of ['family', 'work', 'sparse'])
    test(`${name}: becomes the expected records`, async () => {
      const { format, rows, columns } = await readWhole(fixture(`${name}.json`))
      assert.equal(format, 'monica')
      const left = columns.filter(({ becomes, leftOut = 0 }) => becomes === 'ignore' || leftOut > 0)
      const report = left.map(
        ({ name: column, filled, leftOut }) => `${column} ${leftOut ?? filled}`,
      )
      const lines = [...rows.flatMap(linesOf), `not imported: ${report.join(', ')}`]
      assert.deepEqual(lines, fixture(`${name}.txt`).trimEnd().split('\n'))
    })

  test('is recognized in one line, and with a byte order mark', async () => {
    const text = JSON.stringify(JSON.parse(fixture('work.json')))
    const { contacts } = await readWhole(`\uFEFF${text}`)
    assert.equal(contacts.length, 5)
  })

  test('that is cut off is rejected', async () => {
    await assert.rejects(readWhole(fixture('work.json').slice(0, -500)), (error) => {
      assert.ok(error instanceof UnreadableFile)
      assert.match(error.message, /^This export of Monica is damaged/)
      return true
    })
  })

  test('of an empty account has no rows', async () => {
    const text = '{"version": "1.0-preview.1", "app_version": "4.1.2", "account": {"data": []}}'
    assert.deepEqual((await readWhole(text)).rows, [])
  })

  test('with values of other kinds than expected is read as far as possible', async () => {
    for (const contacts of [
      '[null, 3, "x", [], {}]',
      '{}',
      'null',
      '[{"properties": {"first_name": {}}}]',
    ])
      for (const data of [`[{"type": "contact", "values": ${contacts}}]`, contacts]) {
        const text = `{"version": "1.0", "app_version": "4", "account": {"data": ${data}}}`
        const { contacts: read } = await readWhole(text)
        assert.equal(read.length, 0)
      }
  })
})

/** A record as text, one line per value. */
function linesOf(row: ImportRow): readonly string[] {
  if ('rejected' in row) return [`rejected ${row.row}`]
  if (!('contact' in row)) return [`skipped ${row.row}`]
  const { contact, history, cut, photo, unread, cadence } = row
  const { details = {}, name, emails, phones, links, labels, ...texts } = contact
  const { custom = [], addresses = [], handles = [], dates = [], relations = [] } = details
  const lists = { emails, phones, links, labels }
  return [
    name,
    ...Object.entries({
      ...texts,
      middleName: details.middleName,
      nickname: details.nickname,
    }).flatMap(([field, value]) => (value == null ? [] : [`  ${field}: ${value}`])),
    ...Object.entries(lists).flatMap(([field, values]) =>
      values.length === 0 ? [] : [`  ${field}: ${values.join(', ')}`],
    ),
    ...addresses.map((one) => `  address: ${Object.values(one).join(', ')}`),
    ...handles.map(({ service, value }) => `  ${service}: ${value}`),
    ...dates.map(({ label, date }) => `  ${label}: ${date}`),
    ...custom.map(({ field, value }) => `  ${field}: ${value}`),
    ...relations.map((one) => `  ${one.relation} is ${one.name}`),
    ...(photo ? [`  photo: ${photo.mediaType}`] : []),
    ...(history?.notes ?? []).map(({ text }) => `  note: ${text.replaceAll('\n', ' / ')}`),
    ...(history?.followUps ?? []).map(({ text, dueOn, recurrence, completedAt }) => {
      const done =
        completedAt === null ? '' : `, done ${new Date(completedAt).toISOString().slice(0, 10)}`
      return `  follow-up: ${text} (${dueOn}, ${recurrence}${done})`
    }),
    ...(history?.interactions ?? []).map((one) => {
      const { kind, on, at = '', direction = '', subject = '', text = '' } = one
      const head = [kind, direction, on, at].filter((part) => part !== '').join(' ')
      return `  interaction: ${head} | ${subject} | ${text.replaceAll('\n', ' / ')}`
    }),
    ...(cadence ? [`  keep in touch: ${cadence.every} ${cadence.unit}`] : []),
    ...(unread ?? []).map(({ column, value }) => `  not recognized: ${column} ${value}`),
    ...(cut ? [`  not kept: ${cut.join(', ')}`] : []),
  ]
}
