import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { hasSameKeys, keysOf, matchKeysOf, nameCompanyKey } from './match-keys.ts'

const anyOf = (...values: readonly string[]) => fc.constantFrom(null, ...values)
const someOf = (...values: readonly string[]) => fc.subarray([...values])

const ANN = {
  name: 'Ann',
  company: null,
  emails: [],
  phones: [],
  profileUrl: null,
  birthday: null,
}

const people = fc.record({
  name: fc.constantFrom(
    'Ann Lee',
    'Lee Ann',
    'A Lee',
    'Ted Lee',
    'Dr. Ann Lee',
    'Жанна Ли',
    '王 伟',
    'Dr',
    '!',
  ),
  company: anyOf('Acme', 'Acme Inc', 'Byte'),
  emails: someOf('ann@acme.com', 'a.lee@gmail.com', 'alee+crm@gmail.com', 'alee@gmail.com'),
  phones: someOf('+1 212 555 0100', '(212) 555-0100', '+49 30 123456'),
  profileUrl: anyOf('https://www.linkedin.com/in/ann', 'https://www.linkedin.com/in/lee'),
  birthday: anyOf('1980-01-02', '--01-02'),
})

test('no key of a person is stored twice', () => {
  fc.assert(
    fc.property(people, (person) => {
      const { stored } = matchKeysOf(person)
      assert.deepEqual(stored, [...new Set(stored)])
    }),
  )
})

test('a new job does not change the keys of a name, and of its words and a birthday', () => {
  const jorg = { ...ANN, name: 'Jörg Weiß', company: 'Acme', birthday: '1980-02-03' }
  const keys = new Set(keysOf(jorg))
  const later = { ...jorg, name: 'Joerg Weiss', company: 'Byte', birthday: '--02-03' }
  assert.equal(keysOf(later).filter((key) => keys.has(key)).length, 3)
})

test('two states of a person have the same keys if the same fields have the same values', () => {
  fc.assert(
    fc.property(people, people, (one, other) => {
      assert.equal(hasSameKeys(one, structuredClone(one)), true)
      if (hasSameKeys(one, other)) assert.deepEqual(keysOf(one), keysOf(other))
    }),
  )
  const ann = { ...ANN, emails: ['a@x.org'] }
  assert.equal(hasSameKeys(ann, { ...ann, emails: ['b@x.org'] }), false)
  assert.equal(hasSameKeys(ann, { ...ann, emails: ['a@x.org', 'b@x.org'] }), false)
})

test('spellings of a name with an apostrophe have one key', () => {
  const keys = ["Sean O'Brien", 'Seán O’Brien', 'OBrien, Sean'].map((name) =>
    nameCompanyKey({ name, company: 'Acme' }),
  )
  assert.equal(new Set(keys).size, 1)
})

test('a name and a company in two scripts have one key', () => {
  for (const [one, other] of [
    [
      { name: 'Юлия Смирнова', company: 'Яндекс' },
      { name: 'Yulia Smirnova', company: 'Yandex' },
    ],
    [
      { name: 'Смирнова Юлия', company: 'ООО «Яндекс»' },
      { name: 'Julia Smirnova', company: 'Yandex LLC' },
    ],
    [
      { name: 'Γιώργος Παπαδόπουλος', company: 'Τιτάν' },
      { name: 'Giorgos Papadopoulos', company: 'Titan' },
    ],
    [
      { name: 'John Mac Donald', company: 'PwC' },
      { name: 'McDonald, John', company: 'PricewaterhouseCoopers' },
    ],
  ] as const)
    assert.equal(nameCompanyKey(one), nameCompanyKey(other), one.name)
})

const SPELLINGS: readonly (readonly [one: string, other: string])[] = [
  ['Jörg Müller', 'Joerg Mueller'],
  ['Bärbel Groß', 'Baerbel Gross'],
  ['Юрий Петров', 'Yuri Petrov'],
  ['Максим Орлов', 'Maxim Orlov'],
  ['Kristina Nowak', 'Cristina Nowak'],
  ['Piotr Levin', 'Pyotr Levin'],
]

for (const [one, other] of SPELLINGS)
  test(`${one} and ${other} at one company share a key`, () => {
    const company = 'Acme'
    assert.equal(nameCompanyKey({ name: one, company }), nameCompanyKey({ name: other, company }))
  })

test('a name with a trade, with a title or with other particles has one key at any company', () => {
  for (const [one, other] of [
    ['Jasper van Houten', 'van Houten, Jasper (imker)'],
    ['Koos van der Weiden', 'Koos v.d. Weiden'],
    ['Ottilie Hagenbuch', 'Prof. Dr. Ottilie Hagenbuch'],
  ] as const) {
    const keys = new Set(keysOf({ ...ANN, name: one, company: 'Acme' }))
    assert.ok(
      keysOf({ ...ANN, name: other }).some((key) => keys.has(key)),
      other,
    )
  }
})

test('near spellings of a family name and names in two scripts share a key at one company', () => {
  for (const [one, other, company, otherCompany] of [
    ['Bartholomew Quackenbush', 'Bartholomew Quackenbos', 'Hudson Milling', 'Hudson Milling Co.'],
    ['Sunniva Tjeldsundet', 'Sunniva Tjeldsund', 'Lofoten Fisk', 'Lofoten Fisk AS'],
    ['Ferdinand Oehlschläger', 'Ferdinand Ölschläger', 'Ostsee', 'Ostsee'],
    ['Mustapha Benmohammed', 'Mostafa Ben Mohammed', 'Atlas', 'Atlas'],
    ['Erik van den Berg', 'E. Vandenberg', 'Atlas', 'Atlas'],
    ['王晓东', 'Xiaodong Wang', '华为', 'Huawei'],
    ['欧阳 娜', 'Na Ouyang', '中国银行', 'Bank of China'],
  ] as const) {
    const keys = new Set(keysOf({ ...ANN, name: one, company, emails: [], phones: [] }))
    const others = keysOf({ ...ANN, name: other, company: otherCompany, emails: [], phones: [] })
    assert.ok(
      others.some((key) => keys.has(key)),
      `${one}, ${other}`,
    )
  }
})
