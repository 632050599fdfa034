import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { tokenize } from '../base/tokenize.ts'
import { analyzeQuery } from './query/analyze-query.ts'
import { documentAnalyzer } from './build/analyze-document.ts'
import { segmentBuilder } from './build/build-segment.ts'
import { mergeSegments } from './build/merge-segments.ts'
import { matchedFieldsOf } from './index/search-fields.ts'
import { searchIndex } from './search-index.ts'
import type { HitPosition } from './scoring/best-hits.ts'
import type { IndexQuery, IndexResult } from './scoring/score-people.ts'
import { SearchScratch } from './index/people-set.ts'
import type { SearchIndex } from './index/segment.ts'
import { openSegment, type RowHistory, type Segment } from './index/segment.ts'
import { snippetFinder } from './index/snippet.ts'
import { tagTerm } from './index/special-terms.ts'
import { EMPTY_DOCUMENT, type SearchDocument } from './build/search-document.ts'

function documentOf(
  connectionId: number,
  given: Partial<SearchDocument> & Pick<SearchDocument, 'name'>,
): SearchDocument {
  return { ...EMPTY_DOCUMENT, connectionId, ...given }
}

function segmentOf(documents: readonly SearchDocument[], history?: RowHistory): Segment {
  const builder = segmentBuilder()
  const analyze = documentAnalyzer()
  for (const document of documents) builder.add(analyze(document))
  return builder.finish(history)
}

function indexOf(segment: Segment): SearchIndex {
  return { segments: [{ segment, gone: undefined }], people: segment.ids.length }
}

const scratch = new SearchScratch()

function find(index: SearchIndex, query: string, limit = 1000) {
  return searchIndex(index, { words: analyzeQuery(query), limit }, scratch)
}

/** Without the places of people in an index. */
function shown({ hits, fieldsOf, guessesOf, ...result }: IndexResult) {
  const fields = fieldsOf(hits)
  return {
    ...result,
    hits: hits.map((hit, nth) => [{ ...hit, at: 0 }, fields[nth], guessesOf(hit)]),
  }
}

function idsFor(index: SearchIndex, query: string): number[] {
  return find(index, query).hits.map(({ connectionId }) => connectionId)
}

/** Numbers people from 1 and searches them. */
function finder(people: readonly (Partial<SearchDocument> & Pick<SearchDocument, 'name'>)[]) {
  const index = indexOf(segmentOf(people.map((person, at) => documentOf(at + 1, person))))
  return (query: string) => idsFor(index, query).map((id) => people[id - 1]?.name)
}

const ADA = {
  name: 'Ada Lovelace',
  company: 'Analytical Engines',
  title: 'Programmer',
  location: 'London',
  emails: ['ada.lovelace@engines.co.uk'],
  phones: ['+44 (0)20 7946 0958'],
  profileUrl: 'https://www.linkedin.com/in/ada-l-1815',
  links: ['https://github.com/countess_ada'],
  tags: [{ tag: 'Poetical Science', key: 'poetical science' }],
  notes: ['Met at Web Summit.', 'Translates Menabrea.'],
}

test('every field is found in every common form', () => {
  const found = finder([ADA, { name: 'Grace Hopper', company: 'Navy', phones: ['555 0100 77'] }])
  for (const query of [
    'lovelace ada',
    'analytical',
    'AnalyticalEngines',
    'programmer london',
    'poetical',
    'menabrea',
    'web summit',
    'ada.lovelace@engines.co.uk',
    'ADA.LOVELACE@ENGINES.CO.UK',
    'engines.co.uk',
    '@engines.co.uk',
    '+44 20 7946 0958',
    '020 7946 0958',
    '00442079460958',
    '(020) 7946-0958',
    '7946 0958',
    'linkedin.com/in/ada-l-1815',
    'https://www.linkedin.com/in/ada-l-1815/?utm_source=share',
    'https://github.com/countess_ada',
    '@countess_ada',
    'countess_ada',
  ])
    assert.deepEqual(found(query), ['Ada Lovelace'], query)
})

test('identifiers are found as links, labels and tracking write them', () => {
  const people = [
    {
      ...ADA,
      links: ['https://m.youtube.com/@countess', 'https://ada.example/%C3%A9tudes/?lang=fr'],
      detailTexts: ['0000-0002-1825-0097'],
    },
    {
      name: 'Grace Hopper',
      emails: ['grace@navy.example'],
      phones: ['+49 030 555 01 77'],
      profileUrl: 'https://us.linkedin.com/in/grace-h/details/experience/',
      links: ['https://orcid.org/0000-0002-1694-233X', 'https://mobile.de'],
    },
  ]
  const found = finder(people)
  const ada = [
    'mailto:ada.lovelace@engines.co.uk?subject=Your%20notes',
    'mailto:ada.lovelace%40engines.co.uk',
    'Email: <ada.lovelace@engines.co.uk>',
    'Ada Lovelace <ada.lovelace@engines.co.uk>',
    'tel:+442079460958',
    'Tel.: +44 (0)20 7946-0958',
    '+44 ( 0 ) 20 7946 0958',
    '+44 020 7946 0958',
    '0044 (0)20 79460958',
    'https://www.linkedin.com/mwlite/in/ada-l-1815?fbclid=x1',
    'https://de.linkedin.com/in/ada-l-1815/en',
    'https://www.youtube.com/@countess?si=abc&feature=share',
    'youtube.com/@countess',
    'https://www.ada.example/%c3%a9tudes#top',
    '(https://ada.example/études).',
    '0000-0002-1825-0097',
    '0000000218250097',
    'ORCID iD: 0000-0002-1825-0097',
    'https://orcid.org/0000-0002-1825-0097?lang=en',
  ]
  for (const query of ada) assert.deepEqual(found(query), ['Ada Lovelace'], query)
  const grace = [
    'http://orcid.org/0000-0002-1694-233x/',
    'orcid 0000 0002 1694 233X',
    '+49 30 5550177',
    '030 5550177',
    '(0)30 555 0177',
    '(030) 55 50 177',
    '30-5550177',
    'linkedin.com/in/grace-h',
    'mobile.de',
  ]
  for (const query of grace) assert.deepEqual(found(query), ['Grace Hopper'], query)
  const unknown = [
    '0000-0002-1825-0098',
    'mailto:eve@navy.example',
    'https://youtube.com/@duchess?si=countess',
  ]
  for (const query of unknown) assert.deepEqual(found(query), [], query)
})

test('names are found in other spellings, scripts, short forms and word boundaries', () => {
  const people = [
    'Jürgen Müller',
    'Søren Kierkegaard',
    'Александр Чехов',
    'Γιώργος Παπαδόπουλος',
    'Sean O’Brien',
    'Jean-Luc Picard',
    'Robert Hargreaves',
    'Anna Kowalski',
    'J. Appleseed',
    '欧阳建国',
    '田中さくら',
    '김철수',
    '明 张',
    'Pyotr Tchaikovsky',
  ]
  const found = finder(people.map((name) => ({ name })))
  const expected: readonly (readonly [query: string, name: string])[] = [
    ['jurgen muller', 'Jürgen Müller'],
    ['Juergen Mueller', 'Jürgen Müller'],
    ['MÜLLER', 'Jürgen Müller'],
    ['soren', 'Søren Kierkegaard'],
    ['soeren', 'Søren Kierkegaard'],
    ['aleksandr chekhov', 'Александр Чехов'],
    ['чехов', 'Александр Чехов'],
    ['giorgos', 'Γιώργος Παπαδόπουλος'],
    ['ΓΙΩΡΓΟΣ', 'Γιώργος Παπαδόπουλος'],
    ['obrien', 'Sean O’Brien'],
    ["o'brien", 'Sean O’Brien'],
    ['o brien', 'Sean O’Brien'],
    ['jeanluc', 'Jean-Luc Picard'],
    ['jean luc picard', 'Jean-Luc Picard'],
    ['Rob Hargreaves', 'Robert Hargreaves'],
    ['bob hargreaves', 'Robert Hargreaves'],
    ['Kowalsky', 'Anna Kowalski'],
    ['anan kowalski', 'Anna Kowalski'],
    ['kow ann', 'Anna Kowalski'],
    ['a kowalski', 'Anna Kowalski'],
    ['ak', 'Anna Kowalski'],
    ['John Appleseed', 'J. Appleseed'],
    ['建国', '欧阳建国'],
    ['国', '欧阳建国'],
    ['さくら', '田中さくら'],
    ['张明', '明 张'],
    ['明张', '明 张'],
    ['철수', '김철수'],
    ['김철수', '김철수'],
    ['Tschaikowsky', 'Pyotr Tchaikovsky'],
  ]
  for (const [query, name] of expected) assert.deepEqual(found(query), [name], query)
})

test('exact words rank before prefixes, prefixes before typos, and names before notes', () => {
  const found = finder([
    { name: 'In Note', notes: ['a long talk with Klaus'] },
    { name: 'Klausen Prefix' },
    { name: 'Klaus Exact' },
  ])
  assert.deepEqual(found('klaus'), ['Klaus Exact', 'Klausen Prefix', 'In Note'])
  assert.deepEqual(found('kluas'), ['Klaus Exact', 'In Note'])
})

test('a rare name outweighs common words, and a query finds people by any of its words', () => {
  const found = finder([
    ...Array.from({ length: 30 }, (_, at) => ({
      name: `Person ${at}`,
      title: 'Software Engineer',
    })),
    { name: 'Zbigniew Brzezinski', title: 'Adviser' },
  ])
  assert.deepEqual(found('software brzezinski engineer').slice(0, 1), ['Zbigniew Brzezinski'])
  assert.deepEqual(found('astronaut reykjavik'), [])
  assert.equal(found('cello teacher engineer').length, 30)
})

test('results include matched fields and a snippet', () => {
  const index = indexOf(segmentOf([documentOf(1, ADA)]))
  const page = find(index, 'ada menabrea')
  const [fields = 0] = page.fieldsOf(page.hits)
  assert.deepEqual(matchedFieldsOf(fields), ['name', 'emails', 'links', 'notes'])
  const words = analyzeQuery('menabrae')
  const snippetIn = snippetFinder(words)
  assert.equal(snippetIn('Translates Menabrea.'), 'Translates Menabrea.')
  assert.equal(snippetIn('Something else.'), undefined)
  const long = `${'lorem ipsum '.repeat(30)}Menabrea ${'dolor sit '.repeat(30)}`
  const snippet = snippetIn(long) ?? ''
  assert.ok(snippet.length <= 165 && /^….*Menabrea.*…$/.test(snippet), snippet)
})

test('filters apply to their field, with the last word as a prefix', () => {
  const people = [
    {
      name: 'One',
      company: 'Acme Labs',
      connectedOn: '2024-05-01',
      tags: [{ tag: 'C++', key: 'c++' }],
    },
    { name: 'Two', company: 'Acme', title: 'Labs', connectedOn: '2024-04-30' },
  ]
  const index = indexOf(segmentOf(people.map((person, at) => documentOf(at + 1, person))))
  const ids = (filters: Parameters<typeof searchIndex>[1]['filters'] & object) =>
    searchIndex(index, { words: [], filters, limit: 10 }, scratch).hits.map(
      ({ connectionId }) => connectionId,
    )
  assert.deepEqual(ids({}), [1, 2])
  assert.deepEqual(ids({ company: analyzeQuery('acme lab') }), [1])
  assert.deepEqual(ids({ company: analyzeQuery('acm labs') }), [])
  assert.deepEqual(ids({ title: analyzeQuery('lab') }), [2])
  assert.deepEqual(ids({ tag: tagTerm('c++') }), [1])
  assert.deepEqual(ids({ since: 20240501 }), [1])
  assert.deepEqual(ids({ company: analyzeQuery('acme'), since: 20240430 }), [1, 2])
})

// Properties

const NAMES = [
  'Ann',
  'Anna',
  'Lee',
  'Müller',
  'Mueller',
  'O’Neil',
  '王芳',
  'Søren',
  '𠮷野家',
  'Юлия',
]
const text = fc
  .array(fc.constantFrom(...NAMES), { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '))
const optional = fc.option(text)
const person = fc.record({
  name: text,
  company: optional,
  title: optional,
  location: optional,
  emails: fc.array(fc.emailAddress(), { maxLength: 1 }),
  phones: fc.array(fc.stringMatching(/^\+?\d{7,12}$/), { maxLength: 1 }),
  notes: fc.array(text, { maxLength: 2 }),
  connectedOn: fc.constantFrom(null, '2020-01-01'),
})
const people = fc.array(person, { minLength: 1, maxLength: 20 })

function bytesOf({ buffer }: Segment): Buffer {
  return Buffer.from(new Uint8Array(buffer))
}

test('the segment does not depend on the order or the steps in which it was built', () => {
  fc.assert(
    fc.property(people, fc.integer({ min: 1, max: 5 }), fc.integer(), (list, parts, seed) => {
      const documents = list.map((one, at) => documentOf(at + 1, one))
      const shuffled = documents.toSorted(
        (one, other) =>
          ((one.connectionId * 7919 + seed) % 13) - ((other.connectionId * 7919 + seed) % 13),
      )
      const whole = bytesOf(segmentOf(documents))
      assert.ok(whole.equals(bytesOf(segmentOf(shuffled))))
      const segments = Array.from({ length: parts }, (_, part) =>
        segmentOf(shuffled.filter((_one, at) => at % parts === part)),
      )
      const merged = mergeSegments(segments.map((segment) => ({ segment, isCurrent: () => true })))
      assert.ok(whole.equals(bytesOf(merged)))
    }),
    { numRuns: 30 },
  )
})

test('an index with changed and deleted connections returns the same results as a new one', () => {
  fc.assert(
    fc.property(people, people, text, (before, changes, query) => {
      const old = before.map((one, at) => documentOf(at + 1, one))
      // Every third is deleted; the rest is replaced by the changes, of which some are new.
      const now = changes.map((one, at) => documentOf(at + 1, one)).filter((_, at) => at % 3 !== 2)
      const touched = new Set(changes.map((_, at) => at + 1))
      const kept = old.filter(({ connectionId }) => !touched.has(connectionId))
      const base = segmentOf(old)
      const gone = Uint8Array.from(base.ids, (id) => Number(touched.has(id)))
      const delta = segmentOf(now)
      const layered: SearchIndex = {
        segments: [
          { segment: base, gone },
          { segment: delta, gone: undefined },
        ],
        people: kept.length + now.length,
      }
      const scratchIndex = indexOf(segmentOf([...kept, ...now]))
      for (const words of [query, 'an', 'annna', 'müler', 'юлия lee'])
        assert.deepEqual(shown(find(layered, words)), shown(find(scratchIndex, words)), words)
      const merged = mergeSegments([
        { segment: base, isCurrent: (id) => !touched.has(id) },
        { segment: delta, isCurrent: () => true },
      ])
      assert.ok(bytesOf(merged).equals(bytesOf(segmentOf([...kept, ...now]))))
    }),
    { numRuns: 30 },
  )
})

test('the longest beginning of a word counts in all segments, wherever it is', () => {
  const near = documentOf(1, { name: 'Ada', notes: ['Sommerfeld'] })
  const far = documentOf(2, { name: 'Ben', notes: ['Sommer'] })
  const apart = [segmentOf([near]), segmentOf([far])].map((segment) => ({
    segment,
    gone: undefined,
  }))
  const { history } = segmentOf([near, far])
  for (const query of ['Sommerfeldau Bau', 'Sommerfeldau'])
    assert.deepEqual(
      shown(find({ segments: apart, people: 2 }, query)),
      shown(find(indexOf(segmentOf([near, far], history)), query)),
      query,
    )
})

test('words that many people have match the same people in one large segment as in small ones', () => {
  const names = ['Maria', 'Mark', 'Mila', 'Ana', 'M']
  const titles = ['Manager', 'Manager of Marketing', 'Engineer', null]
  const documents = Array.from({ length: 9000 }, (_, at) =>
    documentOf(at + 1, {
      name: `${names[at % 5] ?? ''} ${names[(at >> 3) % 5] ?? ''} Name${at % 700}`,
      title: titles[(at >> 2) % 4] ?? null,
      notes: at % 11 === 0 ? ['Met Maria and the manager.'] : [],
    }),
  )
  const whole = [segmentOf(documents)]
  const parts = Array.from({ length: 6 }, (_, part) =>
    segmentOf(documents.slice(part * 1500, (part + 1) * 1500)),
  )
  assert.ok(whole.every(({ merged }) => merged.maxBytes > 0))
  assert.ok(parts.every(({ merged }) => merged.maxBytes === 0))
  const isGone = (id: number) => id % 7 === 0
  const indexWith = (segments: readonly Segment[], withGone: boolean): SearchIndex => ({
    segments: segments.map((segment) => ({
      segment,
      gone: withGone ? Uint8Array.from(segment.ids, (id) => Number(isGone(id))) : undefined,
    })),
    people: documents.filter(({ connectionId }) => !withGone || !isGone(connectionId)).length,
  })
  const queries = [
    'm',
    'ma',
    'maria',
    'maria m',
    'm m name12',
    'manager',
    'mark manager',
    'mila name7',
  ]
  for (const withGone of [false, true]) {
    const [large, small] = [indexWith(whole, withGone), indexWith(parts, withGone)]
    for (const query of queries)
      for (const limit of [1, 9, 2000])
        assert.deepEqual(shown(find(large, query, limit)), shown(find(small, query, limit)), query)
  }
})

test('everyone is found by each word of their name, email and phone', () => {
  fc.assert(
    fc.property(people, (list) => {
      const index = indexOf(segmentOf(list.map((one, at) => documentOf(at + 1, one))))
      for (const [at, { name, company, emails, phones, notes }] of list.entries())
        for (const query of [
          name,
          ...tokenize(name),
          ...tokenize(company ?? ''),
          ...notes.flatMap(tokenize),
          ...emails,
          ...phones.filter((phone) => phone.replace(/^\+?0+/, '').length >= 6),
        ])
          assert.ok(idsFor(index, query).includes(at + 1), query)
    }),
    { numRuns: 30 },
  )
})

const RARE = fc.stringMatching(/^[b-df-hj-np-tv-z]{5,12}$/)

test('a rare name is found with one typo, and a long one with two', () => {
  const edit = (word: string, kind: number, at: number) => {
    const place = at % (word.length - 1)
    const letters = word.split('')
    if (kind === 0) letters.splice(place, 1)
    else if (kind === 1) letters.splice(place, 0, 'e')
    else if (kind === 2) letters.splice(place, 1, 'a')
    else letters.splice(place, 2, word.charAt(place + 1), word.charAt(place))
    return letters.join('')
  }
  const kind = fc.integer({ min: 0, max: 3 })
  fc.assert(
    fc.property(RARE, kind, kind, fc.nat(), fc.nat(), (name, one, two, at, then) => {
      const index = indexOf(
        segmentOf([
          documentOf(1, { name: `Ann ${name}` }),
          documentOf(2, { name: 'Ann Lee', company: 'Acme', notes: ['Knows Ada.'] }),
        ]),
      )
      const typo = edit(name, one, at)
      if (typo.length >= 5) assert.ok(idsFor(index, typo).includes(1), `${typo} for ${name}`)
      // An edit inside a transposition would count as a third one.
      const twice = edit(typo, two % 3, then)
      if (one < 3 && twice.length >= 8)
        assert.ok(idsFor(index, twice).includes(1), `${twice} for ${name}`)
    }),
    { numRuns: 100 },
  )
})

test('pages of any size return every hit once, in the order of one large page', () => {
  fc.assert(
    fc.property(people, text, fc.integer({ min: 1, max: 5 }), (list, query, limit) => {
      const index = indexOf(segmentOf(list.map((one, at) => documentOf(at + 1, one))))
      const words = analyzeQuery(query)
      const all = find(index, query)
      assert.equal(all.total, all.hits.length)
      const paged = []
      for (let after: (typeof all.hits)[number] | null = null; ;) {
        const page = searchIndex(index, { words, limit, after }, scratch)
        assert.equal(page.total, all.total)
        paged.push(...page.hits)
        const last = page.hits.at(-1)
        if (page.isRanked || page.hits.length < limit || !last) break
        after = last
      }
      assert.deepEqual(paged, all.hits)
    }),
    { numRuns: 30 },
  )
})

const COMMON_WORDS = fc.constantFrom('ma', 'maria', 'mario', 'marias', 'mark', 'lee', 'manager')
const COMMON_TEXT = fc
  .array(COMMON_WORDS, { minLength: 1, maxLength: 3 })
  .map((words) => words.join(' '))

test('the best people with one word are those that are the best when everyone is scored', () => {
  const someone = fc.record({
    name: COMMON_TEXT,
    title: fc.option(COMMON_TEXT),
    notes: fc.array(COMMON_TEXT, { maxLength: 1 }),
    isGone: fc.boolean(),
  })
  const query = fc.constantFrom('m', 'ma', 'mar', 'maria', 'marya', 'mario', 'managers', 'l')
  const parts = fc.integer({ min: 1, max: 3 })
  const limit = fc.integer({ min: 1, max: 9 })
  // More than 32, because people are scored in groups of 32.
  const many = fc.array(someone, { maxLength: 150, size: 'max' })
  fc.assert(
    fc.property(many, query, parts, limit, (list, typed, count, size) => {
      const documents = list.map((one, at) => documentOf(at + 1, one))
      const segments = Array.from({ length: count }, (_, part) => {
        const segment = segmentOf(documents.filter((_one, at) => at % count === part))
        const gone = Uint8Array.from(segment.ids, (id) => Number(list[id - 1]?.isGone ?? false))
        return { segment, gone }
      })
      const among = new Set(
        documents.flatMap(({ connectionId: id }) => (list[id - 1]?.isGone === true ? [] : [id])),
      )
      const index: SearchIndex = { segments, people: among.size }
      const words = analyzeQuery(typed)
      let after: HitPosition | null = null
      for (let pages = 0; pages < 3; pages += 1) {
        const asked: IndexQuery = { words, limit: size, after }
        const page = searchIndex(index, asked, scratch)
        assert.deepEqual(
          shown(page),
          shown(searchIndex(index, { ...asked, among }, new SearchScratch())),
          typed,
        )
        after = page.hits.at(-1) ?? after
      }
    }),
    { numRuns: 40 },
  )
})

test('a search that scores only some people leaves nothing behind for the next one', () => {
  const list = Array.from({ length: 200 }, (_, at) =>
    documentOf(at + 1, { name: `Ma${at} Quill`, notes: ['lunch'] }),
  )
  const index = indexOf(segmentOf(list))
  assert.equal(find(index, 'ma', 1).total, 200)
  const words = analyzeQuery('lunch ma')
  const fresh = searchIndex(index, { words, limit: 5 }, new SearchScratch())
  assert.deepEqual(shown(searchIndex(index, { words, limit: 5 }, scratch)), shown(fresh))
})

test('a stored segment opens without being copied; one of another format does not open', () => {
  const history = { deleted: Uint32Array.of(2, 7), changedAt: Date.UTC(2026, 1, 3) }
  const segment = segmentOf([documentOf(1, ADA)], history)
  const opened = openSegment(segment.buffer)
  assert.deepEqual(opened, segment)
  assert.deepEqual(opened?.history, history)
  const other = new Uint8Array(segment.buffer).slice()
  new DataView(other.buffer).setUint32(4, 0xffff)
  assert.equal(openSegment(other.buffer), undefined)
  assert.equal(openSegment(new ArrayBuffer(4)), undefined)
  assert.equal(openSegment(new Uint8Array(segment.buffer).slice(0, -1).buffer), undefined)
})
