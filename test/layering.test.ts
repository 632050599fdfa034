/** The import rules of `src/`: layers between folders, no cycles, one file pattern per kind. */

import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** A folder imports from itself and from folders of lower layers. ARCHITECTURE.md explains the layers. */
const LAYERS: Readonly<Record<string, number>> = {
  base: 1,
  languages: 0,
  dates: 2,
  db: 3,
  http: 3,
  identity: 3,
  'contact-files': 4,
  search: 4,
  calendar: 5,
  html: 4,
  guards: 4,
  access: 4,
  outbox: 4,
  credits: 4,
  dav: 5,
  tools: 5,
  embeddings: 5,
  forms: 5,
  records: 6,
  jobs: 6,
  deliveries: 6,
  ui: 7,
  connections: 8,
  members: 9,
  mcp: 9,
  oauth: 9,
  exports: 10,
  imports: 10, // restores the profile of a member
  reminders: 10,
  'sign-in': 10,
  sandbox: 10,
  batch: 10,
  discovery: 10,
  ask: 10,
  'subscribed-books': 11, // starts imports
  email: 11, // sends what lower folders put into the outbox, with links of sign-in
  config: 12,
  acts: 13,
  pages: 14,
  operate: 15,
  service: 16,
  cli: 17,
  'main.ts': 18,
}

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

interface Source {
  /** Relative to `src/`, with forward slashes. */
  readonly file: string
  readonly text: string
  /** Files under `src/` that it imports, statically or dynamically, types included. */
  readonly imports: readonly string[]
}

test('a folder imports only from lower layers', async () => {
  const wrong: string[] = []
  for (const { file, imports } of await readSources()) {
    const layer = LAYERS[topFolder(file)]
    assert.notEqual(layer, undefined, `${file} is in a folder without a layer`)
    for (const target of imports) {
      const below = LAYERS[topFolder(target)]
      const isBelow = below !== undefined && layer !== undefined && below < layer
      if (topFolder(file) !== topFolder(target) && !isBelow)
        wrong.push(`${file} (layer ${layer}) imports ${target} (layer ${below})`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('no files import each other in a cycle, type imports included', async () => {
  const graph = new Map((await readSources()).map(({ file, imports }) => [file, new Set(imports)]))
  assert.deepEqual(findCycles(graph), [])
})

/** Files that may create clients of these packages, because their clients always have an error listener. */
const CLIENT_FACTORIES: Readonly<Record<string, string>> = {
  pg: 'db/engines/postgres/connection-pool.ts',
  '@redis/client': 'guards/shared-windows.ts',
}

test('connections to PostgreSQL and Redis are created where their errors are handled', async () => {
  const creating = /\b(Client|Pool|createClient|createPool|createCluster)\b/
  for (const [name, factory] of Object.entries(CLIENT_FACTORIES)) {
    const values = new RegExp(`import (?!type)([^'"()]*?) from '${name}'`, 'g')
    const files = (await readSources()).filter(({ text }) => {
      const named = [...text.matchAll(values)].map(([, names = '']) =>
        names.replaceAll(/\btype \w+/g, ''),
      )
      // A default or namespace import, and a dynamic one, give access to every export.
      const isWhole = named.some((names) => !/^\{[^}]*\}$/s.test(names.trim()))
      return (
        isWhole || named.some((names) => creating.test(names)) || text.includes(`import('${name}')`)
      )
    })
    assert.deepEqual(
      files.map(({ file }) => file),
      [factory],
    )
    const [{ text } = { text: '' }] = files
    assert.equal(text.match(/new (Pool|Client)\(|createClient\(/g)?.length, 1, factory)
  }
})

/** Files that start threads beside a `ThreadPool`, with what limits their number. */
const THREAD_STARTERS: Readonly<Record<string, string>> = {
  'db/engines/sqlite/search-threads.ts': 'KeyedSemaphore',
  // One for each database, and one for each command or sweep of the operator.
  'db/engines/sqlite/checkpoints.ts': '#thread',
  'db/engines/sqlite/copy-sqlite.ts': 'copySqlite',
  'db/engines/sqlite/erase.ts': 'vacuum',
}

/** Files that send requests without a permit of `OutgoingPool`, with what limits their number. */
const REQUEST_SENDERS: Readonly<Record<string, string>> = {
  // Its `fetchPublic` requires a permit.
  'http/public-fetch/public-fetch.ts': 'OutgoingPermit',
  'oauth/client-document.ts': 'fetchSlots',
  'sign-in/provider/provider.ts': 'KeyedSemaphore',
  'embeddings/endpoint-model.ts': 'KeyedSemaphore',
  // One email at a time, and commands of the operator.
  'email/smtp.ts': 'send',
  'operate/server-checks.ts': 'checkPublicUrl',
}

function startsThread(text: string): boolean {
  const pooled = /new ThreadPool(?:<\w+>)?\(\s*\(\) =>\s*new WorkerThread\(/g
  return /new Worker(Thread)?\(/.test(text.replaceAll(pooled, ''))
}

function sendsRequest(source: string): boolean {
  const text = source.replaceAll(/\btype \w+/g, '')
  return (
    /(?<![\w.])fetch(PublicJson)?\((?!\w+: )/.test(text) ||
    /import\('(node:)?(https?|http2|net|tls|undici|nodemailer|openid-client)'\)/.test(text) ||
    /import (?!type)[^'"]*\b(request|get|connect|createConnection|Socket|Agent|fetch)\b[^'"]*'(node:)?(https?|http2|net|tls|undici)'/.test(
      text,
    )
  )
}

test('every thread is in a pool, and every request to another server has a limit', async () => {
  const sources = await readSources()
  const others = (finds: (text: string) => boolean, known: Readonly<Record<string, string>>) =>
    sources
      .filter(({ file, text }) => {
        const limit = known[file]
        return limit === undefined ? finds(text) : !text.includes(limit)
      })
      .map(({ file }) => file)
  assert.deepEqual(others(startsThread, THREAD_STARTERS), ['base/concurrency/worker-thread.ts'])
  // Connections to the database.
  assert.deepEqual(others(sendsRequest, REQUEST_SENDERS), [
    'db/engines/postgres/connection-pool.ts',
  ])
  for (const text of ["new Worker('x')", "new WorkerThread(import.meta.url, './x')"])
    assert.ok(startsThread(text), text)
  for (const text of [
    'await fetch(url)',
    "await import('node:https')",
    "import { request } from 'node:http'",
    'fetchPublicJson(url, policy, limits)',
  ])
    assert.ok(sendsRequest(text), text)
  assert.ok(!startsThread('new ThreadPool<number>(() => new WorkerThread(url), options)'))
})

/**
 * The folder of a noun has three floors, and each imports only from itself and those below: records and operations; what agents
 * call (`*.tool.ts`, `*.resource.ts`, `*.prompt.ts`, `*.job.ts`); what people see (`*.page.ts`, `*.route.ts`).
 */
function floorOf(file: string): 1 | 2 | 3 {
  const kind = /\.([a-z]+)\.ts$/.exec(file)?.[1]
  if (kind === 'page' || kind === 'route') return 3
  return kind === undefined ? 1 : 2
}

function isOfNoun(file: string): boolean {
  return file.startsWith('connections/') && file !== 'connections/catalog.ts'
}

test('records know no tools, and only pages of nouns use html/, forms/ and ui/', async () => {
  const wrong = (await readSources())
    .filter(({ file }) => isOfNoun(file) && floorOf(file) < 3)
    .flatMap(({ file, imports }) =>
      imports
        .filter((target) =>
          isOfNoun(target)
            ? floorOf(target) > floorOf(file)
            : /^(html|forms|ui)\//.test(target) && !BELOW_PAGES.has(target),
        )
        .map((target) => `${file} imports ${target}`),
    )
  assert.deepEqual(wrong, [])
})

/** The paths of pages, and the check of what a query string holds. */
const BELOW_PAGES: ReadonlySet<string> = new Set(['html/site-map.ts', 'forms/field-errors.ts'])

/** A store reads and writes its tables. What callers give, and what tools return, is read and written elsewhere. */
test('stores import only the database, values and other records', async () => {
  const allowed =
    /^(base|dates|db|records|identity|calendar|contact-files|languages)\/|^connections\/(?!editing\/|person\/(connection-schemas|people-argument))|^tools\/(network-numbers|wake-reminders)\.ts$/
  const wrong = (await readSources())
    .filter(({ file }) => isOfNoun(file) && file.endsWith('-store.ts'))
    .flatMap(({ file, imports }) =>
      imports
        .filter((target) => !allowed.test(target))
        .map((target) => `${file} imports ${target}`),
    )
  assert.deepEqual(wrong, [])
})

test('no folders import each other in a cycle; the floors of a noun count as folders', async () => {
  const graph = new Map<string, Set<string>>()
  const folderOf = (file: string) =>
    isOfNoun(file) ? `${dirname(file)} ${floorOf(file)}` : dirname(file)
  for (const { file, imports } of await readSources()) {
    const folder = folderOf(file)
    const targets = graph.get(folder) ?? new Set()
    for (const target of imports.map(folderOf)) if (target !== folder) targets.add(target)
    graph.set(folder, targets)
  }
  assert.deepEqual(findCycles(graph), [])
})

test('the environment and signals of the process are read only in main.ts', async () => {
  const touching = (await readSources()).filter(
    ({ file, text }) =>
      file !== 'main.ts' &&
      /\bprocess\.(env|argv|exit|exitCode|stdin|stdout|stderr|on|once)\b/.test(text),
  )
  assert.deepEqual(
    touching.map(({ file }) => file),
    [],
  )
})

test('files are kebab-case, named for what they hold, and of one pattern per kind', async () => {
  const names = (await readSources()).map(({ file }) => file)
  const vague = /(^|\/)(utils?|helpers?|common|lib|misc|shared|index|routes|paths|parts|page)\.ts$/
  assert.deepEqual(
    names.filter((name) => vague.test(name) || !/^[a-z0-9./-]+$/.test(name)),
    [],
  )
  const kinds = new Set(['tool', 'route', 'page', 'job', 'prompt', 'resource'])
  const unknownKinds = names.filter((name) => {
    const kind = /\.([a-z]+)\.ts$/.exec(name)?.[1]
    return kind !== undefined && !kinds.has(kind)
  })
  assert.deepEqual(unknownKinds, [])
})

/** Names that a convention gives to a file of every feature. */
const CONVENTIONAL: ReadonlySet<string> = new Set(['catalog.ts', 'SKILL.md'])

test('a name of a file is used at most twice, and a folder has at most 25 files', async () => {
  const files = (await readdir(SRC, { recursive: true, withFileTypes: true })).filter(
    (entry) => entry.isFile() && !entry.name.endsWith('.test.ts'),
  )
  const byName = Map.groupBy(files, ({ name }) => name)
  const byFolder = Map.groupBy(files, ({ parentPath }) => relative(SRC, parentPath))
  assert.deepEqual(
    [...byName].filter(([name, all]) => !CONVENTIONAL.has(name) && all.length > 2),
    [],
  )
  assert.deepEqual(
    [...byFolder].flatMap(([folder, all]) => (all.length > 25 ? `${folder}: ${all.length}` : [])),
    [],
  )
})

test('test helpers live in test/', async () => {
  const names = (await readSources()).map(({ file }) => file)
  assert.deepEqual(
    names.filter((name) => /fixture|(^|\/)(mocks?|fakes?|stubs?)(\/|\.ts$)/.test(name)),
    [],
  )
})

function topFolder(file: string): string {
  return file.split('/', 1)[0] ?? ''
}

/** Groups of nodes that reach each other: strongly connected components of more than one node (Tarjan, 1972). */
function findCycles(graph: ReadonlyMap<string, ReadonlySet<string>>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const cycles: string[][] = []
  const visit = (node: string): number => {
    const index = order.size
    order.set(node, index)
    low.set(node, index)
    stack.push(node)
    for (const target of graph.get(node) ?? []) {
      if (!graph.has(target)) continue
      if (!order.has(target)) low.set(node, Math.min(low.get(node) ?? index, visit(target)))
      else if (stack.includes(target))
        low.set(node, Math.min(low.get(node) ?? index, order.get(target) ?? index))
    }
    if (low.get(node) === index) {
      const group = stack.splice(stack.indexOf(node))
      if (group.length > 1) cycles.push(group.sort())
    }
    return low.get(node) ?? index
  }
  for (const node of graph.keys()) if (!order.has(node)) visit(node)
  return cycles
}

async function readSources(): Promise<Source[]> {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !name.endsWith('.test.ts'),
  )
  return Promise.all(
    files.map(async (name) => {
      const file = name.replaceAll('\\', '/')
      const text = await readFile(join(SRC, file), 'utf8')
      const imports = [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+\.ts)'/g)].map(
        ([, path]) => relative(SRC, normalize(join(SRC, dirname(file), path ?? ''))),
      )
      return { file, text, imports }
    }),
  )
}
