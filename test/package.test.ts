/** The npm package: packed from a copy of the tree, installed from the tarball into an empty folder, and run. */

import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createHome, serving, type Home } from './support/command-line.ts'
import { TEST_ENGINE } from './support/store.ts'
import { unchangedFiles } from './support/unchanged.ts'

const ROOT = fileURLToPath(new URL('../', import.meta.url))

/** The files that `npm pack` reads, besides installed packages. */
const PACKED_FROM = [
  'bin',
  'docs',
  'scripts',
  'src',
  'CHANGELOG.md',
  'LICENSE',
  'NOTICE',
  'README.md',
  'package.json',
  'tsconfig.build.json',
  'tsconfig.json',
]

const REQUIRED_FILES = [
  'bin/weft.js',
  'dist/main.js',
  'docs/running.md',
  'docs/running/configuration.md',
  'LICENSE',
  'NOTICE',
  'README.md',
  'package.json',
]

/** The word vectors of `src/embeddings/data` are 6.1 MB of it. */
const MAX_UNPACKED_BYTES = 12_500_000

const run = promisify(execFile)

/** The output of `npm pack --json`. */
interface Packed {
  readonly filename: string
  readonly version: string
  readonly unpackedSize: number
  readonly files: readonly { readonly path: string }[]
}

/** What the package is made of, besides the sources, which are compiled in every other test. */
const PACKAGE_FILES = [
  'bin',
  'scripts/build-package.ts',
  'package.json',
  'package-lock.json',
  'tsconfig.build.json',
  'tsconfig.json',
  'test/package.test.ts',
]

const onSqlite = {
  skip:
    (TEST_ENGINE !== 'sqlite' && 'for SQLite only: builds the npm package') ||
    unchangedFiles(PACKAGE_FILES),
}

describe('the npm package', onSqlite, () => {
  let folder: string
  let packed: Packed

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'weft-package-'))
    packed = await pack(folder)
  })
  after(() => rm(folder, { recursive: true, force: true }))

  test('contains the program and the documentation, no source or tests, in less than 12.5 MB', async () => {
    const paths = packed.files.map(({ path }) => path)
    assert.deepEqual(
      REQUIRED_FILES.filter((path) => !paths.includes(path)),
      [],
    )
    const data = (await readdir(join(ROOT, 'src'), { recursive: true, withFileTypes: true }))
      .filter((file) => file.isFile() && !/\.(?:ts|wat)$/.test(file.name))
      .map((file) => join('dist', relative(join(ROOT, 'src'), join(file.parentPath, file.name))))
    assert.deepEqual(
      data.filter((path) => !paths.includes(path)),
      [],
    )
    assert.deepEqual(paths.filter(isUnwanted), [])
    assert.ok(packed.unpackedSize < MAX_UNPACKED_BYTES, `${packed.unpackedSize} bytes`)
  })

  test('installs in an empty folder and runs there', async (t) => {
    const main = await install(folder, packed)
    if (main === undefined) return t.skip('the npm registry cannot be reached')
    await using home = await createHome({ WEFT_PORT: '0' }, { content: 'new', main })
    const version = await home.weft('--version')
    assert.deepEqual([version.code, version.stdout.trim()], [0, packed.version], version.stderr)
    await serves(home)
    await importsContacts(home)
  })
})

async function serves(home: Home): Promise<void> {
  const service = await serving(home)
  for (const path of ['/api/human/demo', '/', '/sign-in']) {
    const { status } = await fetch(new URL(path, service.url))
    assert.equal(status, 200, path)
  }
  if (process.platform === 'linux') {
    assert.match(await readFile(`/proc/${service.pid}/cmdline`, 'utf8'), /--max-semi-space-size=8/)
    assert.match(await readFile(`/proc/${service.pid}/environ`, 'utf8'), /MALLOC_ARENA_MAX=2/)
  }
  const ended = await service.stop('SIGTERM')
  assert.equal(ended.code, 0, ended.stderr)
}

/** Into the demo account, which the service has created. */
async function importsContacts(home: Home): Promise<void> {
  const file = join(home.folder, 'contacts.csv')
  await writeFile(file, 'First Name,Last Name,Email\nAda,Lovelace,ada@engines.example\n')
  const imported = await home.weft('import', file, '--member', 'demo')
  assert.equal(imported.code, 0, imported.stderr)
  assert.match(imported.stdout, /1 created, 0 updated/)
}

/** Packs a copy, because the build writes `dist/` and other tests read the checkout at the same time. */
async function pack(folder: string): Promise<Packed> {
  const tree = join(folder, 'tree')
  for (const path of PACKED_FROM) await cp(join(ROOT, path), join(tree, path), { recursive: true })
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'))
  const args = ['pack', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', args, { cwd: tree, maxBuffer: MAX_UNPACKED_BYTES })
  // Scripts that npm runs may print before the JSON.
  const [first] = JSON.parse(stdout.slice(stdout.indexOf('[\n'))) as Packed[]
  assert.ok(first, stdout)
  return first
}

function isUnwanted(path: string): boolean {
  return (
    /\.test\.|\.ts$|^(?:src|test|scripts|judges|bench|decisions)\//.test(path) ||
    /schema\.\w+\.sql$/.test(path)
  )
}

/** Errors of npm when it cannot reach the registry. */
const UNREACHABLE = /\b(ENOTFOUND|ECONNREFUSED|ECONNRESET|EAI_AGAIN|ETIMEDOUT|ENETUNREACH)\b/

/** The path of the program; undefined if the registry cannot be reached. */
async function install(folder: string, { filename }: Packed): Promise<string | undefined> {
  const prefix = join(folder, 'installed')
  // The optional packages are whole Node runtimes, which the process that runs this test does not need.
  const options = ['--omit=optional', '--no-audit', '--no-fund', '--prefer-offline']
  const args = ['install', '--prefix', prefix, ...options, join(folder, filename)]
  try {
    await run('npm', args, { cwd: folder })
  } catch (error) {
    if (UNREACHABLE.test(String(error))) return undefined
    throw error
  }
  return join(prefix, 'node_modules', 'weft', 'bin', 'weft.js')
}
