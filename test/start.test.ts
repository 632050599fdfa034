import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { test } from 'node:test'
import { promisify } from 'node:util'

/** The packages that every start loads, at a cost in time and memory; decisions/0005. */
const AT_THE_START = [
  'commander',
  'cookie',
  'find-my-way',
  'intl-messageformat',
  'pino',
  'structured-headers',
]

/** The dependencies of intl-messageformat, which pages use while they are rendered. */
const OF_MESSAGES = [
  '@formatjs/fast-memoize',
  '@formatjs/icu-messageformat-parser',
  '@formatjs/icu-skeleton-parser',
]

/** The dependencies of find-my-way. */
const OF_THE_ROUTER = [
  'fast-decode-uri-component',
  'fast-deep-equal',
  'fast-querystring',
  'ret',
  'safe-regex2',
]

/** The dependencies of pino. */
const OF_PINO = [
  '@pinojs/redact',
  'atomic-sleep',
  'on-exit-leak-free',
  'pino-abstract-transport',
  'pino-std-serializers',
  'quick-format-unescaped',
  'safe-stable-stringify',
  'sonic-boom',
  'thread-stream',
]

const [PROGRAM, SERVE] = ['program', 'serve'].map(
  (name) => new URL(`../src/cli/${name}.ts`, import.meta.url).href,
)

/** Prints the packages that `weft serve` imports, the clients and protocols of Node that these load, and the data files. */
const LISTING = `
  import fs from 'node:fs'
  import { registerHooks, syncBuiltinESMExports } from 'node:module'
  const { readFileSync } = fs
  const dataFiles = []
  fs.readFileSync = (file, ...options) => {
    if (/\\/data\\/[^/]+$/.test(String(file))) dataFiles.push(String(file))
    return readFileSync(file, ...options)
  }
  syncBuiltinESMExports()
  const packages = new Set()
  registerHooks({
    load(url, context, nextLoad) {
      const name = /^.*\\/node_modules\\/((?:@[^/]+\\/)?[^/]+)/.exec(url)?.[1]
      if (name) packages.add(name)
      return nextLoad(url, context)
    },
  })
  await import(${JSON.stringify(PROGRAM)})
  await import(${JSON.stringify(SERVE)})
  const builtins = process.moduleLoadList.filter((name) => /undici\\/undici|_tls_wrap|http2/.test(name))
  console.log(JSON.stringify({ packages: [...packages].sort(), builtins, dataFiles }))
`

interface Loaded {
  readonly packages: string[]
  readonly builtins: string[]
  readonly dataFiles: string[]
}

async function loadedByServe(): Promise<Loaded> {
  const args = ['--input-type=module', '--eval', LISTING]
  const { stdout } = await promisify(execFile)(process.execPath, args)
  return JSON.parse(stdout) as Loaded
}

test('startup loads no package and no data file that only some requests need', async () => {
  const { packages, builtins, dataFiles } = await loadedByServe()
  const known = new Set([...AT_THE_START, ...OF_MESSAGES, ...OF_THE_ROUTER, ...OF_PINO])
  assert.deepEqual(
    packages.filter((name) => !known.has(name)),
    [],
    'import it where it is needed, as src/http/body/multipart-form.ts does',
  )
  assert.deepEqual(builtins, [], 'see how src/http/server.ts imports node:http')
  assert.deepEqual(dataFiles, [], 'read it on first use, with lazy of src/base/lazy.ts')
})
