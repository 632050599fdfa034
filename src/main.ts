#!/usr/bin/env node
/** The executable: `weft <command>`. The only file that touches `process`. */

import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'

// Before anything else is imported: compiled code is kept between starts.
const { directory } = enableCompileCache()
// Threads read it from here; without it, a thread for searches would compile its modules in 85 ms more.
if (directory !== undefined) process.env['NODE_COMPILE_CACHE'] ??= directory

// A relative import names its file in full, so its URL is known. Node would look each of some 4,000 up on the disk, a
// quarter of the start; decisions/0015.
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

// `weft … | head` closes the pipe early: that is no failure worth a stack trace.
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

/** Why the settings in the file cannot be used; undefined where they are, or where there is no file. */
function loadEnvFile(): string | undefined {
  try {
    if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)
    return undefined
  } catch (error) {
    const reason = error instanceof Error && 'code' in error ? String(error.code) : String(error)
    return `The file ${ENV_FILE} in this folder cannot be read (${reason}). Let this user read it, or remove it.`
  }
}
