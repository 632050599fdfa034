/** The machine of a benchmark: its cores, their assignment, and the processes started on them. */

import { spawn, spawnSync, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus, tmpdir } from 'node:os'
import { join } from 'node:path'

const cores = availableParallelism()
const canPin = cores > 1 && spawnSync('taskset', ['--version']).status === 0

export function machineLine(): string {
  const pinning = canPin ? 'servers on core 0, load on core 1' : 'nothing pinned'
  return `${cores} cores (${cpus()[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}, SQLite ${process.versions['sqlite'] ?? ''}, ${pinning}`
}

/** `server` and `load` have a core each, so that they do not compete; `any` is scheduled by the system. */
export type CoreRole = 'server' | 'load' | 'any'

const CORES: Record<CoreRole, string> = { server: '0', load: '1', any: `0-${cores - 1}` }

export function start(
  role: CoreRole,
  command: string,
  args: readonly string[],
  options: SpawnOptions = {},
): ChildProcess {
  return canPin
    ? spawn('taskset', ['-c', CORES[role], command, ...args], options)
    : spawn(command, args, options)
}

/** Pins this process, if it generates the load. */
export function pinMyself(): void {
  if (canPin) spawnSync('taskset', ['-a', '-c', '-p', CORES.load, String(process.pid)])
}

export interface Finished {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Waits until a process with piped output exits. */
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

/** Sends this process a signal to stop, and waits until it has exited. */
export async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  await ended
}

/** The memory of a process in megabytes: `VmRSS` now, `VmHWM` at its peak. NaN once it has exited. */
export function memoryOf(pid: number | undefined, field: 'VmRSS' | 'VmHWM'): number {
  try {
    const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8')
    return Number(new RegExp(`${field}:\\s+(\\d+)`).exec(status)?.[1] ?? Number.NaN) / 1024
  } catch {
    return Number.NaN
  }
}

/** Lets `VmHWM` of a running process start again at its current memory. */
export function resetPeakMemory(pid: number): void {
  writeFileSync(`/proc/${pid}/clear_refs`, '5') // proc(5)
}

export interface Folder extends AsyncDisposable {
  readonly path: string
}

/** A temporary folder that is removed on disposal. */
export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'weft-bench-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

/** The CPU time that all threads of a process have used, in seconds. */
export function processorSecondsOf(pid: number | undefined): number {
  const fields = readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8')
    .replace(/^.*\) /s, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / TICKS_PER_SECOND
}

/** USER_HZ is 100 on all supported Linux platforms. */
const TICKS_PER_SECOND = 100
