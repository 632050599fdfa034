import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { openGate } from '../../test/support/gate.ts'
import { createStore, TEST_NOW } from '../../test/support/store.ts'
import { createLog } from '../base/log.ts'
import { checkSchema } from '../base/schema.ts'
import { assemble } from '../http/http-service.ts'
import { createMember } from '../members/member.ts'
import { askRoutes } from './ask.route.ts'
import type { NewMember } from '../members/member-fields.ts'
import type { AskResult, AskSource } from './source.ts'
import { unicodeText } from '../../test/support/unicode-text.ts'

interface AskAnswer {
  readonly query_id: string
  readonly _meta: Readonly<Record<string, unknown>>
  readonly results: readonly AskResult[]
}

async function serve(members: readonly NewMember[] = PEOPLE, sources: readonly AskSource[] = []) {
  const store = await createStore()
  const { database, clock } = store
  const routes = askRoutes({ database, clock, publicUrl: 'https://weft.example', sources })
  const http = assemble({ ...openGate(), routes, log: createLog('silent') })
  const port = await http.listen('127.0.0.1', 0)
  await database.write(async (tx) => {
    for (const member of members) await createMember(tx, member, TEST_NOW)
  })
  const get = (query: Record<string, string>, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/ask?${new URLSearchParams(query).toString()}`, { headers })
  const post = (body: unknown, headers: Record<string, string> = {}) =>
    fetch(`http://127.0.0.1:${port}/ask`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    })
  return {
    get,
    post,
    schema: routes[0]?.answers[200]?.schema,
    /** Usernames and scores, best first. */
    async found(query: string, more: Record<string, string> = {}): Promise<[string, number][]> {
      const answer = await get({ query, ...more })
      assert.equal(answer.status, 200, query)
      const { results } = (await answer.json()) as AskAnswer
      return results.map(({ url, score }) => [url.split('/').at(-1) ?? '', score])
    },
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]()
      await store[Symbol.asyncDispose]()
    },
  }
}

const PEOPLE: readonly NewMember[] = [
  {
    username: 'greta',
    name: 'Greta Sommer',
    headline: 'Climate policy, slowly',
    location: 'Berlin, Germany',
  },
  {
    username: 'kofi',
    name: 'Kofi Mensah',
    title: 'Climate engineer',
    organization: 'Tidewater',
    location: 'Accra, Ghana',
  },
  { username: 'ben', name: 'Ben Adler', title: 'Baker', location: 'Berlin, Germany' },
  { username: 'lin', name: 'Lin Berlin', title: 'Violinist', location: 'Vienna, Austria' },
  {
    username: 'ines',
    name: 'Inês Moura',
    title: 'Engineering manager',
    organization: 'Tidewater',
    location: 'Porto, Portugal',
    skills: ['Battery design', 'Grant writing'],
  },
  { username: 'an', name: 'An Nguyen', title: 'Nurse' },
  { username: 'binh', name: 'Bình Nguyễn', title: 'Nurse', headline: 'Nights, mostly', about: 'x' },
  {
    username: 'hidden',
    name: 'Hidden Climate Person',
    location: 'Berlin, Germany',
    isPublic: false,
  },
]

/** The usernames that a question finds. */
async function names(service: Awaited<ReturnType<typeof serve>>, query: string) {
  return (await service.found(query)).map(([username]) => username)
}

test('a natural-language question finds the people who match all of its terms', async () => {
  await using service = await serve()
  const cases: [question: string, found: string[]][] = [
    ['Who works on climate in Berlin?', ['greta']],
    ['climate BERLIN', ['greta']],
    ['Do you know any engineers at Tidewater?', ['kofi', 'ines']],
    ['Who can help me with writing grants?', ['ines']],
    ['Who is Inês Moura?', ['ines']],
    ['ines moura', ['ines']],
    ['who is @kofi', ['kofi']],
  ]
  for (const [question, expected] of cases)
    assert.deepEqual((await names(service, question)).toSorted(), expected.toSorted(), question)
})

test('people who match a related subject are an answer only if no one matches the subject itself', async () => {
  await using service = await serve()
  assert.deepEqual(await service.found('someone who knows about batteries'), [['ines', 52]])
  const related = await service.found('who knows about solar energy')
  assert.deepEqual(new Map(related), new Map(Object.entries({ greta: 29, kofi: 29 })))
})

test('words that no profile has are left out, with lower scores, and no one else is an answer', async () => {
  await using service = await serve()
  assert.deepEqual(await service.found('climate engineer in Accra'), [['kofi', 75]])
  assert.deepEqual(await service.found('climate engineer in Accra with perfect pitch'), [
    ['kofi', 35],
  ])
  for (const question of [
    // Someone is in Berlin or a baker, but no one is both, and there is no dentist.
    'bakers in Vienna',
    'dentist in Berlin',
    'zeppelin pilots',
    'people I met since March',
    'who has a phone number',
    '?!',
  ])
    assert.deepEqual(await service.found(question), [], question)
})

test('typos, other spellings, nicknames and other scripts find people', async () => {
  const members = [
    { username: 'jm', name: 'Jürgen Müller', title: 'Produktmanagerin', organization: 'Zahlwerk' },
    { username: 'sokolov', name: 'Дмитрий Соколов', title: 'Аналитик' },
    { username: 'rob', name: 'Robert Hargreaves', title: 'Investor', location: 'Potsdam, Germany' },
    { username: 'tanaka', name: '田中 太郎', title: 'Engineer', location: 'Tokyo, Japan' },
  ]
  await using service = await serve(members)
  const cases: [question: string, username: string][] = [
    ['Mueller', 'jm'],
    ['Jurgen Muler', 'jm'],
    ['product manager at Zahlwerk', 'jm'],
    ['who is a PM', 'jm'],
    ['Dmitry Sokolov', 'sokolov'],
    ['Соколов', 'sokolov'],
    ['Bob Hargreves', 'rob'],
    ['angel investors in Germany', 'rob'],
    ['田中', 'tanaka'],
    ['engineers in Asia', 'tanaka'],
  ]
  for (const [question, username] of cases)
    assert.equal((await names(service, question))[0], username, question)
})

test('names weigh more than other fields', async () => {
  await using service = await serve()
  assert.deepEqual((await service.found('berlin'))[0], ['lin', 100])
})

test('of equally good matches, the most complete profile comes first', async () => {
  const baker = (username: string) => ({ username, name: 'Person', title: 'Baker' })
  await using service = await serve([
    baker('baker-0'),
    { ...baker('baker-1'), headline: 'Bread' },
    { ...baker('baker-2'), headline: 'Bread', about: 'Rye' },
  ])
  assert.deepEqual(await names(service, 'bakers'), ['baker-2', 'baker-1', 'baker-0'])
})

test('a name that is a stop word is found', async () => {
  await using service = await serve()
  assert.deepEqual(await names(service, 'An Nguyen'), ['an'])
  assert.deepEqual((await names(service, 'Nguyễn')).toSorted(), ['an', 'binh'])
})

test('a prefix of a name finds it', async () => {
  await using service = await serve()
  assert.deepEqual(await service.found('som'), [['greta', 84]])
  assert.deepEqual(await names(service, 'mens'), ['kofi'])
  // A prefix counts only if no one has the whole word.
  assert.deepEqual(await names(service, 'an'), ['an'])
})

test('a skill of one letter is found before names that start with it', async () => {
  const members = [
    { username: 'ruth', name: 'Ruth Ritter', title: 'Statistician' },
    { username: 'rosa', name: 'Rosa Klein', title: 'Statistician', skills: ['R', 'SQL'] },
  ]
  await using service = await serve(members)
  assert.equal((await names(service, 'statisticians who use R'))[0], 'rosa')
})

test('the response combines NLWeb 0.55 and its flat form, with people as schema.org objects', async () => {
  await using service = await serve()
  const answer = await service.get({ query: 'climate in Berlin', query_id: 'mine' })
  const body = (await answer.json()) as AskAnswer
  assert.ok(service.schema)
  assert.deepEqual(checkSchema(service.schema, body).ok, true)
  assert.deepEqual(body, {
    query_id: 'mine',
    _meta: {
      response_type: 'answer',
      response_format: 'conv_search',
      version: '0.55',
      mode: 'list',
      decontextualized_query: 'climate in Berlin',
    },
    results: [
      {
        '@type': 'Item',
        name: 'Greta Sommer',
        url: 'https://weft.example/human/greta',
        site: 'members',
        score: 74,
        description: 'Climate policy, slowly · Berlin, Germany',
        schema_object: {
          '@type': 'Person',
          '@id': 'https://weft.example/human/greta',
          name: 'Greta Sommer',
          alternateName: 'greta',
          url: 'https://weft.example/human/greta',
          disambiguatingDescription: 'Climate policy, slowly',
          homeLocation: { '@type': 'Place', name: 'Berlin, Germany' },
        },
      },
    ],
  })
  const other = (await (await service.get({ query: 'baker' })).json()) as AskAnswer
  assert.match(other.query_id, /^query_[\w-]{22}$/)
})

test('a question is the same in flat or nested form, by GET or POST', async () => {
  await using service = await serve()
  const results = async (answer: Response) => {
    assert.equal(answer.status, 200)
    return ((await answer.json()) as AskAnswer).results
  }
  const expected = await results(await service.get({ query: 'engineers', num_results: '1' }))
  assert.equal(expected.length, 1)
  const bodies = [
    { query: 'engineers', num_results: 1 },
    { query: 'engineers', max_results: 1, num_results: 20, mode: 'list', streaming: false },
    { q: 'engineers', num_results: 1 },
    { query: 'they', decontextualized_query: 'engineers', prev: ['Tidewater?'], num_results: 1 },
    { query: { text: 'engineers', site: 'all', num_results: 50, max_results: 1 } },
    {
      query: { text: 'engineers', max_results: 1 },
      context: { '@type': 'ConversationalContext', prev: ['hello'] },
      prefer: { streaming: false, response_format: 'conv_search', mode: 'summarize' },
      meta: { api_version: '0.55' },
    },
  ]
  for (const body of bodies)
    assert.deepEqual(await results(await service.post(body)), expected, JSON.stringify(body))
})

test('q is a deprecated alias of query: the same response, with a deprecation header', async () => {
  await using service = await serve()
  const [old, current] = [
    await service.get({ q: 'baker & co' }),
    await service.get({ query: 'baker & co' }),
  ]
  assert.equal(old.headers.get('deprecation'), '@1793491200')
  assert.equal(old.headers.get('link'), '</ask?query=baker%20%26%20co>; rel="successor-version"')
  assert.equal(old.headers.get('sunset'), null)
  assert.equal(current.headers.get('deprecation'), null)
  assert.equal(current.headers.get('link'), null)
  const [one, other] = [(await old.json()) as AskAnswer, (await current.json()) as AskAnswer]
  assert.deepEqual({ ...one, query_id: '' }, { ...other, query_id: '' })
  const both = (await (await service.get({ q: 'baker', query: 'nurse' })).json()) as AskAnswer
  assert.equal(both._meta['decontextualized_query'], 'nurse')
})

test('a missing question is a problem document that is also an NLWeb failure', async () => {
  await using service = await serve([])
  const answers = [
    await service.get({}),
    await service.get({ query: ' ' }),
    await service.get({ q: '' }),
    await service.post({}),
    await service.post({ query: { site: 'all' } }),
    await service.post({ query: { q: 0, decontextualized_query: [] } }),
    await service.post({ query: '\t' }),
  ]
  for (const answer of answers) {
    assert.equal(answer.status, 400)
    assert.equal(answer.headers.get('content-type'), 'application/problem+json; charset=utf-8')
    const body = (await answer.json()) as Record<string, unknown>
    assert.equal(body['code'], 'missing_query')
    assert.deepEqual(body['_meta'], {
      response_type: 'failure',
      response_format: 'conv_search',
      version: '0.55',
    })
    assert.deepEqual(body['error'], { code: 'MISSING_QUERY', message: body['detail'] })
  }
})

test('an invalid field is named in both error formats', async () => {
  await using service = await serve([])
  const cases: [answer: Response, pointer: string][] = [
    [await service.get({ query: 'x', num_results: '0' }), '/num_results'],
    [await service.get({ query: 'x', num_results: '51' }), '/num_results'],
    [await service.get({ query: 'x', min_score: 'high' }), '/min_score'],
    [await service.get({ query: 'x', mode: 'sing' }), '/mode'],
    [await service.get({ query: 'x', streaming: 'perhaps' }), '/streaming'],
    [await service.get({ query: 'x'.repeat(501) }), '/query'],
    [await service.post({ query: 'x', max_results: '3' }), '/max_results'],
    [await service.post({ query: 7 }), '/query'],
    [await service.post({ query: { text: 'x', min_score: 101 } }), '/query/min_score'],
    [await service.post({ query: 'a\u0000b' }), '/query'],
  ]
  for (const [answer, pointer] of cases) {
    const body = (await answer.json()) as {
      code: string
      error: { code: string }
      errors: { pointer: string }[]
    }
    assert.equal(answer.status, 400, pointer)
    assert.deepEqual([body.code, body.error.code], ['invalid_request', 'INVALID_REQUEST'])
    assert.ok(
      body.errors.some((error) => error.pointer === pointer),
      `${pointer} in ${JSON.stringify(body.errors)}`,
    )
  }
})

test('results of the requested sites are merged best first, without those below the minimum score', async () => {
  const page = (name: string, score: number): AskResult => ({
    '@type': 'Item',
    name,
    url: `https://weft.example/docs/${name}`,
    site: 'docs',
    score,
    description: name,
    schema_object: { '@type': 'TechArticle' },
  })
  const asked: [string, number][] = []
  const docs: AskSource = {
    search(query, limit) {
      asked.push([query, limit])
      return Promise.resolve([page('best', 99), page('worst', 3)])
    },
  }
  await using service = await serve(PEOPLE, [docs])
  const query = 'climate in Berlin'
  assert.deepEqual(await service.found(query, { num_results: '3' }), [
    ['best', 99],
    ['greta', 74],
    ['worst', 3],
  ])
  assert.deepEqual(asked, [[query, 3]])
  const found = async (more: Record<string, string>) =>
    (await service.found(query, more)).map(([name]) => name)
  assert.deepEqual(await found({ num_results: '1' }), ['best'])
  assert.deepEqual(await found({ min_score: '73' }), ['best', 'greta'])
  assert.deepEqual(await found({ site: 'members' }), ['greta'])
  assert.deepEqual(await found({ site: 'docs, members' }), ['best', 'greta', 'worst'])
  assert.deepEqual(await found({ site: 'members,all' }), ['best', 'greta', 'worst'])
  assert.deepEqual(await found({ site: 'elsewhere' }), [])
})

test('events are sent only on request, with the same content', async () => {
  await using service = await serve()
  const query = 'engineers at Tidewater'
  const whole = (await (await service.get({ query, query_id: 'a' })).json()) as AskAnswer
  const streams = [
    await service.get({ query, query_id: 'a', streaming: 'true' }),
    await service.get({ query, query_id: 'a', streaming: '1' }),
    await service.get({ query, query_id: 'a' }, { accept: 'text/event-stream' }),
    await service.post({ query, query_id: 'a', streaming: true }),
    await service.post({ query: { text: query }, query_id: 'a', prefer: { streaming: true } }),
  ]
  for (const answer of streams) {
    assert.equal(answer.headers.get('content-type'), 'text/event-stream; charset=utf-8')
    const events = eventsIn(await answer.text())
    assert.deepEqual(
      events.map(({ name }) => name),
      ['start', 'result', 'result', 'complete'],
    )
    assert.deepEqual(events[0]?.data, { query_id: 'a', _meta: whole._meta })
    assert.deepEqual(
      events.slice(1, -1).flatMap(({ data }) => (data as unknown as AskAnswer).results),
      whole.results,
    )
    assert.equal(events.at(-1)?.data['count'], whole.results.length)
  }
  const others = [
    await service.get(
      { query, streaming: 'false' },
      { accept: 'application/json, text/event-stream' },
    ),
    await service.get({ query, streaming: '0' }, { accept: '*/*' }),
    await service.post({ query: { text: query }, prefer: { streaming: false } }),
    await service.get({ query: '' }, { accept: 'text/event-stream' }),
  ]
  for (const answer of others) assert.match(answer.headers.get('content-type') ?? '', /json/)
})

function eventsIn(text: string): { name: string; data: Record<string, unknown> }[] {
  assert.ok(text.endsWith('\n\n'))
  return text
    .slice(0, -2)
    .split('\n\n')
    .map((block) => {
      const [, name = '', data = ''] = /^event: (\w+)\ndata: (.*)$/.exec(block) ?? []
      return { name, data: JSON.parse(data) as Record<string, unknown> }
    })
}

test('any question is answered or rejected, and never causes an internal error', async () => {
  await using service = await serve()
  const text = fc.oneof(
    unicodeText({ maxLength: 40 }),
    fc.constantFrom('who "is" OR near*', '=ada AND NOT x', "'; drop table members --", 'ß Ⅻ ﬁ'),
    fc
      .array(fc.constantFrom('climate', 'berlin', 'engineers', 'designing', 'xyz', 'an'), {
        maxLength: 14,
      })
      .map((list) => list.join(' ')),
  )
  await fc.assert(
    fc.asyncProperty(text, fc.jsonValue(), async (question, value) => {
      const asked = await service.get({ query: question })
      assert.ok([200, 400].includes(asked.status), question)
      const answer = await service.post({ query: value, min_score: 0 })
      assert.ok([200, 400].includes(answer.status))
      await Promise.all([asked.arrayBuffer(), answer.arrayBuffer()])
    }),
    { numRuns: 80 },
  )
})
