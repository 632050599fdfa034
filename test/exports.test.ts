/** The export rules of `src/`: every export has an importer, and a name has one meaning. */

import assert from 'node:assert/strict'
import { readFile, readdir } from 'node:fs/promises'
import { dirname, join, normalize, relative, sep } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

interface Source {
  /** Relative to the project, with forward slashes. */
  readonly file: string
  readonly text: string
}

test('every export in src/ is imported by another file', async () => {
  const sources = await readSources(['src', 'test', 'bench', 'judges', 'scripts'])
  const used = new Set(sources.flatMap(importsOf))
  const unused = sources
    .filter(({ file }) => file.startsWith('src/'))
    .flatMap((source) => exportsOf(source).map((name) => `${source.file} ${name}`))
    .filter((name) => !used.has(name))
  assert.deepEqual([...new Set(unused)], [], 'remove the keyword `export` from these')
})

test('two files of src/ never export the same name for different things', async () => {
  const exporters = new Map<string, Set<string>>()
  for (const source of await readSources(['src'])) {
    // The two engines implement the same functions.
    if (source.file.startsWith('src/db/engines/')) continue
    for (const name of exportsOf(source))
      exporters.set(name, (exporters.get(name) ?? new Set()).add(source.file))
  }
  const duplicates = [...exporters].filter(([, files]) => files.size > 1)
  assert.deepEqual(
    duplicates.map(([name, files]) => `${name}: ${[...files].join(', ')}`),
    [],
  )
})

/** The names that a file declares with `export`. Re-exports are not declarations. */
function exportsOf({ text }: Source): string[] {
  const declaration =
    /^export\s+(?:async\s+)?(?:const|function\*?|class|interface|type)\s+([A-Za-z_$][\w$]*)/gm
  return [...text.matchAll(declaration)].map(([, name = '']) => name)
}

/** The names that a file imports or re-exports from other files, as `file name`. */
function importsOf({ file, text }: Source): string[] {
  const at = (path: string, name: string): string =>
    `${relative(ROOT, normalize(join(ROOT, dirname(file), path))).replaceAll(sep, '/')} ${name}`
  const named = [
    ...text.matchAll(/(?:import|export)\s+(?:type\s+)?\{([^}]*)\}\s*from\s*'(\.[^']+)'/g),
    ...text.matchAll(/\{([^{}]*)\}\s*=\s*await\s+import\('(\.[^']+)'\)/g),
  ].flatMap(([, list = '', path = '']) => namesIn(list).map((name) => at(path, name)))
  const members = [...text.matchAll(/\(await import\('(\.[^']+)'\)\)\.(\w+)/g)].map(
    ([, path = '', name = '']) => at(path, name),
  )
  // `await Promise.all([import('./a.ts'), import('./b.ts')])` with the names in the same order.
  const together = [
    ...text.matchAll(/\[((?:\s*\{[^{}]*\},?)+)\s*\]\s*=\s*await\s+Promise\.all\(\[([^\]]*)\]/g),
  ].flatMap(([, lists = '', imports = '']) => {
    const paths = [...imports.matchAll(/import\('(\.[^']+)'\)/g)].map(([, path = '']) => path)
    return [...lists.matchAll(/\{([^{}]*)\}/g)].flatMap(([, list = ''], index) =>
      namesIn(list).map((name) => at(paths[index] ?? '', name)),
    )
  })
  // A compute thread imports the functions of a computation by name.
  const computed = [...text.matchAll(/defineComputation\(import\.meta\.url, \{([^}]*)\}/g)].flatMap(
    ([, list = '']) => namesIn(list).map((name) => `${file} ${name}`),
  )
  return [...named, ...members, ...together, ...computed]
}

/** `a, type B, c as d, e: f` → `a`, `B`, `c`, `e`. */
function namesIn(list: string): string[] {
  return list
    .split(',')
    .map(
      (item) =>
        item
          .trim()
          .replace(/^type\s+/, '')
          .split(/\s+as\s+|\s*:\s*/, 1)[0] ?? '',
    )
    .filter((name) => name !== '')
}

async function readSources(folders: readonly string[]): Promise<Source[]> {
  const lists = await Promise.all(
    folders.map(async (folder) =>
      (await readdir(join(ROOT, folder), { recursive: true }))
        .map((name) => `${folder}/${name.replaceAll(sep, '/')}`)
        .filter((name) => name.endsWith('.ts') && !name.includes('/node_modules/')),
    ),
  )
  return Promise.all(
    lists.flat().map(async (file) => ({ file, text: await readFile(join(ROOT, file), 'utf8') })),
  )
}
