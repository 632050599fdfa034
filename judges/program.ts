/** Runs a judge's program in its own home folder, with a person who opens the URLs that it prints. */

import { spawn } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import type { Person } from './person.ts'

export interface Program {
  /** Relative to this file. */
  readonly script: string
  readonly args: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Gives consent at the URLs that the program prints. */
  readonly person?: Person
}

export interface Outcome {
  /** -1 if the program was killed. */
  readonly code: number
  readonly stdout: string
  /** The whole output, the errors of the person, and the exit code. */
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

/** Milliseconds. The slowest program takes a tenth of that. */
const PATIENCE = 90_000

function startIn(home: string, { script, args, environment = {} }: Program) {
  return spawn(execPath, [fileURLToPath(new URL(script, import.meta.url)), ...args], {
    cwd: home,
    // Without the real PATH, programs cannot open a browser.
    env: { HOME: home, PATH: home, ...QUIET, ...environment },
    // The standard input stays open, because some programs exit when it closes.
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

/** Returns the error of the person, or an empty string. */
async function walk(person: Person | undefined, address: string): Promise<string> {
  try {
    await person?.allow(address)
    return ''
  } catch (error) {
    return `the person at ${address}: ${String(error)}`
  }
}
