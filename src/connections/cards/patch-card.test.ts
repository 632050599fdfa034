import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { realCard } from '../../../test/fixtures/real-cards.ts'
import { octetsOf, cardTextOf, checkCard } from './card-lines.ts'
import { LIST_NAMES, NO_CARD_VALUES, readCard, type CardValues } from './card-values.ts'
import { asVersion3 } from './downgrade-card.ts'
import { newCard, patchCard } from './patch-card.ts'

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString()
const word = fc.stringMatching(/^[a-zäöü]{1,4}([ ,;\\][a-z]{1,4}){0,3}$/)
const label = fc.constantFrom(undefined, 'work', 'home', 'mobile', 'club, old')
const labeled = (value: fc.Arbitrary<string>) =>
  fc
    .record({ value, label })
    .map((one) =>
      one.label === undefined ? { value: one.value } : { value: one.value, label: one.label },
    )

/** Values as connections have them. */
const values: fc.Arbitrary<Partial<CardValues>> = fc.record(
  {
    name: word,
    givenName: word,
    familyName: word,
    company: word,
    title: word,
    nickname: fc.stringMatching(/^[a-z]{1,9}$/),
    birthday: fc.constantFrom('', '1985-04-12', '--11-30'),
    emails: fc.uniqueArray(labeled(fc.nat(50).map((n) => `p${n}@example.org`)), {
      maxLength: 3,
      selector: ({ value }) => value,
    }),
    phones: fc.uniqueArray(labeled(fc.nat(50).map((n) => `+49 30 77${n}`)), {
      maxLength: 3,
      selector: ({ value }) => value,
    }),
    urls: fc.uniqueArray(
      fc.nat(50).map((n) => ({ value: `https://example.net/${n}` })),
      { maxLength: 3, selector: ({ value }) => value },
    ),
    addresses: fc.uniqueArray(
      word.map((street) => ({ label: 'home', street, city: 'Bonn' })),
      { maxLength: 2, selector: ({ street }) => street },
    ),
    handles: fc.uniqueArray(
      fc.nat(9).map((n) => ({ service: 'matrix', value: `@a${n}:example.org` })),
      { maxLength: 2, selector: ({ value }) => value },
    ),
    dates: fc.uniqueArray(
      fc.nat(9).map((n) => ({ label: 'anniversary', date: `201${n}-05-01` })),
      { maxLength: 2, selector: ({ date }) => date },
    ),
    relations: fc.uniqueArray(
      word.map((one) => ({ name: one, relation: 'spouse' })),
      { maxLength: 2, selector: ({ name }) => name },
    ),
    tags: fc.uniqueArray(fc.stringMatching(/^[a-z]{2,6}[,;]?[a-z]{1,3}$/), { maxLength: 3 }),
  },
  { requiredKeys: [] },
)

test('the lines of a card are the same bytes, whatever its dialect', () => {
  fc.assert(
    fc.property(
      fc.nat(1e6).chain((n) => realCard(n)),
      (card) => {
        const bytes = Buffer.from(card)
        assert.ok(!('problem' in checkCard(bytes)))
        assert.equal(text(octetsOf(cardTextOf(bytes))), card)
        assert.equal(asVersion3(bytes), bytes)
      },
    ),
    { numRuns: 300 },
  )
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
      assert.deepEqual(Buffer.from(octetsOf(cardTextOf(bytes))), Buffer.from(bytes))
    }),
  )
})

test('a patch changes what it should, and every other line keeps its bytes', () => {
  fc.assert(
    fc.property(
      fc.nat(1e6).chain((n) => realCard(n)),
      values,
      (card, changed) => {
        const bytes = Buffer.from(card)
        const was = readCard(bytes).values
        const now: CardValues = { ...was, ...changed }
        const patched = patchCard(bytes, { was, now })
        const read = readCard(patched).values
        const names = Object.keys(changed) as (keyof CardValues)[]
        for (const name of names) {
          const sorted = (list: unknown) =>
            Array.isArray(list) ? list.map((one) => JSON.stringify(one)).toSorted() : list
          assert.deepEqual(sorted(read[name]), sorted(now[name]), `${name}\n${text(patched)}`)
        }
        for (const name of LIST_NAMES)
          if (!names.includes(name))
            assert.deepEqual(read[name], was[name], `${name}\n${text(patched)}`)
        // Lines that no value concerns stay as they were.
        const kept = cardTextOf(bytes).lines.filter(({ name }) =>
          /^(?:VERSION|PRODID|UID|REV|NOTE|KEY|GEO|PHOTO|X-EVOLUTION-FILE-AS|X-CUSTOM-LOWER|X-ABSHOWAS|BEGIN|END)$/.test(
            name,
          ),
        )
        const raw = new Set(cardTextOf(patched).lines.map((line) => line.raw))
        for (const line of kept) assert.ok(raw.has(line.raw), line.raw)
        assert.equal(patchCard(patched, { was: now, now }), patched)
        assert.ok(!('problem' in checkCard(patched)))
      },
    ),
    { numRuns: 300 },
  )
})

test('a new card says what the connection says', () => {
  fc.assert(
    fc.property(values, word, (some, name) => {
      const now: CardValues = { ...NO_CARD_VALUES, name, ...some }
      const read = readCard(newCard('u', now)).values
      const { givenName, familyName, location: _derived, ...others } = now
      if (givenName + familyName !== '')
        assert.deepEqual([read.givenName, read.familyName], [givenName, familyName])
      for (const key of Object.keys(others) as (keyof typeof others)[])
        assert.deepEqual(read[key], now[key], key)
    }),
    { numRuns: 200 },
  )
})

test('a changed email keeps the group, the parameters and the label of its line', () => {
  const card = [
    'BEGIN:VCARD',
    'VERSION:3.0',
    'UID:1',
    'N:L;A;;;',
    'FN:A L',
    'item1.EMAIL;type=INTERNET;X-SOME=1:Old@Example.org',
    'item1.X-ABLabel:Club',
    'END:VCARD',
    '',
  ].join('\r\n')
  const bytes = Buffer.from(card)
  const was = readCard(bytes).values
  const now = { ...was, emails: [{ value: 'new@example.org', label: 'Club' }] }
  assert.equal(
    text(patchCard(bytes, { was, now })),
    card.replace('Old@Example.org', 'new@example.org'),
  )
})

test('a card of version 4.0 is served as 3.0', () => {
  const card = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'UID:urn:uuid:1',
    'FN:Ada',
    'BDAY:--1130',
    'TEL;VALUE=uri;PREF=1;TYPE=cell:tel:+49-30-1',
    'PHOTO:data:image/jpeg;base64,/9j/4AAQ',
    'KIND:individual',
    'X-OTHER;A="b:c":d',
    'END:VCARD',
    '',
  ].join('\r\n')
  assert.deepEqual(
    text(asVersion3(Buffer.from(card)))
      .split('\r\n')
      .slice(1, -2),
    [
      'VERSION:3.0',
      'N:;;;;',
      'UID:urn:uuid:1',
      'FN:Ada',
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-11-30',
      'TEL;TYPE=pref;TYPE=cell:+49-30-1',
      'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQ',
      'X-ADDRESSBOOKSERVER-KIND:individual',
      'X-OTHER;A="b:c":d',
    ],
  )
})

test('the problem of a body is no card, several cards, another version or no UID', () => {
  const problem = (...lines: string[]) => {
    const checked = checkCard(Buffer.from(lines.join('\r\n')))
    return 'problem' in checked ? checked.problem : undefined
  }
  const card = ['BEGIN:VCARD', 'VERSION:3.0', 'UID:1', 'FN:A', 'END:VCARD', '']
  assert.equal(problem(...card), undefined)
  assert.equal(problem(...card, ...card), 'several_cards')
  assert.equal(problem('hello'), 'no_card')
  assert.equal(problem(''), 'no_card')
  assert.equal(problem(...card.slice(0, 4)), 'no_card')
  assert.equal(problem(...card.map((line) => line.replace('3.0', '2.1'))), 'version')
  assert.equal(problem(...card.filter((line) => !line.startsWith('UID'))), 'no_uid')
})

test('hostile cards take linear time', () => {
  for (const piece of [
    ';',
    '\\',
    '"',
    ',',
    ' \r\n',
    'item1.',
    'TEL:1\r\n',
    'a:',
    'BEGIN:VCARD\r\n',
  ]) {
    const bytes = Buffer.from(
      `BEGIN:VCARD\r\nVERSION:3.0\r\nUID:1\r\nN:${piece.repeat(50_000)}\r\nFN:A\r\nEND:VCARD\r\n`,
    )
    const was = readCard(bytes).values
    patchCard(bytes, {
      was,
      now: { ...was, familyName: 'New', emails: [{ value: 'a@example.org' }] },
    })
  }
})
