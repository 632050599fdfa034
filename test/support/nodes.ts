/** Services in separate processes, several on one database, for tests of races and crashes. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { env, execPath, stderr } from 'node:process'
import { openDatabase } from '../../src/db/engines/open.ts'
import { systemClock } from '../../src/base/clock.ts'
import { createDatabaseLocation, type DatabaseLocation } from './store.ts'
import { freePort } from './free-port.ts'
import type { Database } from '../../src/db/database.ts'

export interface Node extends AsyncDisposable {
  readonly url: string
  /** Whether the process lives. */
  readonly isRunning: boolean
  /** Kills the process, as in a power failure. */
  kill(): Promise<void>
}

export interface Nodes extends AsyncDisposable {
  /** The shared database, opened by the test as well. */
  readonly database: Database
  /** The public URL of every node: that of the first one. Forms accept no other host. */
  readonly publicUrl: string
  /** `WEFT_DATABASE` of every node. */
  readonly address: string
  start(options?: NodeOptions): Promise<Node>
}

interface NodeOptions {
  readonly environment?: Readonly<Record<string, string>>
  /** Receives what it logs; standard error by default. */
  readonly onLog?: (text: string) => void
}

const MAIN = join(import.meta.dirname, '../../src/main.ts')

export async function createNodes(): Promise<Nodes> {
  // With the demo account, which nodes that start at once would create one after the other.
  const location = await createDatabaseLocation('seeded')
  const firstPort = await freePort()
  const publicUrl = `http://127.0.0.1:${firstPort}`
  let started = 0
  const { database } = await openDatabase(location.database, {
    clock: systemClock,
    searchThreads: 1,
  })
  return {
    database,
    publicUrl,
    address: location.address,
    start: async (options = {}) => {
      started += 1
      const port = started === 1 ? firstPort : await freePort()
      return startNode(location, publicUrl, port, options)
    },
    async [Symbol.asyncDispose]() {
      await database[Symbol.asyncDispose]()
      await location[Symbol.asyncDispose]()
    },
  }
}

async function startNode(
  location: DatabaseLocation,
  publicUrl: string,
  port: number,
  { environment, onLog = (text) => void stderr.write(text) }: NodeOptions,
): Promise<Node> {
  const child = spawn(execPath, [MAIN, 'serve'], {
    cwd: location.folder,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      PATH: env['PATH'],
      NODE_COMPILE_CACHE: env['NODE_COMPILE_CACHE'],
      WEFT_DATABASE: location.address,
      WEFT_PORT: String(port),
      WEFT_PUBLIC_URL: publicUrl,
      WEFT_LOG_LEVEL: 'error',
      WEFT_SEARCH_THREADS: '1',
      WEFT_RATE_LIMITS: 'mcp=1000000/60, token=1000000/60',
      ...environment,
    },
  })
  child.stderr.setEncoding('utf8').on('data', onLog)
  const exited = once(child, 'exit')
  const end = async (signal: NodeJS.Signals) => {
    child.kill(signal)
    await exited
  }
  // The first line of output has the URL.
  await Promise.race([once(child.stdout, 'data'), exited])
  child.stdout.resume()
  if (child.exitCode !== null) throw new Error(`a node ended with ${child.exitCode}`)
  return {
    url: `http://127.0.0.1:${port}`,
    get isRunning() {
      return child.exitCode === null && child.signalCode === null
    },
    kill: () => end('SIGKILL'),
    [Symbol.asyncDispose]: () => end('SIGTERM'),
  }
}
