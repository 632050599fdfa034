#!/usr/bin/env node
/** The executable: `weft <command>`. The only file that touches `process`. */

import { existsSync } from 'node:fs'
import { enableCompileCache, registerHooks } from 'node:module'

// Before anything else is imported: compiled code is kept between starts.
enableCompileCache()

// A relative import names its file in full, so its URL is known. Node would look each of some 4,000 up on the disk, a
// quarter of the start; decisions/0015.
registerHooks({
  resolve(specifier, context, nextResolve) {
    const { parentURL } = context
    return parentURL !== undefined && /^\.\.?\/.*\.(ts|mjs)$/.test(specifier)
      ? { url: new URL(specifier, parentURL).href, shortCircuit: true }
      : nextResolve(specifier, context)
  },
})

const { runProgram } = await import('./cli/program.ts')

const ENV_FILE = '.env'
if (existsSync(ENV_FILE)) process.loadEnvFile(ENV_FILE)

// `weft … | head` closes the pipe early: that is no failure worth a stack trace.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

process.exitCode = await runProgram(process.argv, {
  environment: process.env,
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  onStop: (stop) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stop(signal))
  },
})
