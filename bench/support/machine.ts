/** The machine a benchmark runs on: its cores, who may use which, and the processes started on them. */

import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

const cores = availableParallelism()
const canPin = cores > 1 && spawnSync('taskset', ['--version']).status === 0

export function machineLine(): string {
  const pinning = canPin ? 'servers on core 0, load on core 1' : 'nothing pinned'
  return `${cores} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, SQLite ${process.versions['sqlite'] ?? ''}, ${pinning}`
}

/** `server` and `load` have a core each, so that one does not take the other's time; `any` is left to the system. */
export type Place = 'server' | 'load' | 'any'

const CORES: Record<Place, string> = { server: '0', load: '1', any: `0-${cores - 1}` }

export function start(
  place: Place,
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  return canPin
    ? spawn('taskset', ['-c', CORES[place], command, ...args], options)
    : spawn(command, args, options)
}

/** Moves this very process, where it is the one that loads. */
export function pinMyself(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', CORES.load, String(process.pid)])
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits for the end of a process whose output is piped. */
export async function finished(child: ChildProcess): Promise<Finished> {
  let [stdout, stderr] = ['', '']
  child.stdout?.setEncoding('utf8').on('data', (text: string) => (stdout += text))
  child.stderr?.setEncoding('utf8').on('data', (text: string) => (stderr += text))
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', resolve)
  })
  return { code, stdout, stderr }
}

/** Asks this one process to stop, and waits until it has. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** Megabytes of a process: `VmRSS` now, `VmHWM` at most so far. NaN once it is gone. */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024
  } catch {
    return Number.NaN
  }
}

export interface Folder extends AsyncDisposable {
  readonly path: string
}

/** A folder of its own, gone afterwards. */
export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'weft-bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** Seconds of processor time a process has used so far, all of its threads together. */
export function processorSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** USER_HZ: 100 on every Linux there is to build for. */
const TICKS_PER_SECOND = 100
