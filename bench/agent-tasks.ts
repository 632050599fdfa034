/**
 * How many member requests an agent can complete with Weft's tools, and at what cost: 40 tasks on a network of 2,500
 * people (`agent-set/`), run by a deterministic planner that reads names, descriptions and schemas. The figures are
 * independent of time and load. Run `node bench/agent-tasks.ts`; `-v` prints the calls of every task.
 */

import { readFileSync } from 'node:fs'
import { googleCsv } from '../test/support/invented.ts'
import { startTestService, type TestService } from '../test/support/service.ts'
import { Agent, type AgentCall } from './agent-set/agent.ts'
import { TASKS, type AgentTask, type Expectation } from './agent-set/tasks.ts'
import { median, print, printFigures, type Figure } from './support/figures.ts'
import type { OfferedTool } from './agent-set/tool-words.ts'

const NETWORK_SIZE = 2500

export const title = `Agent task success: ${TASKS.length} tasks on a network of ${NETWORK_SIZE} people`

export interface TaskResult {
  readonly task: AgentTask
  readonly calls: readonly AgentCall[]
  /** The reason for a failure; null on success. */
  readonly failure: string | null
  readonly credits: number
  /** The size of arguments and results as a model reads them, in bytes of UTF-8. */
  readonly bytes: number
}

export async function measure(): Promise<Figure[]> {
  return figuresOf(await runTasks())
}

function figuresOf({ results, listBytes }: TaskRun): Figure[] {
  const kinds = [...new Set(TASKS.map(({ kind }) => kind))]
  return [
    { name: 'tools/list, once', value: `${listBytes.toLocaleString('en')} bytes` },
    ...kinds.map((kind) =>
      figureOf(
        kind,
        results.filter(({ task }) => task.kind === kind),
      ),
    ),
    { ...figureOf('all', results), aim: '40 of 40, at most 2.5 calls' },
  ]
}

function figureOf(name: string, results: readonly TaskResult[]): Figure {
  const met = results.filter(({ failure }) => failure === null).length
  const middle = (of: (result: TaskResult) => number) => median(results.map(of))
  const calls = results.reduce((sum, result) => sum + result.calls.length, 0)
  return {
    name,
    value: `${met} of ${results.length}, ${calls} calls`,
    ratio: `per task: ${middle(({ calls: made }) => made.length)} calls, ${middle(({ bytes }) => bytes)} bytes, ${middle(({ credits }) => credits)} credits`,
  }
}

export interface TaskRun {
  readonly results: readonly TaskResult[]
  readonly listBytes: number
}

/** Runs all tasks in order on one network. */
export async function runTasks(): Promise<TaskRun> {
  await using service = await startTestService({ monthlyCredits: 1_000_000 })
  await service.addMember()
  await service.addMember({
    username: 'grace',
    name: 'Grace Hopper',
    headline: 'Typography for machines',
    skills: ['Typography'],
    isPublic: true,
  })
  const setup = await connect(service)
  await buildNetwork(setup)
  const client = await connect(service)
  const tools = await client.listTools()
  const results: TaskResult[] = []
  for (const task of TASKS) results.push(await runTask(task, tools, { client, observer: setup }))
  return { results, listBytes: Buffer.byteLength(JSON.stringify(tools)) }
}

async function runTask(
  task: AgentTask,
  tools: readonly OfferedTool[],
  { client, observer }: { readonly client: Client; readonly observer: Client },
): Promise<TaskResult> {
  const agent = new Agent(tools, (name, args) => client.callTool(name, args))
  await agent.run(task.steps)
  const { calls } = agent
  const size = ({ arguments: args, text }: AgentCall) =>
    Buffer.byteLength(JSON.stringify(args) + text)
  return {
    task,
    calls,
    failure: await failureOf(task, calls, observer),
    credits: calls.reduce((sum, { credits }) => sum + credits, 0),
    bytes: calls.reduce((sum, call) => sum + size(call), 0),
  }
}

async function failureOf(
  { answer = [], after = [] }: AgentTask,
  calls: readonly AgentCall[],
  observer: Client,
): Promise<string | null> {
  if (calls.length === 0) return 'no call was made'
  const read = calls
    .filter(({ isError }) => !isError)
    .map(({ text }) => text)
    .join('\n')
  const unread = answer.find((pattern) => !pattern.test(read))
  if (unread !== undefined) return `did not read ${unread}`
  for (const expectation of after) {
    const failure = await unmet(expectation, observer)
    if (failure !== null) return failure
  }
  return null
}

/** Describes the first difference from the expected state; null if there is none. */
async function unmet(expectation: Expectation, observer: Client): Promise<string | null> {
  const { person, shows = [], lacks = [], count, tagged, notDuplicates, profile } = expectation
  if (profile !== undefined) {
    const { text } = await observer.callTool('whoami', {})
    return profile.test(text) ? null : `the profile lacks ${profile}`
  }
  if (tagged !== undefined) {
    const total = await countTagged(observer, tagged.tag)
    return total === tagged.count ? null : `${total} people have the tag ${tagged.tag}`
  }
  if (notDuplicates !== undefined) {
    const { text } = await observer.callTool('find_duplicates', { limit: 50 })
    return notDuplicates.test(text) ? `${notDuplicates} is still a duplicate` : null
  }
  if (person === undefined) return null
  const ids = await idsOf(observer, person)
  if (count !== undefined && ids.length !== count) return `${ids.length} people are named ${person}`
  if (count !== undefined) return null
  const [id] = ids
  if (id === undefined) return `${person} is not there`
  const text = await describe(observer, id)
  const missing = shows.find((pattern) => !pattern.test(text))
  if (missing !== undefined) return `${person} lacks ${missing}`
  const present = lacks.find((pattern) => pattern.test(text))
  return present === undefined ? null : `${person} still has ${present}`
}

async function countTagged(observer: Client, tag: string): Promise<number> {
  const { tags } = await observer.ask<{ tags: readonly { tag: string; count: number }[] }>(
    'list_tags',
    {},
  )
  return tags.find((entry) => entry.tag === tag)?.count ?? 0
}

/** IDs of the connections with exactly this name. */
async function idsOf(observer: Client, name: string): Promise<string[]> {
  const query = { query: name, mode: 'keyword', limit: 50 }
  const { connections } = await observer.ask<{
    connections: readonly { connection_id: string; name: string }[]
  }>('search_connections', query)
  return connections.filter((found) => found.name === name).map(({ connection_id: id }) => id)
}

async function describe(observer: Client, id: string): Promise<string> {
  const person = await observer.callTool('get_connections', { connection_ids: [id] })
  const followUps = await observer.callTool('list_follow_ups', { connection_id: id, status: 'all' })
  return person.text + followUps.text
}

/** An agent's connection to the service. */
interface Client {
  listTools(): Promise<readonly OfferedTool[]>
  callTool(name: string, args: object): Promise<Omit<AgentCall, 'tool' | 'arguments'>>
  /** The output of a call that must succeed. */
  ask<Output>(name: string, args: object): Promise<Output>
}

/** Advances the injected clock by a second per call, to stay below every rate limit. */
const CALL_INTERVAL_MS = 1000

async function connect(service: TestService): Promise<Client> {
  const token = await service.mintToken()
  const request = async (method: string, params: object): Promise<RpcResult> => {
    service.clock.advance(CALL_INTERVAL_MS)
    const response = await fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    })
    const { result, error } = (await response.json()) as {
      result?: RpcResult
      error?: { message: string }
    }
    return (
      result ?? {
        content: [{ text: error?.message ?? `status ${response.status}` }],
        isError: true,
      }
    )
  }
  const callTool: Client['callTool'] = async (name, args) => {
    const {
      content = [],
      isError = false,
      _meta,
    } = await request('tools/call', { name, arguments: args })
    return {
      text: content[0]?.text ?? '',
      isError,
      credits: isError ? 0 : (_meta?.['weft/cost'] ?? 0),
    }
  }
  return {
    listTools: async () => (await request('tools/list', {})).tools ?? [],
    callTool,
    async ask(name, args) {
      const { text, isError } = await callTool(name, args)
      if (isError) throw new Error(`${name} failed: ${text}`)
      return JSON.parse(text)
    },
  }
}

interface RpcResult {
  readonly tools?: readonly OfferedTool[]
  readonly content?: readonly { readonly text: string }[]
  readonly isError?: boolean
  readonly _meta?: { readonly 'weft/cost'?: number }
}

interface Planted {
  readonly connection: Readonly<Record<string, unknown>>
  readonly notes: readonly { readonly on: string; readonly text: string }[]
}

/** The people in the tasks, and random others. */
async function buildNetwork(client: Client): Promise<void> {
  const planted = readPeople()
  const ids = new Map<string, string>()
  for (const { connection, notes } of planted) {
    const added = await client.ask<{ people: { connection_id: string }[] }>('add_connections', {
      connections: [{ ...connection, allow_duplicate: true }],
    })
    const id = added.people[0]?.connection_id ?? ''
    ids.set(String(connection['name']), id)
    for (const note of notes) await client.ask('add_note', { connection_id: id, ...note })
  }
  for (const [name, text, dueOn] of FOLLOW_UPS)
    await client.ask('set_follow_up', { connection_id: ids.get(name), text, due_on: dueOn })
  await client.ask('resolve_duplicates', {
    action: 'merge',
    keep_id: ids.get('Samuel Ogden'),
    merge_ids: [ids.get('Sam Ogden')],
  })
  await importOthers(client, NETWORK_SIZE - planted.length)
  await tagConference(client)
}

const FOLLOW_UPS: readonly (readonly [name: string, text: string, dueOn: string])[] = [
  ['Freya Halvorsen', 'Send the wind data', '2026-11-25'],
  ['Leif Thorsen', 'Sign the ferry deal', '2026-11-30'],
  ['Stefan Ilić', 'Ask about the record', '2026-12-20'],
]

/** Longer than one page of a note. */
const LONG_NOTE = `${'He explained how timber dries, layer by layer. '.repeat(400)}And the last word is marzipan`

function readPeople(): Planted[] {
  const lines = readFileSync(new URL('agent-set/people.txt', import.meta.url), 'utf8').split('\n')
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(plantedOf)
}

function plantedOf(line: string): Planted {
  const [name, job, company, location, email, phone, tags, metOn, notes = ''] = line
    .split('|')
    .map((cell) => cell.trim())
  const connection = {
    name,
    title: job,
    company,
    location,
    connected_on: metOn,
    emails: [email ?? ''].filter(Boolean),
    phones: [phone ?? ''].filter(Boolean),
    tags: (tags ?? '').split(',').filter(Boolean),
  }
  return {
    connection,
    notes: notes
      .split(';;')
      .filter((note) => note.trim() !== '')
      .map((note) => {
        const text = note.slice(note.indexOf(':') + 1).trim()
        return {
          on: note.slice(0, note.indexOf(':')).trim(),
          text: text === 'LONG' ? LONG_NOTE : text,
        }
      }),
  }
}

interface Job {
  readonly task_id: string
  readonly terminal: boolean
}

async function importOthers(client: Client, count: number): Promise<void> {
  let job = await client.ask<Job>('import_connections', {
    content: [...googleCsv(count, 11)].join(''),
  })
  while (!job.terminal) {
    const { jobs } = await client.ask<{ jobs: Job[] }>('get_jobs', { task_id: job.task_id })
    job = jobs[0] ?? job
  }
}

const CONFERENCE_SIZE = 120

async function tagConference(client: Client): Promise<void> {
  const ids: string[] = []
  let cursor: string | undefined
  while (ids.length < CONFERENCE_SIZE) {
    const page = await client.ask<{
      connections: readonly { connection_id: string; email?: string }[]
      next_cursor?: string
    }>('list_connections', { sort: 'added', limit: 50, ...(cursor !== undefined && { cursor }) })
    ids.push(...page.connections.map(({ connection_id: id }) => id))
    cursor = page.next_cursor
  }
  await client.ask('update_connections', {
    connection_ids: ids.slice(0, CONFERENCE_SIZE),
    tags: ['conference'],
  })
}

if (import.meta.main) {
  const run = await runTasks()
  for (const { task, calls, failure } of run.results) {
    if (failure === null && !process.argv.includes('-v')) continue
    print(
      `${failure === null ? 'ok    ' : 'FAILED'} ${task.request}${failure === null ? '' : `  (${failure})`}`,
    )
    for (const { tool, arguments: args, isError, text } of calls)
      print(
        `         ${tool} ${JSON.stringify(args).slice(0, 160)}${isError ? ` -> ${text.slice(0, 300)}` : ''}`,
      )
  }
  printFigures(title, figuresOf(run))
}
