import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, normalize, relative } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

/** Each room stands on a floor and imports from its own room and from floors below; ARCHITECTURE.md draws the house. */
const FLOORS: Readonly<Record<string, number>> = {
  base: 0,
  db: 1,
  http: 1,
  html: 2,
  guards: 2,
  access: 2,
  credits: 2,
  tools: 3,
  embedder: 3,
  jobs: 4,
  members: 5,
  connections: 5,
  mcp: 5,
  oauth: 5,
  exports: 6,
  'sign-in': 6,
  sandbox: 6,
  batch: 6,
  discovery: 6,
  ask: 6,
  pages: 7,
  service: 8,
  cli: 9,
  'main.ts': 10,
}

const SRC = fileURLToPath(new URL('../src/', import.meta.url))

test('every room imports only from floors below its own', async () => {
  const wrong: string[] = []
  for (const { file, room, imports } of await readSources()) {
    const floor = FLOORS[room]
    assert.notEqual(floor, undefined, `${file} stands in a room without a floor: ${room}`)
    for (const target of imports) {
      const other = target.split('/', 1)[0] ?? ''
      const below = FLOORS[other]
      if (other !== room && (below === undefined || floor === undefined || below >= floor))
        wrong.push(`${file} (floor ${floor}) imports ${target} (floor ${below})`)
    }
  }
  assert.deepEqual(wrong, [])
})

test('only main.ts touches the process and its environment', async () => {
  const touching: string[] = []
  for (const { file, text } of await readSources())
    if (
      file !== 'main.ts' &&
      /\bprocess\.(env|argv|exit|exitCode|stdout|stderr|on|once)\b/.test(text)
    )
      touching.push(file)
  assert.deepEqual(touching, [])
})

test('no source is a drawer of odds and ends', async () => {
  const names = (await readSources()).map(({ file }) => file)
  assert.deepEqual(
    names.filter((name) =>
      /(^|\/)(utils?|helpers?|common|lib|misc|shared|index)(\.ts|\/)/.test(name),
    ),
    [],
  )
  assert.deepEqual(
    names.filter((name) => !/^[a-z0-9./-]+$/.test(name)),
    [],
  )
})

interface Source {
  readonly file: string
  readonly room: string
  readonly text: string
  /** Paths under src/ that it imports, statically or not. */
  readonly imports: readonly string[]
}

async function readSources(): Promise<Source[]> {
  const files = (await readdir(SRC, { recursive: true })).filter(
    (name) => name.endsWith('.ts') && !isTestOnly(name),
  )
  return Promise.all(
    files.map(async (name) => {
      const file = name.replaceAll('\\', '/')
      const text = await readFile(join(SRC, file), 'utf8')
      const imports = [...text.matchAll(/(?:from|import\(|import)\s*'(\.[^']+)'/g)].map(
        ([, path]) => relative(SRC, normalize(join(SRC, dirname(file), path ?? ''))),
      )
      return { file, room: file.split('/', 1)[0] ?? '', text, imports }
    }),
  )
}

/** Tests and what only they use may look anywhere. */
function isTestOnly(name: string): boolean {
  return name.endsWith('.test.ts') || name.includes('fixture')
}
