#!/usr/bin/env node
/** The executable: `weft <command>`. The only file that touches `process`. */

import { codeOf } from './base/thrown.ts'
import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'
import { setFlagsFromString } from 'node:v8'

// On a machine with much memory, V8 lets the heap quadruple between full collections, and imports fill it with discarded rows.
// Growing by 40 % costs no measurable CPU time (decisions/0002).
setFlagsFromString('--heap-growing-percent=40')
// Started with --max-semi-space-size, which also overrides the limits of threads created later. They have their own
// (decisions/0002).
setFlagsFromString('--max-semi-space-size=0')

// Before anything else is imported, so that compiled code is cached between starts.
const { directory } = enableCompileCache()
// Threads read the folder from here. Without it, a search thread would spend another 85 ms compiling its modules.
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory

// A relative import names its file in full, so its URL is known. Otherwise Node would look up each of about 4,000
// imports on disk, which takes a quarter of the startup time (decisions/0005).
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
    const reason = codeOf(error) || String(error)
    return `The file ${ENV_FILE} in this folder cannot be read (${reason}). Give this user read access, or remove the file.`
  }
}
