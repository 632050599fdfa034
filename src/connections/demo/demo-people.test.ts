// Checks that the demo network is complete, varied and clearly fictional.

import { customValueOf } from '../custom-fields/custom-values.ts'
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { DEMO_MEMBER } from './demo-member.ts'
import { isPartialDate } from '../../contact-files/contact/clean-details.ts'
import { DEMO_FIELDS, demoPeople } from './demo-people.ts'

const LAST_DAY = '2026-10-31'

function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return false
  const date = new Date(`${text}T00:00:00Z`)
  return !Number.isNaN(date.getTime()) && date.toISOString().startsWith(text)
}

function counted(values: Iterable<string>): Map<string, number> {
  const counts = new Map<string, number>()
  for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1)
  return counts
}

function assertDistinct(values: readonly string[]): void {
  const repeated = [...counted(values)].filter(([, count]) => count > 1)
  assert.deepEqual(repeated, [])
}

void test('there are exactly two hundred distinct people', () => {
  assert.equal(demoPeople().length, 200)
  assertDistinct(demoPeople().map((person) => `${person.name}, ${person.company ?? ''}`))
  assertDistinct(demoPeople().flatMap((person) => person.profileUrl ?? []))
  assertDistinct(demoPeople().flatMap((person) => person.emails))
  assertDistinct(demoPeople().flatMap((person) => person.phones))
  assertDistinct(demoPeople().flatMap((person) => person.notes.map((note) => note.text)))
  for (const person of demoPeople()) {
    assert.ok(person.givenName && person.familyName && person.location, person.name)
  }
})

void test('every date is a real day in range, and notes follow the connection in order', () => {
  for (const person of demoPeople()) {
    assert.ok(isDay(person.connectedOn), person.name)
    assert.ok(person.connectedOn >= '2014-01-01' && person.connectedOn <= LAST_DAY, person.name)
    let previous = person.connectedOn
    for (const note of person.notes) {
      assert.ok(isDay(note.on) && note.on >= previous && note.on <= LAST_DAY, person.name)
      assert.match(note.text, /^\p{Lu}.{20,}[.?]$/u)
      previous = note.on
    }
  }
})

void test('every tag is shared, and no one has more than four tags or three notes', () => {
  const tags = counted(demoPeople().flatMap((person) => person.tags))
  assert.ok(tags.size >= 20 && tags.size <= 30)
  for (const [tag, count] of tags) assert.ok(count >= 2, tag)
  for (const person of demoPeople()) {
    assertDistinct(person.tags)
    assert.ok(person.tags.length <= 4 && person.notes.length <= 3, person.name)
  }
})

void test('many people have notes and at least two in five have none', () => {
  const bare = demoPeople().filter((person) => person.notes.length === 0)
  const notes = demoPeople().flatMap((person) => person.notes)
  assert.ok(bare.length >= 80)
  assert.ok(notes.length >= 110)
})

void test('every email, phone number and profile is reserved or fictional', () => {
  const card = readFileSync(new URL('data/phone.vcf', import.meta.url), 'utf8')
  const valuesOf = (property: string) =>
    [...card.matchAll(new RegExp(`^${property}[^:]*:(.*)\\r$`, 'gm'))].map(
      ([, value]) => value ?? '',
    )
  const [emails, phones] = [valuesOf('EMAIL'), valuesOf('TEL')]
  assert.ok(emails.length > 4 && phones.length > 7)
  for (const person of [...demoPeople(), { emails, phones, profileUrl: null }]) {
    for (const email of person.emails) {
      assert.match(email, /^[a-z][a-z.-]*@[a-z0-9-]+\.example\.(com|org|net)$/)
    }
    for (const phone of person.phones) {
      assert.match(
        phone,
        /^(\+1-\d{3}-555-01\d\d|\+44 (20 7946 0|1[3-6]1 496 0|7700 900)\d{3}|\+49 (30 23125|89 99998) \d{3}|\+49 176 040690\d\d|\+33 1 99 00 \d{4}|\+353 20 911 0\d{3}|\+61 3 5550 0\d{3}|\+46 8 465 004 \d\d)$/,
      )
    }
    if (person.profileUrl !== null) {
      assert.match(person.profileUrl, /^https:\/\/www\.linkedin\.com\/in\/[a-z0-9-]+-demo$/)
    }
  }
  for (const link of DEMO_MEMBER.links) assert.match(new URL(link.url).hostname, /\.example\.com$/)
})

void test('about three in five have an email, one in five a phone, four in five a profile', () => {
  const share = (has: (person: ReturnType<typeof demoPeople>[number]) => boolean) =>
    demoPeople().filter(has).length / demoPeople().length
  const email = share((person) => person.emails.length > 0)
  const phone = share((person) => person.phones.length > 0)
  const profile = share((person) => person.profileUrl !== null)
  assert.ok(email > 0.5 && email < 0.7)
  assert.ok(phone > 0.15 && phone < 0.25)
  assert.ok(profile > 0.75 && profile < 0.9)
})

void test('names carry diacritics and several scripts', () => {
  const names = demoPeople().map((person) => person.name)
  assert.ok(names.filter((name) => /\p{M}/u.test(name.normalize('NFD'))).length >= 20)
  for (const script of ['Han', 'Hangul', 'Cyrillic', 'Arabic', 'Greek', 'Devanagari']) {
    const inScript = new RegExp(`\\p{Script=${script}}`, 'u')
    assert.ok(
      names.some((name) => inScript.test(name)),
      script,
    )
  }
})

void test('every company has employees: a few have many, most one or two', () => {
  const staff = counted(demoPeople().flatMap((person) => person.company ?? []))
  assert.ok(staff.size >= 65)
  const sizes = [...staff.values()]
  assert.ok(sizes.filter((size) => size >= 6 && size <= 12).length >= 5)
  assert.ok(sizes.filter((size) => size === 1).length >= 10)
})

void test('details are of every kind, and every value fits its field', () => {
  const all = demoPeople()
  const having = (has: (one: (typeof all)[number]) => boolean) => all.filter(has).length
  assert.ok(having(({ birthday }) => birthday !== null) >= 40)
  assert.ok(having(({ details }) => details.addresses !== undefined) >= 10)
  assert.ok(having(({ calledOn }) => calledOn !== null) >= 15)
  assert.ok(
    having(({ details }) => details.organizations?.some(({ current }) => !current) === true) >= 20,
  )
  for (const { name, birthday, details, custom } of all) {
    assert.ok(birthday === null || isPartialDate(birthday), name)
    for (const { from, until } of details.organizations ?? [])
      assert.ok(from !== undefined && (until === undefined || from < until), name)
    for (const { field, value } of custom) {
      const definition = DEMO_FIELDS.find((one) => one.name === field)
      assert.ok(definition && customValueOf(definition, value) === value, name)
    }
  }
  for (const { name } of DEMO_FIELDS)
    assert.ok(having(({ custom }) => custom.some(({ field }) => field === name)) >= 20, name)
})
