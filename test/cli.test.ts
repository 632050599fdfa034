/** The command line as people and scripts use it: real processes, their output, exit codes and signals. */

import assert from 'node:assert/strict'
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { freePort } from './support/service.ts'
import { createPlace } from './support/store.ts'

const MAIN = fileURLToPath(new URL('../src/main.ts', import.meta.url))

/** What LinkedIn exports, with its notes before the table. */
const CONNECTIONS = `Notes:
"When exporting your connection data, you may notice that some of the email addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
Grace,Hopper,https://www.linkedin.com/in/grace-hopper,grace@example.org,US Navy,Rear Admiral,12 Mar 2024
Alan,Turing,https://www.linkedin.com/in/alan-turing,,Bletchley Park,Codebreaker,01 Feb 2023
,,,,,,
`

interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

interface Home extends AsyncDisposable {
  readonly folder: string
  weft(...args: string[]): Promise<Ran>
  start(args: readonly string[], environment?: Environment): ChildProcess
}

type Environment = Readonly<Record<string, string>>

/** A folder with a database of its own, where no `.env` of the developer is read. */
async function createHome(settings: Environment = {}): Promise<Home> {
  const place = await createPlace('new')
  const { folder } = place
  const env = { WEFT_DATABASE: place.address, ...settings }
  const start = (args: readonly string[], more: Environment = {}) =>
    spawn(process.execPath, [MAIN, ...args], {
      cwd: folder,
      env: { ...env, ...more },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
  return {
    folder,
    start,
    weft: (...args) => outcome(start(args)),
    [Symbol.asyncDispose]: () => place[Symbol.asyncDispose](),
  }
}

async function outcome(child: ChildProcess): Promise<Ran> {
  const { stdout, stderr } = child
  assert.ok(stdout && stderr)
  const [out, err, [code]] = await Promise.all([
    text(stdout),
    text(stderr),
    once(child, 'close') as Promise<[number | null]>,
  ])
  return { code, stdout: out, stderr: err }
}

/** Refused in words, without the inside of the program. */
function isRefusal(ran: Ran, code: 1 | 2, sentence: RegExp): void {
  assert.deepEqual([ran.code, ran.stdout], [code, ''], ran.stderr)
  assert.match(ran.stderr, sentence)
  assert.doesNotMatch(ran.stderr, /^ +at |node:internal|\.ts:\d/m)
}

const CREATE_ADA = ['member', 'create', '--username', 'ada', '--name', 'Ada Lovelace']

// Processes take their time to start: the tests run beside each other, each in a home of its own.
describe('weft', { concurrency: true }, () => {
  test('member create makes a member once; what is wrong is a sentence', async () => {
    await using home = await createHome()
    const made = await home.weft(...CREATE_ADA)
    assert.deepEqual([made.code, made.stdout], [0, ''])
    assert.match(made.stderr, /Made Ada Lovelace: http:\/\/.*\/api\/human\/ada\n/)
    const [again, shape, missing, unknown] = await Promise.all([
      home.weft(...CREATE_ADA),
      home.weft('member', 'create', '--username', 'not a name', '--name', 'X'),
      home.weft('member', 'create', '--username', 'grace'),
      home.weft(...CREATE_ADA, '--colour', 'red'),
    ])
    isRefusal(again, 1, /The username “ada” is taken\./)
    isRefusal(shape, 1, /username/)
    isRefusal(missing, 2, /required option '--name <name>'/)
    isRefusal(unknown, 2, /unknown option '--colour'/)
    const list = await home.weft('member', 'list', '--json')
    assert.equal((JSON.parse(list.stdout) as { username: string }).username, 'ada')
  })

  test('token create prints the token alone; list hides it, revoke ends it', async () => {
    await using home = await createHome()
    await home.weft(...CREATE_ADA)
    const created = await home.weft('token', 'create', '--member', 'ada', '--name', 'ci')
    assert.match(created.stdout, /^weft_pat_[0-9A-Za-z]+\n$/)
    assert.deepEqual([created.code, created.stderr], [0, ''])
    const token = created.stdout.trim()
    const [listed, twice, days] = await Promise.all([
      home.weft('token', 'list', '--member', 'ada'),
      home.weft('token', 'create', '--member', 'ada', '--name', 'ci'),
      home.weft('token', 'create', '--member', 'ada', '--name', 'x', '--days', 'many'),
    ])
    assert.match(listed.stdout, /^NAME .*\nci /)
    assert.ok(!listed.stdout.includes(token))
    isRefusal(twice, 1, /already a token named “ci”/)
    isRefusal(days, 2, /whole number of days/)
    const revoked = await home.weft('token', 'revoke', 'ci', '--member', 'ada')
    assert.deepEqual([revoked.code, revoked.stderr], [0, 'Revoked ci.\n'])
    const [gone, none] = await Promise.all([
      home.weft('token', 'revoke', 'ci', '--member', 'ada'),
      home.weft('token', 'list', '--member', 'ada'),
    ])
    isRefusal(gone, 1, /no live token/)
    assert.deepEqual([none.code, none.stdout], [0, ''])
  })

  test('member export writes one zip file, which can be imported, and nothing over another', async () => {
    await using home = await createHome()
    await home.weft(...CREATE_ADA)
    await writeFile(join(home.folder, 'Connections.csv'), CONNECTIONS)
    await home.weft('import', join(home.folder, 'Connections.csv'), '--member', 'ada')
    const zip = join(home.folder, 'ada.zip')
    const written = await home.weft('member', 'export', 'ada', '--to', zip)
    assert.deepEqual([written.code, written.stdout, written.stderr], [0, `${zip}\n`, ''])
    assert.equal((await stat(zip)).mode & 0o077, 0)
    const [known, twice, nowhere, nobody] = await Promise.all([
      home.weft('import', zip, '--member', 'ada', '--json'),
      home.weft('member', 'export', 'ada', '--to', zip),
      home.weft('member', 'export', 'ada', '--to', join(home.folder, 'none', 'ada.zip')),
      home.weft('member', 'export', 'grace'),
    ])
    const { rows, unchanged } = JSON.parse(known.stdout) as { rows: number; unchanged: number }
    assert.ok(rows > 0)
    assert.equal(unchanged, rows)
    isRefusal(twice, 1, /There is a file .*ada\.zip already\./)
    isRefusal(nowhere, 1, /cannot be written here/)
    isRefusal(nobody, 1, /grace/)
  })

  test('import reads a file with a report; the same file again changes nothing', async () => {
    await using home = await createHome()
    await home.weft(...CREATE_ADA)
    const file = join(home.folder, 'Connections.csv')
    await writeFile(file, CONNECTIONS)
    const first = await home.weft('import', file, '--member', 'ada')
    assert.deepEqual([first.code, first.stderr], [0, ''])
    assert.match(first.stdout, /^linkedin: \d rows read\n {2}2 created, 0 updated, 0 unchanged, /)
    const again = await home.weft('import', 'Connections.csv', '--member', 'ada', '--json')
    const { created, updated, unchanged, rejected_count } = JSON.parse(again.stdout) as Record<
      string,
      number
    >
    assert.deepEqual([created, updated, unchanged, rejected_count], [0, 0, 2, 0])
  })

  test('import refuses what is no contact file in one sentence', async () => {
    await using home = await createHome()
    await home.weft(...CREATE_ADA)
    const garbage = join(home.folder, 'garbage.csv')
    await writeFile(garbage, Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0xfe, 1, 2, 3]))
    await writeFile(join(home.folder, 'empty.csv'), '')
    const [missing, folder, pdf, empty, nobody] = await Promise.all([
      home.weft('import', 'nowhere.csv', '--member', 'ada'),
      home.weft('import', home.folder, '--member', 'ada'),
      home.weft('import', garbage, '--member', 'ada'),
      home.weft('import', 'empty.csv', '--member', 'ada'),
      home.weft('import', garbage, '--member', 'nobody'),
    ])
    isRefusal(missing, 1, /^There is no file nowhere\.csv\.\n$/)
    isRefusal(folder, 1, /is not a file\.\n$/)
    isRefusal(pdf, 1, /^[A-Z].*\.\n/)
    isRefusal(empty, 1, /^The file is empty\.\n$/)
    isRefusal(nobody, 1, /nobody/)
  })

  test('every mistake in the configuration is named at once', async () => {
    await using home = await createHome({
      WEFT_DATABASE: 'mysql://x',
      WEFT_PORT: '99999',
      WEFT_PUBLIC_URL: 'weft.example/path',
      WEFT_LOG_LEVEL: 'loud',
      WEFT_MONTHY_CREDITS: '5',
    })
    for (const command of [['serve'], ['member', 'list']]) {
      const ran = await home.weft(...command)
      isRefusal(ran, 1, /^The configuration has 5 mistakes:\n/)
      for (const name of ['DATABASE', 'PORT', 'PUBLIC_URL', 'LOG_LEVEL'])
        assert.match(ran.stderr, new RegExp(`^ {2}- WEFT_${name} must be `, 'm'))
      assert.match(ran.stderr, /WEFT_MONTHY_CREDITS is not a setting .* WEFT_MONTHLY_CREDITS\?/)
    }
  })

  test('a database that cannot be opened is a sentence', async () => {
    await using home = await createHome()
    await writeFile(join(home.folder, 'weft.db'), 'this is no database'.repeat(1000))
    const migrate = (address: string) =>
      outcome(home.start(['migrate'], { WEFT_DATABASE: address }))
    const [file, folder, nobody] = await Promise.all([
      migrate('sqlite:weft.db'),
      migrate(`sqlite:${home.folder}`),
      migrate('postgres://weft:secret@127.0.0.1:1/weft'),
    ])
    isRefusal(file, 1, /^WEFT_DATABASE names a file that is not an SQLite database\.\n$/)
    isRefusal(folder, 1, /^The database cannot be opened/)
    isRefusal(nobody, 1, /^The PostgreSQL database cannot be opened: [^]*Check WEFT_DATABASE/)
    assert.doesNotMatch(nobody.stderr, /secret/)
  })

  test('serve says where it listens, stops on SIGTERM, and a second start has everything', async () => {
    const port = await freePort()
    await using home = await createHome({ WEFT_PORT: String(port) })
    const first = await serving(home)
    assert.equal(first.url, `http://localhost:${port}`)
    assert.match(first.said, /migration\(s\) applied[^]*200 invented people was made/)
    assert.equal((await home.weft(...CREATE_ADA)).code, 0, 'beside the running service')
    assert.equal((await fetch(`${first.url}/api/human/ada`)).status, 200)
    isRefusal(await home.weft('serve'), 1, /^The port is in use/)
    assert.equal((await first.stop('SIGTERM')).code, 0)
    const second = await serving(home)
    assert.doesNotMatch(second.said, /applied|was made/)
    for (const name of ['ada', 'demo'])
      assert.equal((await fetch(`${second.url}/api/human/${name}`)).status, 200)
    assert.equal((await second.stop('SIGINT')).code, 0)
  })

  test('serve on port 0 takes a free port and says which', async () => {
    await using home = await createHome({ WEFT_PORT: '0' })
    const running = await serving(home)
    assert.doesNotMatch(running.url, /:0$/)
    assert.equal((await fetch(`${running.url}/api/human/demo`)).status, 200)
    assert.equal((await running.stop('SIGTERM')).code, 0)
  })

  test('processes that migrate at the same time migrate once', async () => {
    await using home = await createHome()
    const ran = await Promise.all([1, 2, 3].map(() => home.weft('migrate')))
    for (const { code, stderr } of ran) assert.deepEqual([code, stderr], [0, ''])
    const applied = ran.filter(({ stdout }) => stdout.startsWith('applied '))
    assert.equal(applied.length, 1, JSON.stringify(ran))
    assert.equal((await home.weft('migrate')).stdout, 'The schema is up to date.\n')
  })

  test('help goes to standard output with 0; no command is 2', async () => {
    await using home = await createHome()
    const [help, none] = await Promise.all([home.weft('--help'), home.weft()])
    assert.deepEqual([help.code, help.stderr], [0, ''])
    assert.match(help.stdout, /serve[^]*migrate[^]*member[^]*token[^]*import/)
    assert.equal(none.code, 2)
  })
})

interface Serving {
  readonly url: string
  /** What it said by the time it listened. */
  readonly said: string
  stop(signal: NodeJS.Signals): Promise<Ran>
}

async function serving(home: Home): Promise<Serving> {
  const child = home.start(['serve'])
  const ended = outcome(child)
  let said = ''
  const url = await new Promise<string>((resolve, reject) => {
    child.stdout?.on('data', (chunk) => {
      said += String(chunk)
      const found = /listens on (\S+)[^]*Stop with/.exec(said)?.[1]
      if (found !== undefined) resolve(found)
    })
    child.once('exit', (code) => reject(new Error(`serve ended with ${code}: ${said}`)))
  })
  return {
    url,
    said,
    stop(signal) {
      child.kill(signal)
      return ended
    },
  }
}
