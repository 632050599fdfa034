import assert from 'node:assert/strict'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { platform, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { umask } from 'node:process'
import { test } from 'node:test'
import { systemClock } from '../../../base/clock.ts'
import { openDatabase, type OpenedDatabase } from '../open.ts'
import { createPrivateFolder, tightenDatabaseFile } from './file-permissions.ts'

const WINDOWS = platform() === 'win32' && 'no POSIX permissions'

interface TestFolder extends AsyncDisposable {
  readonly path: string
}

async function createFolder(): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'weft-permissions-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) }
}

const open = (path: string): Promise<OpenedDatabase> =>
  openDatabase({ engine: 'sqlite', path }, { clock: systemClock, searchThreads: 1 })

const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)

test(
  'a folder that cannot be created is an error, not an endless loop',
  { skip: platform() !== 'linux' && 'only Linux has /proc' },
  () => assert.throws(() => createPrivateFolder('/proc/nope/data'), { code: 'ENOENT' }),
)

test(
  'only the owner can access a new database, its folders and its log files',
  { skip: WINDOWS && 'Windows has no POSIX permissions' },
  async () => {
    await using folder = await createFolder()
    const file = join(folder.path, 'some', 'data', 'weft.db')
    const before = umask(0)
    try {
      const { database, loose } = await open(file)
      await database.write(async () => {})
      assert.deepEqual(loose, [])
      for (const suffix of ['', '-wal', '-shm']) assert.equal(await modeOf(file + suffix), '600')
      assert.equal(await modeOf(dirname(file)), '700')
      assert.equal(await modeOf(join(folder.path, 'some')), '700')
      await database[Symbol.asyncDispose]()
    } finally {
      umask(before)
    }
  },
)

test(
  'files that others could open are restricted and reported; a folder with other files is unchanged',
  { skip: WINDOWS && 'Windows has no POSIX permissions' },
  async () => {
    await using folder = await createFolder()
    const own = join(folder.path, 'data')
    const file = join(own, 'weft.db')
    await (await open(file)).database[Symbol.asyncDispose]()
    await Promise.all([chmod(own, 0o755), chmod(file, 0o644)])
    const first = await open(file)
    await first.database[Symbol.asyncDispose]()
    assert.deepEqual(first.loose, [
      { path: own, mode: '755', isTightened: true },
      { path: file, mode: '644', isTightened: true },
    ])
    assert.deepEqual([await modeOf(own), await modeOf(file)], ['700', '600'])

    const shared = join(folder.path, 'shared')
    await mkdir(shared)
    await chmod(shared, 0o755)
    await writeFile(join(shared, 'letter.txt'), 'not of Weft')
    const second = await open(join(shared, 'weft.db'))
    await second.database[Symbol.asyncDispose]()
    assert.deepEqual(second.loose, [])
    assert.deepEqual([await modeOf(shared), await modeOf(join(shared, 'weft.db'))], ['755', '600'])
  },
)

test('a path that is not a file is left unchanged', { skip: WINDOWS }, async () => {
  await using folder = await createFolder()
  const path = join(folder.path, 'socket')
  await using server = createServer()
  server.listen({ path, readableAll: true, writableAll: true })
  await once(server, 'listening')
  await writeFile(join(folder.path, 'letter.txt'), 'not of Weft')
  const before = await modeOf(path)
  assert.deepEqual(tightenDatabaseFile(path), [])
  assert.equal(await modeOf(path), before)
})
