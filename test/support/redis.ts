/** A private Redis for tests. It listens on a socket in a temporary folder and stores nothing. */

import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@redis/client'

export interface TestRedis extends AsyncDisposable {
  /** For `WEFT_REDIS_URL`. */
  readonly url: string
  /** Simulates a crash: all counters are lost. */
  stop(): Promise<void>
  start(): Promise<void>
  /** Makes it accept connections without responding. */
  pause(): void
  resume(): void
  /** Sends a command on a connection of its own. */
  command(...words: readonly string[]): Promise<void>
  /** Closes the connections of all clients. */
  dropConnections(): Promise<void>
}

/** The reason to skip a test; false if Redis is installed. */
export const REDIS_MISSING =
  spawnSync('redis-server', ['--version']).error !== undefined &&
  'redis-server is not installed (package redis-server)'

export async function startRedis(): Promise<TestRedis> {
  const folder = await mkdtemp(join(tmpdir(), 'weft-redis-'))
  const socket = join(folder, 'redis.sock')
  let child = await run(socket)
  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exited = once(child, 'exit')
    child.kill('SIGKILL')
    await exited
  }
  const command = async (...words: readonly string[]) => {
    const client = createClient({ socket: { path: socket, tls: false } })
    await client.connect()
    await client.sendCommand(words)
    client.destroy()
  }
  return {
    url: `unix:${socket}`,
    stop,
    start: async () => {
      child = await run(socket)
    },
    pause: () => child.kill('SIGSTOP'),
    resume: () => child.kill('SIGCONT'),
    command,
    dropConnections: () => command('CLIENT', 'KILL', 'TYPE', 'normal', 'SKIPME', 'yes'),
    async [Symbol.asyncDispose]() {
      await stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function run(socket: string): Promise<ChildProcess> {
  const options = ['--port', '0', '--unixsocket', socket, '--save', '', '--appendonly', 'no']
  const child = spawn('redis-server', options, { stdio: ['ignore', 'pipe', 'inherit'] })
  for await (const line of createInterface({ input: child.stdout }))
    if (/ready to accept connections/i.test(line)) break
  child.stdout.resume()
  return child
}
