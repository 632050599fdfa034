/** A judge's own program: started alone, in a home of its own, with a person who follows the addresses it prints. */

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Person } from './person.ts'

export interface Program {
  /** Beside this file, or below its node_modules. */
  readonly script: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Goes where the program asks to be let in. */
  readonly person?: Person
}

export interface Outcome {
  /** -1 where it had to be stopped. */
  readonly code: number
  readonly stdout: string
  /** All that it wrote, why the person got no further, if so, and its exit code. */
  readonly said: string
}

/** Runs without the user's settings, and leaves no files. */
export async function runProgram(program: Program): Promise<Outcome> {
  const home = await mkdtemp(join(tmpdir(), 'weft-judge-'))
  const child = startIn(home, program)
  const walks = new Map<string, Promise<string>>()
  let [stdout, said] = ['', '']
  const hear = (text: string) => {
    said += text
    for (const address of program.person?.addressesIn(said) ?? [])
      if (!walks.has(address)) walks.set(address, walk(program.person, address))
  }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
    hear(text)
  })
  child.stderr.setEncoding('utf8').on('data', hear)
  const code = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (ended) => resolve(ended ?? -1))
  })
  const problems = await Promise.all(walks.values())
  await rm(home, { recursive: true, force: true })
  return { code, stdout, said: [said, ...problems, `exit code ${code}`].join('\n') }
}

/** Milliseconds; the slowest takes a tenth of it. */
const PATIENCE = 90_000

function startIn(home: string, { script, args, environment = {} }: Program) {
  return spawn(execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    cwd: home,
    // Without a PATH no program finds a real browser to open.
    env: { HOME: home, PATH: home, ...QUIET, ...environment },
    // Its input stays open: some take the end of that for the end of their work.
    stdio: ['pipe', 'pipe', 'pipe'],
    timeout: PATIENCE,
    killSignal: 'SIGKILL',
  })
}

/** Telemetry is disabled. */
const QUIET = {
  DO_NOT_TRACK: '1',
  MCP_USE_ANONYMIZED_TELEMETRY: 'false',
  NO_COLOR: '1',
  REDOCLY_TELEMETRY: 'off',
  REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
}

/** Why the person got no further; empty when they did. */
async function walk(person: Person | undefined, address: string): Promise<string> {
  try {
    await person?.allow(address)
    return ''
  } catch (error) {
    return `the person at ${address}: ${String(error)}`
  }
}
