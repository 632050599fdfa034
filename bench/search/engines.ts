/** The searches that the search benchmark compares: Weft through its tool, and the peers. */

import { startTestService } from '../../test/support/service.ts'
import { postToolCall } from '../../test/support/tool-call.ts'
import {
  findPostgres,
  startCluster,
  withClient,
  workingDatabase,
} from '../../test/support/postgres.ts'
import { prepareAll } from '../support/prepared.ts'
import { MAX_RESULTS, type SearchSet, type SetPerson } from './score.ts'

/** The handles of the first ten results, best first. */
export type Search = (query: string) => Promise<readonly string[]>

/** A search to measure, and its resources. */
export interface Engine extends AsyncDisposable {
  readonly name: string
  readonly search: Search
}

/** Weft with default settings and all people added with its tools, once their vectors are there. */
export async function openWeft(set: SearchSet): Promise<Engine> {
  await using opening = new AsyncDisposableStack()
  const service = opening.use(await startTestService({ monthlyCredits: 1_000_000 }))
  await service.addMember()
  const token = await service.mintToken()
  const call = (name: string, args: object) => callTool(service, { token, name, args })
  for (const field of set.customFields) await call('set_custom_field', { name: field })
  const handles = new Map<string, string>()
  for (const person of set.people) handles.set(await addPerson(call, person), person.handle)
  await prepareAll(service.database)
  const opened = opening.move()
  return {
    name: 'Weft',
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
  readonly people?: readonly { readonly connection_id: string }[]
}

/** Returns the ID of the connection. */
async function addPerson(
  call: Call,
  { handle, values, notes, followUps = [] }: SetPerson,
): Promise<string> {
  const output = await call('add_connections', { ...values, allow_duplicate: true })
  const id = output.people?.[0]?.connection_id
  if (id === undefined) throw new Error(`${handle} was not added`)
  for (const { on, text } of notes) await call('save_note', { people: id, on, text })
  for (const { dueOn, text } of followUps)
    await call('save_follow_up', { people: id, due_on: dueOn, text })
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
  const response = await postToolCall(url, token, name, args)
  const { result } = (await response.json()) as {
    result?: { isError?: boolean; structuredContent?: ToolOutput; content?: unknown }
  }
  if (!result?.structuredContent || result.isError === true)
    throw new Error(`${name} failed: ${response.status} ${JSON.stringify(result?.content)}`)
  return result.structuredContent
}

const CALL_INTERVAL_MS = 1000

function documentsOf({ people }: SearchSet): Record<string, string>[] {
  return people.map(({ handle, document }) => ({ id: handle, ...document }))
}

function fieldsOf({ people }: SearchSet): string[] {
  return Object.keys(people[0]?.document ?? {})
}

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
export async function openMiniSearch(set: SearchSet): Promise<Engine> {
  const { default: MiniSearch } = await importPeer<MiniSearchModule>('minisearch')
  const index = new MiniSearch({ fields: fieldsOf(set) })
  index.addAll(documentsOf(set))
  return peerOf('MiniSearch', async (query) =>
    index.search(query, { prefix: true, fuzzy: 0.2 }).map(({ id }) => id),
  )
}

/** Searches anywhere in a field; by default Fuse.js only searches the start. */
export async function openFuse(set: SearchSet): Promise<Engine> {
  const { default: Fuse } = await importPeer<FuseModule>('fuse.js')
  const index = new Fuse(documentsOf(set), { keys: fieldsOf(set), ignoreLocation: true })
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
export async function openTrigrams(set: SearchSet): Promise<Engine> {
  const programs = await findPostgres()
  if (programs === undefined) throw new Error('PostgreSQL is needed: apt-get install postgresql')
  await using opening = new AsyncDisposableStack()
  const cluster = opening.use(await startCluster(programs))
  const url = await workingDatabase(cluster.url)
  await withClient(url, async (client) => {
    await client.query('create extension pg_trgm')
    await client.query('create table people (id text, words text)')
    for (const { id, ...values } of documentsOf(set))
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
