/** Members who write, search and import continuously, and retry requests without a response, as correct clients do. */

import { request } from 'node:http'
import { text as readText } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export interface LoadMember {
  readonly username: string
  readonly memberId: number
  readonly token: string
}

/** The requests of one member that are known to have succeeded. */
export interface Account {
  readonly member: LoadMember
  /** Markers in notes and names, one per keyed write. Each write was eventually answered. */
  readonly notes: string[]
  readonly people: string[]
  /** Marker and size of every imported file. */
  readonly imports: { readonly marker: string; readonly rows: number }[]
  searches: number
  /** The number of searches sent. Those without a response may have been charged. */
  searchAttempts: number
}

export interface LoadReport {
  readonly accounts: readonly Account[]
  /** Responses by status (a 503 with its reason), and `lost` for connections that ended without one. */
  readonly statuses: ReadonlyMap<string, number>
  /** Responses that no client should get. */
  readonly violations: readonly string[]
  /** The longest time without a successful response, in milliseconds. */
  readonly longestGapMs: number
  /** From the end of the fault to the first success after it, in milliseconds. */
  recoveryMs(healedAt: number): number
}

export interface Load {
  /** Finishes running requests and reports. */
  stop(): Promise<LoadReport>
}

const IMPORT_ROWS = 400
const WRITERS_PER_MEMBER = 2

/** Starts the load through one address. */
export function startLoad(url: string, members: readonly LoadMember[]): Load {
  const run = new Run(url)
  const accounts = members.map((member): Account => ({
    member,
    notes: [],
    people: [],
    imports: [],
    searches: 0,
    searchAttempts: 0,
  }))
  const loops = accounts.flatMap((account) => [
    ...Array.from({ length: WRITERS_PER_MEMBER }, (_, writer) => run.write(account, writer)),
    run.search(account),
    run.importFiles(account),
  ])
  return {
    async stop() {
      run.isStopping = true
      await Promise.all(loops)
      return run.report(accounts)
    },
  }
}

interface Answer {
  /** Undefined if the connection ended without a response. */
  readonly status: number | undefined
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly body: string
}

interface ToolResult {
  readonly isError?: boolean
  readonly content: readonly { readonly text: string }[]
}

class Run {
  isStopping = false
  readonly #url: string
  readonly #statuses = new Map<string, number>()
  readonly #violations: string[] = []
  readonly #successes: number[] = [Date.now()]

  constructor(url: string) {
    this.#url = url
  }

  async write(account: Account, writer: number): Promise<void> {
    const { member } = account
    for (let turn = 0; !this.isStopping; turn++) {
      const person = `Person ${member.username} ${writer} ${turn}`
      const added = await this.#keyed(member, person, 'add_connections', { name: person })
      account.people.push(person)
      const id = /"connection_id":"(c_\d+)"/u.exec(added)?.[1]
      if (id === undefined) this.#violations.push(`add_connections answered ${added.slice(0, 200)}`)
      else {
        const note = `Note ${member.username} ${writer} ${turn}`
        await this.#keyed(member, note, 'save_note', { people: id, text: note })
        account.notes.push(note)
      }
    }
  }

  async search(account: Account): Promise<void> {
    while (!this.isStopping) {
      account.searchAttempts += 1
      const answer = await this.#send(account.member, {
        name: 'search_connections',
        arguments: { query: 'person' },
      })
      if (toolResultOf(answer) === null) await sleep(pauseOf(answer))
      else account.searches += 1
    }
  }

  async importFiles(account: Account): Promise<void> {
    const { member } = account
    for (let turn = 0; !this.isStopping; turn++) {
      const marker = `Imported${member.username}${turn}`
      const rows = Array.from(
        { length: IMPORT_ROWS },
        (_, row) => `${marker},Row${row},Company ${row}`,
      )
      const content = `First Name,Last Name,Company\n${rows.join('\n')}\n`
      const started = await this.#keyed(member, `import-${marker}`, 'import_connections', {
        content,
      })
      const { task_id: taskId } = JSON.parse(started) as { task_id?: string }
      if (taskId === undefined) {
        this.#violations.push(`import_connections answered ${started.slice(0, 200)}`)
        return
      }
      await this.#untilTerminal(account, taskId, marker)
    }
  }

  report(accounts: readonly Account[]): LoadReport {
    const times = [...this.#successes, Date.now()].toSorted((a, b) => a - b)
    const gaps = times.map((time, index) => time - (times[index - 1] ?? time))
    return {
      accounts,
      statuses: this.#statuses,
      violations: this.#violations,
      longestGapMs: Math.max(...gaps),
      recoveryMs: (healedAt) =>
        Math.max(0, (times.find((time) => time > healedAt) ?? Number.NaN) - healedAt),
    }
  }

  async #untilTerminal(account: Account, taskId: string, marker: string): Promise<void> {
    const until = Date.now() + JOB_TIMEOUT_MS
    while (Date.now() < until) {
      const answer = await this.#send(account.member, {
        name: 'get_jobs',
        arguments: { task_id: taskId },
      })
      const text = toolResultOf(answer)
      if (text === null) await sleep(pauseOf(answer))
      else {
        const { jobs } = JSON.parse(text) as { jobs: { terminal: boolean; state: string }[] }
        const [{ terminal, state } = { terminal: false, state: '' }] = jobs
        if (terminal && state === 'succeeded') account.imports.push({ marker, rows: IMPORT_ROWS })
        if (terminal && state !== 'succeeded')
          this.#violations.push(`the import of ${marker} ended as ${text}`)
        if (terminal) return
        await sleep(JOB_POLL_MS)
      }
    }
    this.#violations.push(`the import of ${marker} did not end`)
  }

  /** Repeats a keyed write until it gets a response. Returns the text of the result. */
  async #keyed(member: LoadMember, key: string, name: string, args: object): Promise<string> {
    for (;;) {
      const answer = await this.#send(member, { name, arguments: args }, key.replaceAll(' ', '-'))
      const text = toolResultOf(answer)
      if (text !== null) return text
      await sleep(pauseOf(answer))
    }
  }

  async #send(member: LoadMember, call: object, key?: string): Promise<Answer> {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
    const answer = await post(`${this.#url}/mcp`, body, {
      'content-type': 'application/json',
      authorization: `Bearer ${member.token}`,
      ...(key !== undefined && { 'idempotency-key': key }),
    })
    const status = statusOf(answer)
    this.#statuses.set(status, (this.#statuses.get(status) ?? 0) + 1)
    const violation = violationIn(answer)
    if (violation !== null) this.#violations.push(violation)
    if (answer.status === 200 && violation === null) this.#successes.push(Date.now())
    return answer
  }
}

const JOB_TIMEOUT_MS = 120_000
const JOB_POLL_MS = 200

/** The status, and the reason of a 503. */
function statusOf({ status, body }: Answer): string {
  if (status === undefined) return 'lost'
  return status === 503
    ? `503 ${/"message":"([^"]{0,60})/u.exec(body)?.[1] ?? body.slice(0, 40).trim()}`
    : String(status)
}

/** The text of a tool's result; null if the call has to be retried. */
function toolResultOf({ status, body }: Answer): string | null {
  if (status !== 200) return null
  const { result } = JSON.parse(body) as { result?: ToolResult }
  return result === undefined || result.isError === true ? null : (result.content[0]?.text ?? '')
}

/** Describes a response that a client must never get; null if the response is valid. */
function violationIn({ status, headers, body }: Answer): string | null {
  if (status === undefined || status === 409 || status === 429) return null
  if (status === 503)
    return headers['retry-after'] === undefined
      ? `503 without Retry-After: ${body.slice(0, 300)}`
      : null
  if (status !== 200) return `status ${status}: ${body.slice(0, 300)}`
  const { result, error } = JSON.parse(body) as { result?: ToolResult; error?: unknown }
  if (error !== undefined) return `error ${JSON.stringify(error)}`
  return result?.isError === true ? `isError ${body.slice(0, 300)}` : null
}

/** Retry-After, but shorter: a scenario lasts seconds. */
function pauseOf({ status }: Answer): number {
  return status === undefined ? 50 : 200
}

const ANSWER_TIMEOUT_MS = 20_000

function post(url: string, body: string, headers: Record<string, string>): Promise<Answer> {
  return new Promise((resolve) => {
    const lost = () => resolve({ status: undefined, headers: {}, body: '' })
    const sent = request(
      url,
      { method: 'POST', headers, agent: false, timeout: ANSWER_TIMEOUT_MS },
      (response) => {
        readText(response).then(
          (text) => resolve({ status: response.statusCode, headers: response.headers, body: text }),
          lost,
        )
      },
    )
    sent.on('timeout', () => sent.destroy())
    sent.on('error', lost).end(body)
  })
}
