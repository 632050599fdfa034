/**
 * The command line as people and scripts use it: output, exit codes and signals. Commands run in this process, unless the
 * test is about processes, because a process takes 0.4 s of CPU time to start.
 */

import assert from 'node:assert/strict'
import { stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { freePort } from './support/free-port.ts'
import { createHome, assertRejected, serving, servingHere } from './support/command-line.ts'
import { runWeft } from './support/in-process.ts'
import { onOneEngine } from './support/engine-options.ts'

/** What LinkedIn exports, with its notes before the table. */
const CONNECTIONS = `Notes:
"When exporting your connection data, you may notice that some of the email addresses are missing."

First Name,Last Name,URL,Email Address,Company,Position,Connected On
Grace,Hopper,https://www.linkedin.com/in/grace-hopper,grace@example.org,US Navy,Rear Admiral,12 Mar 2024
Alan,Turing,https://www.linkedin.com/in/alan-turing,,Bletchley Park,Codebreaker,01 Feb 2023
,,,,,,
`

/** A database that is not migrated. */
const NEW = { content: 'new' } as const

const CREATE_ADA = ['member', 'create', '--username', 'ada', '--name', 'Ada Lovelace']

// Processes are slow to start, so the tests run concurrently, each in its own home folder.
describe('weft', { concurrency: true }, () => {
  test('member create creates a member once; errors are one sentence', async () => {
    await using home = await createHome()
    const made = await home.run(...CREATE_ADA)
    assert.deepEqual([made.code, made.stdout], [0, ''])
    assert.match(made.stderr, /Created Ada Lovelace: http:\/\/.*\/api\/human\/ada\n/)
    const [again, shape, missing, unknown] = await Promise.all([
      home.run(...CREATE_ADA),
      home.run('member', 'create', '--username', 'not a name', '--name', 'X'),
      home.run('member', 'create', '--username', 'grace'),
      home.run(...CREATE_ADA, '--color', 'red'),
    ])
    assertRejected(again, 1, /The username “ada” is taken\./)
    assertRejected(shape, 1, /username/)
    assertRejected(missing, 2, /required option '--name <name>'/)
    assertRejected(unknown, 2, /unknown option '--color'/)
    const list = await home.run('member', 'list', '--json')
    assert.equal((JSON.parse(list.stdout) as { username: string }).username, 'ada')
  })

  test('token create prints only the token; list hides it, and revoke revokes it', async () => {
    await using home = await createHome()
    await home.run(...CREATE_ADA)
    const created = await home.run('token', 'create', '--member', 'ada', '--name', 'ci')
    assert.match(created.stdout, /^weft_pat_[0-9A-Za-z]+\n$/)
    assert.deepEqual([created.code, created.stderr], [0, ''])
    const token = created.stdout.trim()
    const [listed, twice, days] = await Promise.all([
      home.run('token', 'list', '--member', 'ada'),
      home.run('token', 'create', '--member', 'ada', '--name', 'ci'),
      home.run('token', 'create', '--member', 'ada', '--name', 'x', '--days', 'many'),
    ])
    assert.match(listed.stdout, /^ID +NAME .*\ntok_\S+ +ci /)
    assert.ok(!listed.stdout.includes(token))
    assertRejected(twice, 1, /A token named “ci” already exists/)
    assertRejected(days, 2, /whole number of days/)
    const revoked = await home.run('token', 'revoke', 'ci', '--member', 'ada')
    assert.deepEqual([revoked.code, revoked.stderr], [0, 'Revoked ci.\n'])
    const [gone, none] = await Promise.all([
      home.run('token', 'revoke', 'ci', '--member', 'ada'),
      home.run('token', 'list', '--member', 'ada'),
    ])
    assertRejected(gone, 1, /no active token/)
    assert.deepEqual([none.code, none.stdout], [0, ''])
  })

  test(
    'member export writes one zip file, which can be imported, and never overwrites a file',
    onOneEngine,
    async () => {
      await using home = await createHome()
      await home.run(...CREATE_ADA)
      await writeFile(join(home.folder, 'Connections.csv'), CONNECTIONS)
      await home.run('import', join(home.folder, 'Connections.csv'), '--member', 'ada')
      const zip = join(home.folder, 'ada.zip')
      const written = await home.run('member', 'export', 'ada', '--to', zip)
      assert.deepEqual([written.code, written.stdout, written.stderr], [0, `${zip}\n`, ''])
      assert.equal((await stat(zip)).mode & 0o077, 0)
      const [known, twice, nowhere, unknown] = await Promise.all([
        home.run('import', zip, '--member', 'ada', '--json'),
        home.run('member', 'export', 'ada', '--to', zip),
        home.run('member', 'export', 'ada', '--to', join(home.folder, 'none', 'ada.zip')),
        home.run('member', 'export', 'grace'),
      ])
      const { rows, unchanged } = JSON.parse(known.stdout) as { rows: number; unchanged: number }
      assert.ok(rows > 0)
      assert.equal(unchanged, rows)
      assertRejected(twice, 1, /ada\.zip already exists\./)
      assertRejected(nowhere, 1, /cannot be written \(ENOENT\)/)
      assertRejected(unknown, 1, /grace/)
    },
  )

  test('import reads a file with a report; the same file again changes nothing', async () => {
    await using home = await createHome()
    await home.run(...CREATE_ADA)
    const file = join(home.folder, 'Connections.csv')
    await writeFile(file, CONNECTIONS)
    const first = await home.run('import', file, '--member', 'ada')
    assert.deepEqual([first.code, first.stderr], [0, ''])
    assert.match(first.stdout, /^linkedin: \d rows read\n {2}2 created, 0 updated, 0 unchanged, /)
    const again = await home.weft('import', 'Connections.csv', '--member', 'ada', '--json')
    const { created, updated, unchanged, rejected_count } = JSON.parse(again.stdout) as Record<
      string,
      number
    >
    assert.deepEqual([created, updated, unchanged, rejected_count], [0, 0, 2, 0])
    const namesakes = join(home.folder, 'namesakes.csv')
    await writeFile(
      namesakes,
      'First Name,Last Name,Company,Position,Connected On\nAnn,Lee,Acme,Clerk,\nAnn,Lee,Acme,Boss,\n',
    )
    const unsure = await home.run('import', namesakes, '--member', 'ada')
    assert.match(
      unsure.stdout,
      / {2}1 of the created may already be in the network\. Review them under Duplicates\./,
    )
  })

  test('import rejects files that hold no contacts in one sentence', onOneEngine, async () => {
    await using home = await createHome()
    await home.run(...CREATE_ADA)
    const garbage = join(home.folder, 'garbage.csv')
    await writeFile(garbage, Buffer.from([0x25, 0x50, 0x44, 0x46, 0, 0xff, 0xfe, 1, 2, 3]))
    await writeFile(join(home.folder, 'empty.csv'), '')
    const [missing, folder, pdf, unknown] = await Promise.all([
      home.run('import', 'nowhere.csv', '--member', 'ada'),
      home.run('import', home.folder, '--member', 'ada'),
      home.run('import', garbage, '--member', 'ada'),
      home.run('import', garbage, '--member', 'nobody'),
    ])
    // A member has one import at a time.
    const empty = await home.run('import', join(home.folder, 'empty.csv'), '--member', 'ada')
    assertRejected(missing, 1, /^nowhere\.csv does not exist\. Check the path\.\n$/)
    assertRejected(folder, 1, /is not a file\./)
    assertRejected(pdf, 1, /^This is a PDF, not a list of contacts\. Export your contacts as CSV/)
    assertRejected(empty, 1, /^The file is empty\.\n$/)
    assertRejected(unknown, 1, /nobody/) // prose-ok: a username
  })

  test('all configuration errors are reported together', onOneEngine, async () => {
    await using home = await createHome({
      WEFT_DATABASE: 'mysql://x',
      WEFT_PORT: '99999',
      WEFT_PUBLIC_URL: 'weft.example/path',
      WEFT_LOG_LEVEL: 'loud',
      WEFT_MONTHY_CREDITS: '5',
    })
    for (const command of [['serve'], ['member', 'list']]) {
      const ran = await home.run(...command)
      assertRejected(ran, 1, /^The configuration has 5 problems:\n/)
      for (const name of ['DATABASE', 'PORT', 'PUBLIC_URL', 'LOG_LEVEL'])
        assert.match(ran.stderr, new RegExp(`^ {2}- WEFT_${name} must be `, 'm'))
      assert.match(ran.stderr, /WEFT_MONTHY_CREDITS is not a setting .* WEFT_MONTHLY_CREDITS\?/)
    }
  })

  test('a database that cannot be opened is reported in one sentence', async () => {
    await using home = await createHome()
    await writeFile(join(home.folder, 'weft.db'), 'this is no database'.repeat(1000))
    const migrate = (address: string) => runWeft({ WEFT_DATABASE: address }, ['migrate'])
    const [file, folder, unreachable] = await Promise.all([
      migrate(`sqlite:${join(home.folder, 'weft.db')}`),
      migrate(`sqlite:${home.folder}`),
      migrate('postgres://weft:secret@127.0.0.1:1/weft'),
    ])
    assertRejected(file, 1, /^The file in WEFT_DATABASE is not an SQLite database\./)
    assertRejected(folder, 1, /is a folder\./)
    assertRejected(
      unreachable,
      1,
      /^Cannot open the PostgreSQL database: [^]*Check that WEFT_DATABASE/,
    )
    assert.doesNotMatch(unreachable.stderr, /secret/)
  })

  test('serve prints its URL, stops on SIGTERM, and keeps its data for the next start', async () => {
    const port = await freePort()
    await using home = await createHome({ WEFT_PORT: String(port) }, NEW)
    const first = await serving(home)
    assert.equal(first.url, `http://localhost:${port}`)
    assert.match(first.said, /migrations? applied[^]*created an account with 200 invented people/)
    assert.equal((await home.run(...CREATE_ADA)).code, 0, 'beside the running service')
    assert.equal((await fetch(`${first.url}/api/human/ada`)).status, 200)
    assertRejected(await home.run('serve'), 1, /^Port \d+ is in use/)
    assert.equal((await first.stop('SIGTERM')).code, 0)
    const second = await serving(home)
    assert.doesNotMatch(second.said, /applied|was created/)
    for (const name of ['ada', 'demo'])
      assert.equal((await fetch(`${second.url}/api/human/${name}`)).status, 200)
    assert.equal((await second.stop('SIGINT')).code, 0)
  })

  test(
    'creating the first member and the next start print how to make them an admin',
    onOneEngine,
    async () => {
      await using home = await createHome({ WEFT_PORT: '0' })
      const first = await home.run(...CREATE_ADA)
      assert.match(
        first.stderr,
        /Ada Lovelace is the first member\. [^]*No member is an admin yet[^]*member promote ada\n/,
      )
      const grace = ['member', 'create', '--username', 'grace', '--name', 'Grace', '--admin']
      assert.doesNotMatch((await home.run(...grace)).stderr, /first member|admin yet/)
      assert.match(first.stderr, /^ {2}weft member reset-link ada$/m)
      await using checkout = await createHome({ npm_lifecycle_event: 'weft' })
      const { stderr } = await checkout.run(...CREATE_ADA)
      assert.match(stderr, /^ {2}npm run -s weft -- member reset-link ada$/m)
      await home.run('member', 'delete', 'grace', '--yes')

      const without = await servingHere(home)
      assert.match(without.said, /No member is an admin yet[^]*member promote NAME/)
      await without.stop('SIGTERM')
      await home.run('member', 'promote', 'ada')
      const withAdmin = await servingHere(home)
      assert.doesNotMatch(withAdmin.said, /admin/)
      await withAdmin.stop('SIGTERM')
    },
  )

  test('reviewer prepares an account with people, once, and prints what a form asks for', async () => {
    await using home = await createHome({ WEFT_PUBLIC_URL: 'https://weft.example.org' })
    const made = await home.run('reviewer')
    assert.equal(made.code, 0)
    assert.match(made.stdout, /^Server URL: https:\/\/weft\.example\.org\/mcp /)
    assert.match(made.stdout, /^Password: {3}[0-9A-Za-z]{24}$/m)
    assert.match(made.stderr, /weft member disable reviewer/)
    const shown = await home.run('member', 'show', 'reviewer', '--json')
    assert.match(shown.stdout, /"connections": ?201\b/)
    assertRejected(await home.run('reviewer'), 1, /The username “reviewer” is taken\./)
  })

  test('a deleted demo account stays deleted until it is requested', async () => {
    await using home = await createHome({ WEFT_PORT: '0' })
    assert.equal((await home.run('demo', 'seed')).stderr, 'Created the demo account.\n')
    const deleted = await home.run('member', 'delete', 'demo', '--yes')
    assert.match(deleted.stderr, /Deleted the demo account\. To create it again: weft demo seed/)
    const without = await servingHere(home)
    assert.match(without.said, /demo +deleted/)
    const { seeded } = (await (await fetch(`${without.url}/sandbox`)).json()) as { seeded: boolean }
    assert.equal(seeded, false)
    assert.equal((await fetch(`${without.url}/api/human/demo`)).status, 404)
    await without.stop('SIGTERM')
    assert.equal((await home.run('demo', 'seed')).stderr, 'Created the demo account.\n')
    assert.equal((await home.run('demo', 'seed')).stderr, 'The demo account already exists.\n')
    const again = await servingHere(home)
    assert.match(again.said, /demo +ready/)
    await again.stop('SIGTERM')
  })

  test('concurrent processes apply each migration once', async () => {
    await using home = await createHome({}, NEW)
    const ran = await Promise.all([1, 2, 3].map(() => home.weft('migrate')))
    for (const { code, stderr } of ran) assert.deepEqual([code, stderr], [0, ''])
    const applied = ran.filter(({ stdout }) => stdout.startsWith('applied '))
    assert.equal(applied.length, 1, JSON.stringify(ran))
    assert.equal((await home.run('migrate')).stdout, 'The schema is up to date.\n')
  })

  test('help goes to standard output with 0; no command is 2', onOneEngine, async () => {
    await using home = await createHome()
    const [help, none, incomplete] = await Promise.all([
      home.run('--help'),
      home.run(),
      home.run('member', 'create'),
    ])
    assert.equal(incomplete.code, 2)
    assert.match(incomplete.stderr, /--username.*\n\(run `weft member create --help` to see/)
    assert.deepEqual([help.code, help.stderr], [0, ''])
    assert.match(help.stdout, /serve[^]*migrate[^]*member[^]*token[^]*import/)
    assert.equal(none.code, 2)
  })

  test(
    'an argument that is not one of the choices is named by its place',
    onOneEngine,
    async () => {
      await using home = await createHome()
      assertRejected(
        await home.run('completion', 'klingon'),
        2,
        /^error: 'klingon' is not valid for the argument '<shell>'\. Allowed choices are bash, zsh, fish\.$/m,
      )
    },
  )
})
