#!/usr/bin/env node
/** The executable: `weft <command>`. The only file that touches `process`. */

import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// On a machine with much memory, V8 lets the heap quadruple between full collections, and imports fill it with discarded rows.
// Doubling is what it does on small machines, and costs no measurable CPU time (decisions/0057).
setFlagsFromString('--heap-growing-percent=100')

/** Half of the young generation, in MB. */
const SEMI_SPACE = '--max-semi-space-size=8'
limitYoungGeneration()

// Before anything else is imported, so that compiled code is cached between starts.
const { directory } = enableCompileCache()
// Threads read the folder from here. Without it, a search thread would spend another 85 ms compiling its modules.
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory

// A relative import names its file in full, so its URL is known. Otherwise Node would look up each of about 4,000
// imports on disk, which takes a quarter of the startup time (decisions/0015).
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    return parentURL !== undefined && /^\.\.?\/.*\.(ts|js|mjs)$/.test(specifier)
      ? { url: new URL(specifier, parentURL).href, shortCircuit: true }
      : nextResolve(specifier, context)
  },
})

const { runProgram } = await import('./cli/program.ts')

const ENV_FILE = '.env'
const unreadable = loadEnvFile()

// `weft … | head` closes the pipe early, which is not an error.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

if (unreadable === undefined)
  process.exitCode = await runProgram(process.argv, {
    environment: process.env,
    stdin: process.stdin,
    stdout: process.stdout,
    stderr: process.stderr,
    onStop: (stop) => {
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal))
    },
  })
else {
  process.stderr.write(`${unreadable}\n`)
  process.exitCode = 1
}

/** Why the file cannot be read; undefined if it was loaded or does not exist. */
function loadEnvFile(): string | undefined {
  try {
    if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)
    return undefined
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `The file ${ENV_FILE} in this folder cannot be read (${reason}). Give this user read access, or remove the file.`
  }
}

/**
 * Limits the young generation of the main thread's heap to 16 MB; V8 lets an import grow it to 64 MB. V8 reads the limit only
 * when it creates a heap, so `weft serve` and `weft work` replace their process by one with the option. The process ID stays
 * the same (decisions/0065).
 */
function limitYoungGeneration(): void {
  const option = '--max-semi-space-size'
  const given = [...process.execArgv, process.env['NODE_OPTIONS'] ?? '']
  if (given.some((text) => text.includes(option))) {
    // Threads have limits of their own, which the option would override.
    if (process.execArgv.includes(SEMI_SPACE)) setFlagsFromString(`${option}=0`)
    return
  }
  // A parent that sends messages would lose its channel. Windows cannot replace a process.
  if (!/^(serve|work)$/.test(process.argv[2] ?? '') || process.send || process.platform === 'win32')
    return
  const args = [process.execPath, SEMI_SPACE, ...process.execArgv, ...process.argv.slice(1)]
  try {
    process.execve?.(process.execPath, args)
  } catch {
    // The service runs with V8's own limit.
  }
}
