/** The guides docs/contributing/adding-*.md, applied literally to one copy of the project: it type-checks, and its tests pass. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { globSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const ROOT = fileURLToPath(new URL('../', import.meta.url))
/** In the order in which their changes fit. */
const GUIDES = ['adding-a-tool.md', 'adding-a-noun.md', 'adding-a-page.md']

const COPIED = ['src', 'test', 'package.json', 'tsconfig.json']
const LINKED = ['bench', 'docs', 'node_modules', 'scripts']

/** Tests that fail if a guide forgets something. Those that the guides create run, too; the others take too long. */
const TESTS = [
  'src/connections/duplicates/moved-at-merge.test.ts',
  'src/exports/export-data.test.ts',
  'src/service/catalog.test.ts',
  'test/answer-shapes.test.ts',
  'test/model-mistakes.test.ts',
]

const run = promisify(execFile)

interface Block {
  readonly language: string
  readonly path: string
  readonly code: string
}

test('the steps of the guides produce three tools, a noun with undo and a page that type-check and work', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-page-'))
  try {
    for (const path of COPIED) await cp(join(ROOT, path), join(folder, path), { recursive: true })
    for (const path of LINKED) await symlink(join(ROOT, path), join(folder, path))
    const folderOfGuides = join(ROOT, 'docs/contributing')
    assert.deepEqual(globSync('adding-*.md', { cwd: folderOfGuides }).toSorted(), GUIDES.toSorted())
    const blocks: Block[] = []
    for (const guide of GUIDES)
      blocks.push(...blocksOf(await readFile(join(folderOfGuides, guide), 'utf8')))
    for (const block of blocks) await apply(block, folder)
    await Promise.all([typeCheck(folder, blocks), runTests(folder, blocks)])
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
})

/** The code blocks that name a file. */
function blocksOf(page: string): Block[] {
  const blocks = page.matchAll(/^```(ts|diff) (\S+)\n([^]*?)^```$/gm)
  const found = Array.from(blocks, ([, language = '', path = '', code = '']) => ({
    language,
    path,
    code,
  }))
  assert.ok(found.length > 5, `${found.length} blocks`)
  return found
}

/** A block of TypeScript is a new file; a diff changes the only place in its file that has its other lines. */
async function apply({ language, path, code }: Block, folder: string): Promise<void> {
  const file = join(folder, path)
  if (language === 'ts') {
    await mkdir(dirname(file), { recursive: true })
    return writeFile(file, code, { flag: 'wx' })
  }
  const lines = code.split('\n').slice(0, -1)
  const without = (mark: string) =>
    lines.filter((line) => !line.startsWith(mark)).map((line) => line.slice(1))
  const [before, after] = [without('+').join('\n'), without('-').join('\n')]
  const parts = (await readFile(file, 'utf8')).split(before)
  assert.equal(parts.length, 2, `${path} has these lines ${parts.length - 1} times:\n${before}`)
  await writeFile(file, parts.join(after))
}

async function typeCheck(folder: string, blocks: readonly Block[]): Promise<void> {
  const files = [...new Set(blocks.map(({ path }) => path))].filter((path) => path.endsWith('.ts'))
  const config = { extends: './tsconfig.json', files, include: [] }
  await writeFile(join(folder, 'tsconfig.page.json'), JSON.stringify(config))
  const tsc = join(ROOT, 'node_modules/.bin/tsc')
  await succeeds(folder, [tsc, '--noEmit', '--project', 'tsconfig.page.json'])
}

async function runTests(folder: string, blocks: readonly Block[]): Promise<void> {
  const created = blocks.map(({ path }) => path).filter((path) => path.endsWith('.test.ts'))
  const own = created.filter((path) => path.startsWith('src/'))
  // In one process, because each one would compile the copy again.
  await succeeds(folder, ['--test', '--test-isolation=none', ...new Set([...own, ...TESTS])])
}

/** @throws with the output of the program when it fails. */
async function succeeds(cwd: string, args: readonly string[]): Promise<void> {
  // The tests of the copy report to their own process.
  const env = { ...process.env, NODE_TEST_CONTEXT: undefined, WEFT_TEST_ENGINE: 'sqlite' }
  await run(process.execPath, args, { cwd, env }).catch((error: { stdout?: string }) => {
    assert.fail(`node ${args.join(' ')}\n${error.stdout}`)
  })
}
