import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { cleanDetails, isPartialDate } from './clean-details.ts'
import { rowOf, type ContactDraft } from './contact-draft.ts'
import {
  MAX_CUSTOM_LENGTH,
  MAX_IMPORTED_NOTE_LENGTH,
  MAX_TAG_LENGTH,
  MAX_TEXT_LENGTH,
  MAX_VALUES,
} from '../../base/limits.ts'

const DRAFT: ContactDraft = {
  fullName: 'Ann Lee',
  givenName: '',
  familyName: '',
  company: '',
  title: '',
  location: '',
  emails: [],
  phones: [],
  urls: [],
  birthday: null,
  connectedOn: null,
  note: '',
  labels: [],
}

test('labels are stored under the normalized value', () => {
  const row = rowOf(1, 1, {
    ...DRAFT,
    emails: [{ value: 'Ann <ANN@x.org>; a@y.org', label: ' Work ' }, 'b@x.org'],
    phones: [
      { value: 'tel:+49 30 1', label: 'mobile' },
      { value: '+49 30 2', label: '' },
    ],
    urls: [
      { value: 'linkedin.com/in/Ann?x=1', label: 'LinkedIn' },
      { value: 'ann.org', label: 'Blog' },
    ],
  })
  assert.ok('contact' in row)
  assert.deepEqual(row.contact.emails, ['ann@x.org', 'a@y.org', 'b@x.org'])
  assert.deepEqual(row.contact.details, {
    labels: {
      'ann@x.org': 'Work',
      'a@y.org': 'Work',
      '+49 30 1': 'mobile',
      'https://www.linkedin.com/in/ann': 'LinkedIn',
      'https://ann.org': 'Blog',
    },
  })
})

test('a contact without details has no such key, so that its fingerprint stays the same', () => {
  const row = rowOf(1, 1, { ...DRAFT, details: { custom: [], nickname: ' ' } })
  assert.ok('contact' in row && !('details' in row.contact))
})

test('empty, repeated and unreadable details are dropped', () => {
  const details = cleanDetails(
    {
      namePrefix: ' Dr. ',
      pronouns: '',
      addresses: [{ label: 'home' }, { street: '1 Main St\r\nFloor 2', city: ' Bonn ' }],
      handles: [
        { service: 'Skype', value: 'ann' },
        { service: 'skype', value: ' ann' },
        { service: '', value: 'x' },
      ],
      organizations: [
        { current: true },
        { name: 'Acme', from: '2019', until: 'soon', current: false },
      ],
      dates: [
        { label: 'anniversary', date: '2010-02-30' },
        { label: '', date: '--02-29' },
      ],
      relations: [{ name: '', relation: 'spouse' }],
      custom: [
        { field: 'Tier', value: 'Gold' },
        { field: 'Tier', value: '' },
      ],
    },
    new Map(),
  )
  assert.deepEqual(details, {
    namePrefix: 'Dr.',
    addresses: [{ street: '1 Main St\nFloor 2', city: 'Bonn' }],
    handles: [
      { service: 'skype', value: 'ann' },
      { service: 'other', value: 'x' },
    ],
    organizations: [{ name: 'Acme', from: '2019', current: false }],
    dates: [{ label: 'other', date: '--02-29' }],
    custom: [{ field: 'Tier', value: 'Gold' }],
  })
})

test('values over a limit become a part of the note, under the name of their field', () => {
  const long = 'x'.repeat(MAX_TEXT_LENGTH + 1)
  const bio = 'x'.repeat(MAX_CUSTOM_LENGTH + 1)
  const numbered = (start: string, end = '') =>
    Array.from({ length: MAX_VALUES + 1 }, (_, index) => start + index + end)
  const row = rowOf(1, 1, {
    ...DRAFT,
    company: long,
    emails: numbered('a', '@x.org'),
    urls: numbered('x', '.org'),
    labels: ['y'.repeat(MAX_TAG_LENGTH + 1), ...numbered('tag ')],
    note: 'Own note',
    details: {
      nickname: long,
      relations: numbered('P').map((name) => ({ name, relation: 'friend' })),
      organizations: [{ name: 'Acme', title: long, current: false }],
      custom: [{ field: 'Short Bio', value: bio }],
    },
  })
  assert.ok('contact' in row)
  assert.equal(row.cut, undefined)
  assert.deepEqual(row.contact.note?.split('\n\n').toSorted(), [
    `Company: ${long}`,
    'Emails: a50@x.org',
    'Links: https://x50.org',
    `Nickname: ${long}`,
    `Organizations: ${long}`,
    'Own note',
    'Relations: P50, friend',
    `Short Bio: ${bio}`,
    'Tags: tag 49',
    'Tags: tag 50',
    `Tags: ${'y'.repeat(MAX_TAG_LENGTH + 1)}`,
  ])
  const spaces = rowOf(1, 1, { ...DRAFT, company: `Acme${' '.repeat(MAX_TEXT_LENGTH)}` })
  assert.ok('contact' in spaces && spaces.contact.note === null)
  const endless = rowOf(1, 1, { ...DRAFT, note: 'x'.repeat(MAX_IMPORTED_NOTE_LENGTH + 1) })
  assert.ok('contact' in endless)
  assert.deepEqual(endless.cut, ['note'])
})

test('partial dates are existing days, months and years', () => {
  const valid = ['2024-02-29', '2024-02', '2024', '--02-29', '--12-31']
  const invalid = ['', '-', '--02-30', '2023-02-29', '2024-13', '--12', '24', '2024-1', 'x2024']
  assert.deepEqual(
    [...valid, ...invalid].filter((text) => isPartialDate(text)),
    valid,
  )
})

test('cleaning clean details changes nothing', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 20 })
  const details = fc.record({
    nickname: text,
    addresses: fc.array(fc.record({ street: text, city: text }), { maxLength: 3 }),
    handles: fc.array(fc.record({ service: text, value: text }), { maxLength: 3 }),
    custom: fc.array(fc.record({ field: text, value: text }), { maxLength: 3 }),
  })
  fc.assert(
    fc.property(details, (raw) => {
      const once = cleanDetails(raw, new Map())
      assert.deepEqual(cleanDetails(once, new Map()), once)
    }),
  )
})
