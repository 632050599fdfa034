import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { contact } from '../../../test/fixtures/network.ts'
import { matchKeysOf } from '../../connections/model/match-keys.ts'
import { fingerprintKey } from '../../contact-files/contact/contact-keys.ts'
import { decodeRows, encodeRows } from './row-batch.ts'
import type { ImportedContact, ImportRow } from '../../contact-files/contact/contact.ts'

const anyText = fc.option(fc.constantFrom('Ann', 'Łódź', '王', 'a\nb'))
const anyList = fc.subarray(['one', 'two', 'three'])

/** A record that is an object like any other. */
function plainRecord<Values extends object>(values: {
  [Name in keyof Values]: fc.Arbitrary<Values[Name]>
}) {
  return fc.record(values, { noNullPrototype: true })
}

const anyContact = plainRecord({
  name: fc.constantFrom('Ann Lee', '王 伟'),
  givenName: anyText,
  familyName: anyText,
  company: anyText,
  title: anyText,
  location: anyText,
  emails: anyList,
  phones: anyList,
  profileUrl: anyText,
  links: anyList,
  birthday: anyText,
  connectedOn: anyText,
  note: anyText,
  labels: anyList,
}) satisfies fc.Arbitrary<ImportedContact>

const anyDetails = fc.constantFrom<ImportedContact['details']>(
  undefined,
  { nickname: 'Annie' },
  { labels: { one: 'work' } },
)

function withDetails(one: ImportedContact, details: ImportedContact['details']): ImportedContact {
  return details ? { ...one, details } : one
}

const place = { row: fc.nat(), line: fc.nat() }

const anyContactRow = fc.record(
  {
    ...place,
    contact: fc.tuple(anyContact, anyDetails).map(([one, details]) => withDetails(one, details)),
    cut: fc.constant(['note']),
    record: fc.constant('c_1'),
    addedAt: fc.nat(),
  },
  { requiredKeys: ['row', 'line', 'contact'], noNullPrototype: true },
)

const anyRow: fc.Arbitrary<ImportRow> = fc.oneof(
  { weight: 3, arbitrary: anyContactRow },
  { weight: 1, arbitrary: plainRecord({ ...place, rejected: fc.constant('No name') }) },
  { weight: 1, arbitrary: plainRecord({ ...place, skipped: fc.constant('A group') }) },
)

const anyRows = fc
  .tuple(fc.array(anyRow), fc.boolean())
  .map(([rows, haveKeys]) => (haveKeys ? rows.map(withKeys) : rows))

function withKeys(row: ImportRow): ImportRow {
  if (!('contact' in row)) return row
  const { contact: one } = row
  return { ...row, keys: { fingerprint: fingerprintKey(one), ...matchKeysOf(one) } }
}

test('rows are the same after they have been bytes, and so are their fingerprints', () => {
  fc.assert(
    fc.property(anyRows, (rows) => {
      const decoded = decodeRows(encodeRows(rows))
      assert.deepEqual(decoded, rows)
      for (const row of decoded)
        if ('contact' in row && row.keys)
          assert.equal(fingerprintKey(row.contact), row.keys.fingerprint)
    }),
  )
})

test('rows without details take no room per row for the fields that none of them has', () => {
  const rowsOf = (count: number) =>
    Array.from({ length: count }, (_, at) => ({
      row: at,
      line: at,
      contact: contact({ name: 'A' }),
    }))
  const [one, many] = [encodeRows(rowsOf(1)), encodeRows(rowsOf(101))]
  assert.ok(many.length - one.length < 100 * 12)
})
