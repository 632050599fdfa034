/** Startup failures are reported in sentences, without a stack trace. */

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { chmod, chown, copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { getuid } from 'node:process'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { createHome, assertRejected, MAIN, outcome } from './support/command-line.ts'
import { runWeft, type Ran } from './support/in-process.ts'
import { withClient } from './support/postgres.ts'
import { TEST_ENGINE } from './support/store.ts'
import { onOneEngine } from './support/engine-options.ts'

/** A database that is not migrated. */
const NEW = { content: 'new' } as const

const LAUNCHER = fileURLToPath(new URL('../bin/weft.js', import.meta.url))
/** Makes Node report an older version to the scripts it runs. */
const OLD_NODE =
  'data:text/javascript,Object.defineProperty(process,"versions",{value:{...process.versions,node:"22.20.0"}})'
const SQLITE = { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' }
/** Root bypasses permissions, so the process then runs as an unprivileged user. */
const UNPRIVILEGED = getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {}

describe('a failing start', { concurrency: true }, () => {
  test(
    'with an old Node uses the one from the lockfile, or says which version is needed',
    onOneEngine,
    async () => {
      await using home = await createHome({}, NEW)
      const options = { cwd: home.folder, env: home.environment, stdio: PIPES } as const
      const bundled = await outcome(
        spawn(process.execPath, ['--import', OLD_NODE, LAUNCHER, 'migrate'], options),
      )
      assert.deepEqual([bundled.code, bundled.stderr], [0, ''])
      assert.match(bundled.stdout, /^applied /)

      const alone = join(home.folder, 'weft.mjs')
      await copyFile(LAUNCHER, alone)
      const ran = await outcome(
        spawn(process.execPath, ['--import', OLD_NODE, alone, 'serve'], options),
      )
      assertRejected(ran, 1, /^Weft needs Node 24\.11 or newer; this is Node 22\.20\.0\. Install/)
    },
  )

  test('the launcher runs the program', onOneEngine, async () => {
    await using home = await createHome({}, NEW)
    const ran = await outcome(
      spawn(process.execPath, [LAUNCHER, 'migrate'], {
        cwd: home.folder,
        env: home.environment,
        stdio: PIPES,
      }),
    )
    assert.deepEqual([ran.code, ran.stderr], [0, ''])
    assert.match(ran.stdout, /^applied /)
  })

  test('with a port in use or a foreign host says so before it opens the database', async () => {
    const taken = createServer().listen(0, '127.0.0.1')
    await once(taken, 'listening')
    const { port } = taken.address() as AddressInfo
    await using home = await createHome({ WEFT_PORT: String(port) }, NEW)
    const inUse = new RegExp(`^Port ${port} is in use[^]*WEFT_PORT`)
    assertRejected(await home.run('serve'), 1, inUse)
    const elsewhere = { ...home.environment, WEFT_HOST: '192.0.2.1' }
    const foreign = await runWeft(elsewhere, ['serve'])
    assertRejected(foreign, 1, /^WEFT_HOST is not an address of this machine/)
    taken.close()
    assert.match((await home.run('migrate')).stdout, /^applied 0001/, 'nothing was migrated before')
  })

  test(
    'with a file as the folder for backups says so before it opens the database',
    onOneEngine,
    async () => {
      await using home = await createHome({ WEFT_BACKUP_DIRECTORY: MAIN }, NEW)
      assertRejected(await home.run('serve'), 1, /^WEFT_BACKUP_DIRECTORY names a file: /)
      assert.match(
        (await home.run('migrate')).stdout,
        /^applied 0001/,
        'nothing was migrated before',
      )
    },
  )

  test('with a .env that cannot be read says so', onOneEngine, async () => {
    await using home = await createHome()
    await mkdir(join(home.folder, '.env'))
    assertRejected(
      await home.weft('migrate'),
      1,
      /^The file \.env in this folder cannot be read \(/,
    )
  })

  test('with a damaged, read-only or inaccessible SQLite file says so', SQLITE, async () => {
    await using home = await createHome()
    await home.run('migrate')
    const whole = await readFile(join(home.folder, 'weft.db'))
    const damaged = join(home.folder, 'damaged.db')
    await writeFile(damaged, whole.fill(0x55, 100, 8192))
    const migrate = (file: string) => runWeft({ WEFT_DATABASE: `sqlite:${file}` }, ['migrate'])
    assertRejected(await migrate(damaged), 1, /^The database file is damaged\./)
    assertRejected(await migrate(join(damaged, 'weft.db')), 1, /is a file, not a folder/)

    const folder = await mkdtemp(join(tmpdir(), 'weft-read-only-'))
    const path = join(folder, 'weft.db')
    await migrate(path)
    await chown(folder, UNPRIVILEGED.uid ?? -1, UNPRIVILEGED.gid ?? -1)
    await chmod(folder, 0o555)
    await chmod(path, 0o444)
    assertRejected(await asNobody('migrate', `sqlite:${path}`), 1, READ_ONLY)
    assertRejected(await asNobody('migrate', `sqlite:${join(folder, 'other.db')}`), 1, READ_ONLY)
    await chmod(folder, 0o755)
    await rm(folder, { recursive: true })
  })

  test(
    'with PostgreSQL without privileges, or read-only, says so',
    { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' },
    async () => {
      await using home = await createHome({}, NEW)
      const name = new URL(home.address).pathname.slice(1)
      const alter = (...statements: string[]) =>
        withClient(home.address, async (client) => {
          await client.query('set default_transaction_read_only = off')
          for (const statement of statements) await client.query(statement)
        })
      await alter(`alter database ${name} set default_transaction_read_only = on`)
      assertRejected(await home.run('migrate'), 1, /the PostgreSQL server is read-only/)
      await alter(
        `alter database ${name} reset default_transaction_read_only`,
        'revoke create on schema public from public, pg_database_owner',
      )
      const poor = await home.run('migrate')
      const denied =
        /^The role \w+ is not allowed to migrate the database: permission denied for .*\n.*alter database/
      assertRejected(poor, 1, denied)
    },
  )

  test(
    'an unexpected error is one sentence, and has a stack trace with the log level debug',
    SQLITE,
    async () => {
      await using home = await createHome()
      const broken = { WEFT_DATABASE: `sqlite:${home.folder}` }
      const debugging = await runWeft({ ...broken, WEFT_LOG_LEVEL: 'debug' }, ['migrate'])
      assert.match(debugging.stderr, /\n +at /)
      assertRejected(await runWeft(broken, ['migrate']), 1, /^.+ is a folder\. .+\.\n$/)
    },
  )
})

const PIPES: ['ignore', 'pipe', 'pipe'] = ['ignore', 'pipe', 'pipe']

const READ_ONLY =
  /^(The database is read-only|The database cannot be opened|This user cannot open or create)/

function asNobody(command: string, address: string): Promise<Ran> {
  const child = spawn(process.execPath, [MAIN, command], {
    cwd: tmpdir(),
    env: { WEFT_DATABASE: address, NODE_DISABLE_COMPILE_CACHE: '1' },
    stdio: PIPES,
    ...UNPRIVILEGED,
  })
  return outcome(child)
}
