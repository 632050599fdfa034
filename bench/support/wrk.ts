/** Load by wrk: prepared requests over keep-alive connections, with every response counted and optionally read. */

import { spawnSync } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { median, ratioOf, spread } from './figures.ts'
import { finished, processorSecondsOf, start } from './machine.ts'

const SCRIPT = fileURLToPath(new URL('./cycle.lua', import.meta.url))

export const CONNECTIONS = 32

export interface PreparedRequest {
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body?: string
}

export interface Load {
  readonly port: number
  /** The server's process. */
  readonly pid: number | undefined
  /** Written by `writeRequests`. */
  readonly file: string
  readonly seconds: number
  /**
   * Text that every response must contain. All responses are then read, which uses some of the load generator's CPU.
   */
  readonly expected?: string
  /** Concurrent requests; `CONNECTIONS` by default. */
  readonly connections?: number
  /** Every request ends with a refresh token and is sent once; the token in its response is used for the next. */
  readonly rotates?: boolean
}

export interface LoadResult {
  readonly perSecond: number
  /** Counted responses. */
  readonly answered: number
  /** Sent requests; at the end, some have no response. */
  readonly sent: number
  readonly p50: number
  readonly p99: number
  /** Microseconds of the server's CPU time per request, which other processes on the machine hardly affect. */
  readonly micros: number
}

/** The results of several rounds of one load. */
export class Rounds {
  readonly #results: LoadResult[] = []

  add(result: LoadResult): void {
    this.#results.push(result)
  }

  all(field: keyof LoadResult): number[] {
    return this.#results.map((result) => result[field])
  }

  describe(unit: string): string {
    const [p50, p99] = [median(this.all('p50')), median(this.all('p99'))]
    return `${spread(this.all('perSecond'), unit)}  p50 ${p50.toFixed(2)} p99 ${p99.toFixed(1)} ms  ${median(this.all('micros')).toFixed(0)} us CPU`
  }

  /** The speedup over the others: by requests per second, and by CPU time. */
  against(others: Rounds): string {
    const rate = ratioOf(this.all('perSecond'), others.all('perSecond'))
    const time = ratioOf(others.all('micros'), this.all('micros'))
    return `${rate.toFixed(2)} times (${time.toFixed(2)} by CPU)`
  }
}

export function requireWrk(): void {
  if (spawnSync('wrk', ['--version']).error)
    throw new Error('wrk is needed for the load: apt-get install wrk (https://github.com/wg/wrk)')
}

export async function writeRequests(
  file: string,
  port: number,
  requests: readonly PreparedRequest[],
): Promise<string> {
  const chunks = requests.map((request) => {
    const bytes = Buffer.from(wireForm(request, port))
    return Buffer.concat([Buffer.from(`${bytes.byteLength}\n`), bytes])
  })
  await writeFile(file, Buffer.concat(chunks))
  return file
}

function wireForm({ method, path, headers, body }: PreparedRequest, port: number): string {
  const lines = Object.entries({ host: `127.0.0.1:${port}`, ...headers }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  )
  if (body !== undefined) lines.push(`content-length: ${Buffer.byteLength(body)}\r\n`)
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body ?? ''}`
}

/** Throws if any response was unexpected, because a fast error is not a result. */
export async function load(what: Load): Promise<LoadResult> {
  const { port, pid, file, seconds, expected = '', connections = CONNECTIONS } = what
  const args = [
    '-t1',
    `-c${connections}`,
    `-d${seconds}s`,
    // On a busy machine, a response may take longer than wrk's two seconds; it is slow, not lost.
    '--timeout',
    '10s',
    '-s',
    SCRIPT,
    `http://127.0.0.1:${port}`,
  ]
  const used = processorSecondsOf(pid)
  const scriptArgs = ['--', file, expected, ...(what.rotates === true ? ['rotate'] : [])]
  const child = start('load', 'wrk', [...args, ...scriptArgs], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const { stdout, stderr } = await finished(child)
  const line = /^WEFT (\{.*\})$/m.exec(stdout)?.[1]
  if (line === undefined) throw new Error(`wrk told nothing: ${stdout}${stderr}`)
  const told = JSON.parse(line) as Record<
    'answered' | 'sent' | 'micros' | 'failed' | 'unexpected' | 'p50' | 'p99',
    number
  > & { readonly example: string }
  if (told.failed > 0 || told.unexpected > 0)
    throw new Error(
      `${told.failed} requests failed and ${told.unexpected} answers were not as expected: ${told.example}`,
    )
  return {
    perSecond: told.answered / (told.micros / 1e6),
    answered: told.answered,
    sent: told.sent,
    p50: told.p50 / 1000,
    p99: told.p99 / 1000,
    micros: ((processorSecondsOf(pid) - used) * 1e6) / told.answered,
  }
}
