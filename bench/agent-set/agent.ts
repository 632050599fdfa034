/**
 * A deterministic stand-in for a model. For each step it chooses a tool by name and description, fills the arguments by
 * the schema, looks up missing IDs with the tool that the schema names, reads every page, and waits for jobs. It knows no
 * tool by name, so it fails if a description is misleading or incomplete.
 */

import { setTimeout as sleep } from 'node:timers/promises'
import { idArgumentsOf, idIn, mostExact, recordsIn, type Found } from './records.ts'
import type { Step } from './tasks.ts'
import {
  argumentNamed,
  idSourceOf,
  isIdArgument,
  rankTools,
  textOf,
  type OfferedTool,
  type PropertySchema,
} from './tool-words.ts'

/** A call of an agent, and its result. */
export interface AgentCall {
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  readonly text: string
  readonly isError: boolean
  readonly credits: number
}

export type CallTool = (
  name: string,
  args: Readonly<Record<string, unknown>>,
) => Promise<Omit<AgentCall, 'tool' | 'arguments'>>

/** More calls than this for one step are a loop. */
const MAX_CALLS_PER_STEP = 12

const SECOND_MS = 1000

export class Agent {
  readonly calls: AgentCall[] = []
  readonly #tools: readonly OfferedTool[]
  readonly #callTool: CallTool
  /** The records found for each subject; the empty subject is the last result. */
  readonly #found = new Map<string, Found[]>()
  #budget = 0

  constructor(tools: readonly OfferedTool[], callTool: CallTool) {
    this.#tools = tools
    this.#callTool = callTool
  }

  async run(steps: readonly Step[]): Promise<void> {
    for (const step of steps) {
      this.#budget = MAX_CALLS_PER_STEP
      await this.#take(step)
    }
  }

  async #take(step: Step): Promise<void> {
    const { goal, given = {}, about } = step
    const [tool] = rankTools(this.#tools, { goal, given, hasSubject: about !== undefined })
    if (tool !== undefined) await this.#use(tool, step)
  }

  /** Calls a tool for a step: once, or once for each record if it takes one ID. */
  async #use(tool: OfferedTool, step: Step): Promise<readonly Found[]> {
    const values = this.#valuesFor(tool, step)
    const records = await this.#recordsFor(tool, step)
    if (records === null) return this.#read(tool, values, step)
    const answers: Found[] = []
    for (const ids of idArgumentsOf(tool, records))
      answers.push(...(await this.#read(tool, { ...values, ...ids }, step)))
    return answers
  }

  /** The arguments whose values the request states. */
  #valuesFor(tool: OfferedTool, { given = {}, about, everyone }: Step): Record<string, unknown> {
    const { properties = {}, required = [] } = tool.inputSchema
    const text = textOf(tool)
    const args: Record<string, unknown> = {}
    for (const [key, value] of Object.entries(given)) {
      const name = argumentNamed(tool.inputSchema, key, text)
      if (name !== null) args[name] = renamed(value, properties[name], text)
    }
    for (const name of required) {
      const property = properties[name]
      if (args[name] !== undefined || property === undefined || isIdArgument(name, property))
        continue
      args[name] = about ?? ''
    }
    const most = /^1-(\d+)/u.exec(properties['limit']?.description ?? '')?.[1]
    if (everyone === true && most !== undefined) args['limit'] = Number(most)
    return args
  }

  /** The records that the step concerns; null if the tool needs none. */
  async #recordsFor(tool: OfferedTool, step: Step): Promise<readonly Found[] | null> {
    const { properties = {}, required = [] } = tool.inputSchema
    const ids = Object.entries(properties).filter(([name, property]) =>
      isIdArgument(name, property),
    )
    const isNeeded = ids.some(([name]) => required.includes(name))
    if (ids.length === 0) return null
    if (!isNeeded && step.about === undefined && step.isAboutFound === undefined) return null
    for (const [name, property] of ids.toSorted(
      ([a], [b]) => Number(required.includes(b)) - Number(required.includes(a)),
    )) {
      const { prefix, tool: source } = idSourceOf(property)
      const isOnlyKind = required.includes(name) || !isNeeded
      const records = await this.#find(step, {
        name,
        prefix: isOnlyKind ? prefix : undefined,
        source,
      })
      if (records.length > 0) return records
    }
    return null
  }

  /** Records of the step's subject with such an ID: already known, or looked up as the description says. */
  async #find(
    step: Step,
    {
      name,
      prefix,
      source,
    }: { name: string; prefix: string | undefined; source: string | undefined },
  ): Promise<readonly Found[]> {
    const { about = '', only, everyone } = step
    const fits = (found: Found) =>
      idIn(found, name, prefix) !== undefined && (only === undefined || only.test(found.text))
    const chosen = (found: readonly Found[]) => {
      const fitting = mostExact(found.filter(fits), name)
      return everyone === true ? fitting : fitting.slice(0, 1)
    }
    const known = chosen(this.#found.get(about) ?? [])
    if (known.length > 0 || step.isAboutFound === true) return known
    const lookup = this.#tools.find((tool) => tool.name === source)
    if (lookup === undefined) return []
    return chosen(await this.#use(lookup, { goal: '', about }))
  }

  /** One call and, for everyone, the pages after it; the end of the job that it starts. */
  async #read(
    tool: OfferedTool,
    args: Readonly<Record<string, unknown>>,
    step: Step,
  ): Promise<readonly Found[]> {
    const { about = '', everyone } = step
    const found: Found[] = []
    let answer = await this.#call(tool.name, args)
    for (;;) {
      found.push(...recordsIn(answer))
      const more = continuationOf(tool, { args, answer, isAllWanted: everyone === true })
      if (more === null || this.#budget <= 0) break
      answer = await this.#call(tool.name, { ...args, ...more })
    }
    await this.#awaitJob(tool, answer)
    // The best match comes first, with everything that was read about it.
    this.#found.set(about, [...found, ...(about === '' ? [] : (this.#found.get(about) ?? []))])
    if (about !== '') this.#found.set('', [...found, ...(this.#found.get('') ?? [])])
    return found
  }

  async #awaitJob({ description }: OfferedTool, answer: unknown): Promise<void> {
    const poll = /_id for ([a-z_]+)/u.exec(description)?.[1]
    if (poll === undefined) return
    const pollTool = this.#tools.find(({ name }) => name === poll)
    const pauseField = /after ([a-z_]+) seconds/u.exec(pollTool?.description ?? '')?.[1]
    let job = answer as Record<string, unknown> | null
    while (job?.['terminal'] === false && this.#budget > 0) {
      // The injected clock stands still, but jobs run in real time.
      if (pauseField !== undefined) await sleep(Number(job[pauseField] ?? 0) * SECOND_MS)
      job = (await this.#call(poll, { task_id: job['task_id'] })) as Record<string, unknown> | null
    }
  }

  async #call(name: string, args: Readonly<Record<string, unknown>>): Promise<unknown> {
    this.#budget -= 1
    const answer = await this.#callTool(name, args)
    this.calls.push({ tool: name, arguments: args, ...answer })
    return answer.isError ? null : JSON.parse(answer.text)
  }
}

interface ReadSoFar {
  readonly args: Readonly<Record<string, unknown>>
  readonly answer: unknown
  readonly isAllWanted: boolean
}

/** The argument that requests the rest of a truncated text, or of a list if all of it is needed. */
function continuationOf(
  { inputSchema: { properties = {} } }: OfferedTool,
  { args, answer, isAllWanted }: ReadSoFar,
): Record<string, unknown> | null {
  const cursor = valueIn(answer, 'next_cursor')
  if (isAllWanted && cursor !== undefined && 'cursor' in properties) return { cursor }
  const offset = valueIn(answer, 'next_offset')
  const companion = /^With ([a-z_]+)/u.exec(properties['offset']?.description ?? '')?.[1]
  return offset !== undefined && companion !== undefined && companion in args ? { offset } : null
}

/** The first value with this name, at any depth. */
function valueIn(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  const fields = value as Readonly<Record<string, unknown>>
  if (fields[name] !== undefined) return fields[name]
  for (const inner of Object.values(fields)) {
    const found = valueIn(inner, name)
    if (found !== undefined) return found
  }
  return undefined
}

/** A stated value in the names of the schema: lists of objects have arguments of their own. */
function renamed(value: unknown, property: PropertySchema | undefined, toolText: string): unknown {
  const items = property?.items
  if (!Array.isArray(value) || items?.properties === undefined) return value
  return value.map((item: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(
      Object.entries(item).flatMap(([key, inner]) => {
        const name = argumentNamed(items, key, `${toolText} ${property?.description ?? ''}`)
        return name === null ? [] : [[name, inner]]
      }),
    ),
  )
}
