import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newState, NO_VALUES, type Connection } from '../model/connection.ts'
import { readImportedChange, writeImportedChange } from './imported-change-json.ts'
import { NOTHING_ADDED, type ImportedChange, type StoredContact } from './imported-change.ts'

const NOW = Date.UTC(2026, 10, 23)

const CONTACT = {
  name: 'Grace Hopper',
  givenName: 'Grace',
  familyName: 'Hopper',
  company: 'Navy',
  title: 'Captain',
  location: 'Arlington',
  emails: ['grace@example.com', 'hopper@example.com'],
  phones: ['+1 202 555 0143'],
  profileUrl: 'https://www.linkedin.com/in/grace-hopper',
  links: ['https://grace.example.com'],
  birthday: '--12-09',
  connectedOn: '2020-01-01',
  details: { nickname: 'Amazing Grace', labels: { 'grace@example.com': 'work' } },
} satisfies StoredContact

/** A connection with only a name, and one with a value in every field. */
const PLAIN: Connection = { ...newState(NOW), ...NO_VALUES, name: 'Ada Lovelace', source: 'table' }
const FULL: Connection = {
  ...newState(NOW, 7),
  connectionId: 3,
  ...CONTACT,
  source: 'linkedin',
  fieldSources: { title: 'typed', '@title': NOW },
  deletedAt: NOW,
  mergedInto: 2,
}

function reread(change: ImportedChange): ImportedChange {
  return readImportedChange(writeImportedChange(change))
}

test('a stored change is read as it was, whichever fields the connection and the contact have', () => {
  const contacts: StoredContact[] = [
    CONTACT,
    { name: 'Grace Hopper' },
    { ...CONTACT, labels: ['navy'] },
    ...Object.keys(CONTACT).map(contactWithout),
    { ...CONTACT, name: 'Grace B. Hopper', title: 'Rear Admiral' },
    { ...CONTACT, emails: ['hopper@example.com', 'grace@example.com'] },
    { ...CONTACT, details: { nickname: 'Grandma COBOL' } },
  ]
  for (const connection of [PLAIN, FULL, { ...FULL, title: null, emails: [] }])
    for (const contact of contacts) {
      const change = { ...NOTHING_ADDED, connection, contact, source: 'linkedin' } as const
      assert.deepEqual(reread(change), change)
    }
  const others: ImportedChange = {
    added_tags: ['navy'],
    added_notes: [4],
    added_keys: ['hgMkjTpZMdJp'],
    match: { score: 14, reasons: ['same_name'] },
    renewed: ['hlDkYVi18Hon'],
    job_after: { company: null, title: 'Rear Admiral' },
    connection: FULL,
    undone: { ...PLAIN, title: 'Countess' },
  }
  assert.deepEqual(reread(others), others)
  const onlyKeys: ImportedChange = { ...NOTHING_ADDED, added_keys: ['h'], contact: CONTACT }
  assert.deepEqual(reread(onlyKeys), onlyKeys)
})

test('values that the contact and the connection share are stored once, and empty fields not at all', () => {
  const change = {
    ...NOTHING_ADDED,
    connection: PLAIN,
    contact: { name: PLAIN.name, title: 'Poet' },
  }
  assert.deepEqual(JSON.parse(writeImportedChange(change)), {
    connection: {
      connectionId: 0,
      name: 'Ada Lovelace',
      source: 'table',
      version: 1,
      createdAt: NOW,
      updatedAt: NOW,
    },
    other_values: { title: 'Poet' },
  })
})

function contactWithout(field: string): StoredContact {
  return Object.fromEntries(Object.entries(CONTACT).filter(([name]) => name !== field))
}
