/**
 * Search quality of search_connections compared with MiniSearch, Fuse.js and PostgreSQL with pg_trgm: 166 questions in
 * twelve categories about 300 invented people (`search-set/`). Weft is queried through its tool, as by an agent.
 * The figures are independent of time and load. Run `node bench/search-quality.ts`; `-v` prints every tuning question
 * that Weft does not answer completely, and `--weft` measures only Weft.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { SEARCH_PEOPLE, type SearchPerson } from './search-set/people.ts'
import { CATEGORIES, HELPS, QUESTIONS, type SearchQuestion } from './search-set/questions.ts'
import { startTestService } from '../test/support/service.ts'
import {
  findPostgres,
  startCluster,
  withClient,
  workingDatabase,
} from '../test/support/postgres.ts'
import { print, printFigures, type Figure } from './support/figures.ts'

export const title = `Search quality: ${SEARCH_PEOPLE.length} people, ${QUESTIONS.length} questions; recall@5 and nDCG@10, or the share of negative questions without results`

/** The handles of the first ten results, best first. */
export type Search = (query: string) => Promise<readonly string[]>

/** A search to measure, and its resources. */
interface Engine extends AsyncDisposable {
  readonly name: string
  readonly search: Search
}

const MAX_RESULTS = 10

export async function measure(): Promise<Figure[]> {
  return measureEngines([openWeft, openEmbeddedWeft, openMiniSearch, openFuse, openTrigrams])
}

async function measureEngines(opens: readonly (() => Promise<Engine>)[]): Promise<Figure[]> {
  const columns: Column[] = []
  for (const open of opens) columns.push(await measureEngine(open))
  const names = columns.map(({ name }) => name.padEnd(CELL)).join('')
  return [{ name: '', value: names }, ...ROWS.map((row) => figureOf(row, columns))]
}

interface Column {
  readonly name: string
  readonly answers: ReadonlyMap<SearchQuestion, readonly string[]>
  /** Set if the search is not available on this machine. */
  readonly problem?: string
}

async function measureEngine(open: () => Promise<Engine>): Promise<Column> {
  const answers = new Map<SearchQuestion, readonly string[]>()
  try {
    await using engine = await open()
    for (const question of QUESTIONS) answers.set(question, await engine.search(question.query))
    return { name: engine.name, answers }
  } catch (error) {
    print(`${open.name}: ${String(error)}`)
    return { name: open.name, answers, problem: String(error) }
  }
}

interface Row {
  readonly name: string
  readonly questions: readonly SearchQuestion[]
}

const ANSWERABLE = QUESTIONS.filter(({ category }) => category !== 'negatives')

const ROWS: readonly Row[] = [
  ...CATEGORIES.map((category) => ({
    name: category,
    questions: QUESTIONS.filter((question) => question.category === category),
  })),
  { name: 'all but negatives', questions: ANSWERABLE },
  { name: '  tuning', questions: ANSWERABLE.filter(({ isHeldOut }) => !isHeldOut) },
  { name: '  held out', questions: ANSWERABLE.filter(({ isHeldOut }) => isHeldOut) },
]

const CELL = 20

function figureOf({ name, questions }: Row, columns: readonly Column[]): Figure {
  const cells = columns.map((column) => cellOf(questions, column).padEnd(CELL))
  return { name: `${name} (${questions.length})`, value: cells.join('') }
}

function cellOf(questions: readonly SearchQuestion[], { answers, problem }: Column): string {
  if (problem !== undefined) return 'not measured'
  const scores = questions.map((question) => scoreOf(question, answers.get(question) ?? []))
  const mean = (of: (score: Score) => number) =>
    (scores.reduce((sum, score) => sum + of(score), 0) / scores.length).toFixed(3)
  const recall = mean(({ recallAt5 }) => recallAt5)
  return questions[0]?.category === 'negatives'
    ? recall
    : `${recall} ${mean(({ ndcgAt10 }) => ndcgAt10)}`
}

export interface Score {
  /** The share of relevant people (at most five count) among the first five results. */
  readonly recallAt5: number
  /** Normalized discounted cumulative gain of the first ten results. */
  readonly ndcgAt10: number
}

/** A question without an answer scores 1 if nothing is found, and 0 otherwise. */
export function scoreOf({ relevant }: SearchQuestion, found: readonly string[]): Score {
  if (relevant.size === 0) {
    const isHonest = found.length === 0 ? 1 : 0
    return { recallAt5: isHonest, ndcgAt10: isHonest }
  }
  const grades = found.map((handle) => relevant.get(handle) ?? 0)
  const helping = [...relevant.values()].filter((grade) => grade >= HELPS).length
  const ideal = [...relevant.values()].toSorted((a, b) => b - a)
  return {
    recallAt5: grades.slice(0, 5).filter((grade) => grade >= HELPS).length / Math.min(5, helping),
    ndcgAt10: gainOf(grades) / gainOf(ideal),
  }
}

function gainOf(grades: readonly number[]): number {
  return grades
    .slice(0, MAX_RESULTS)
    .reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0)
}

/** Weft with default settings and all people added with its tools. */
export function openWeft(): Promise<Engine> {
  return openService('Weft', async () => {})
}

/** With the vectors of the built-in model. */
function openEmbeddedWeft(): Promise<Engine> {
  return openService('Weft, embedded', async (call) => {
    const { task_id } = await call('embed_connections', {})
    while ((await call('get_job', { task_id })).state !== 'succeeded') await sleep(50)
  })
}

async function openService(
  engine: string,
  prepare: (call: Call) => Promise<void>,
): Promise<Engine> {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService({ monthlyCredits: 1_000_000 }))
  await service.addMember()
  const token = await service.mintToken()
  const call = (name: string, args: object) => callTool(service, { token, name, args })
  const handles = new Map<string, string>()
  for (const person of SEARCH_PEOPLE) handles.set(await addPerson(call, person), person.handle)
  await prepare(call)
  const opened = opening.move()
  return {
    name: engine,
    async search(query) {
      const { connections = [] } = await call('search_connections', { query, limit: MAX_RESULTS })
      return connections.map(({ connection_id: id }) => handles.get(id) ?? id)
    },
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

type Call = (name: string, args: object) => Promise<ToolOutput>

interface ToolOutput {
  readonly connections?: readonly { readonly connection_id: string }[]
  readonly connection?: { readonly connection_id: string }
  readonly task_id?: string
  readonly state?: string
}

/** Returns the ID of the connection. */
async function addPerson(call: Call, person: SearchPerson): Promise<string> {
  const { name, title: job, company, location, emails, phones, links, tags } = person
  const output = await call('add_connection', {
    name,
    title: job,
    ...(company !== null && { company }),
    location,
    emails,
    phones,
    links,
    tags,
    profile_url: person.profileUrl,
    connected_on: person.connectedOn,
    allow_duplicate: true,
  })
  const id = output.connection?.connection_id
  if (id === undefined) throw new Error(`${name} was not added`)
  for (const { on, text } of person.notes) await call('add_note', { connection_id: id, on, text })
  return id
}

interface ToolRequest {
  readonly token: string
  readonly name: string
  readonly args: object
}

async function callTool(
  { url, clock }: { readonly url: string; readonly clock: { advance(ms: number): void } },
  { token, name, args }: ToolRequest,
): Promise<ToolOutput> {
  // Advances the injected clock by a second per call, to stay below every rate limit.
  clock.advance(CALL_INTERVAL_MS)
  const response = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name, arguments: args },
    }),
  })
  const { result } = (await response.json()) as {
    result?: { isError?: boolean; structuredContent?: ToolOutput; content?: unknown }
  }
  if (!result?.structuredContent || result.isError === true)
    throw new Error(`${name} failed: ${response.status} ${JSON.stringify(result?.content)}`)
  return result.structuredContent
}

const CALL_INTERVAL_MS = 1000

/** The document that the peers index: the same values as text. */
function documentOf(person: SearchPerson): Record<string, string> {
  const { name, title: job, company, location, emails, phones, links, tags, notes } = person
  return {
    id: person.handle,
    name,
    title: job,
    company: company ?? '',
    location,
    emails: emails.join(' '),
    phones: phones.join(' '),
    links: [person.profileUrl, ...links].join(' '),
    tags: tags.join(' '),
    notes: notes.map(({ text }) => text).join('\n'),
  }
}

const DOCUMENTS = SEARCH_PEOPLE.map(documentOf)
const FIELDS = Object.keys(DOCUMENTS[0] ?? {}).filter((field) => field !== 'id')

/** The parts of the peers' interfaces that are used. They are installed in this folder only, so types are not. */
interface MiniSearchModule {
  readonly default: new (options: object) => {
    addAll(documents: readonly object[]): void
    search(query: string, options: object): readonly { readonly id: string }[]
  }
}

interface FuseModule {
  readonly default: new (
    documents: readonly Record<string, string>[],
    options: object,
  ) => {
    search(query: string): readonly { readonly item: Readonly<Record<string, string>> }[]
  }
}

/** With prefixes and its usual fuzziness, as its documentation starts. */
async function openMiniSearch(): Promise<Engine> {
  const { default: MiniSearch } = await importPeer<MiniSearchModule>('minisearch')
  const index = new MiniSearch({ fields: FIELDS })
  index.addAll(DOCUMENTS)
  return peerOf('MiniSearch', async (query) =>
    index.search(query, { prefix: true, fuzzy: 0.2 }).map(({ id }) => id),
  )
}

/** Searches anywhere in a field; by default Fuse.js only searches the start. */
async function openFuse(): Promise<Engine> {
  const { default: Fuse } = await importPeer<FuseModule>('fuse.js')
  const index = new Fuse(DOCUMENTS, { keys: FIELDS, ignoreLocation: true })
  return peerOf('Fuse.js', async (query) => index.search(query).map(({ item }) => item['id'] ?? ''))
}

/** `name` is not a literal, because the package is not installed where types are checked. */
async function importPeer<Module>(name: string): Promise<Module> {
  return (await import(name)) as Module
}

function peerOf(name: string, search: Search): Engine {
  return {
    name,
    search: async (query) => (await search(query)).slice(0, MAX_RESULTS),
    async [Symbol.asyncDispose]() {},
  }
}

/** One text column per person, ordered by word similarity above the default threshold. */
async function openTrigrams(): Promise<Engine> {
  const programs = await findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is needed: apt-get install postgresql')
  await using opening = new AsyncDisposableStack()
  const cluster = opening.use(await startCluster(programs))
  const url = await workingDatabase(cluster.url)
  await withClient(url, async (client) => {
    await client.query('create extension pg_trgm')
    await client.query('create table people (id text, words text)')
    for (const { id, ...values } of DOCUMENTS)
      await client.query('insert into people values ($1, $2)', [
        id,
        Object.values(values).join(' '),
      ])
  })
  const opened = opening.move()
  return {
    name: 'pg_trgm',
    search: (query) =>
      withClient(url, async (client) => {
        const { rows } = await client.query<{ id: string }>(BY_TRIGRAMS, [query, MAX_RESULTS])
        return rows.map(({ id }) => id)
      }),
    [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose](),
  }
}

const BY_TRIGRAMS = `select id from people where $1 <% words
  order by word_similarity($1, words) desc, id limit $2`

/** Held-out questions are not printed, because inspecting them would lead to tuning for them. */
async function printMisses(): Promise<void> {
  await using weft = await openWeft()
  for (const question of QUESTIONS.filter(({ isHeldOut }) => !isHeldOut)) {
    const found = await weft.search(question.query)
    const { recallAt5, ndcgAt10 } = scoreOf(question, found)
    if (recallAt5 === 1 && ndcgAt10 === 1) continue
    print(
      `${question.category} | ${question.query} | ${recallAt5.toFixed(2)} ${ndcgAt10.toFixed(2)}`,
    )
    print(`  found: ${found.join(' ')}`)
    print(`  asked: ${[...question.relevant].map((pair) => pair.join(':')).join(' ')}`)
  }
}

if (import.meta.main) {
  if (process.argv.includes('-v')) await printMisses()
  const isAlone = process.argv.includes('--weft')
  printFigures(
    title,
    isAlone ? await measureEngines([openWeft, openEmbeddedWeft]) : await measure(),
  )
}
