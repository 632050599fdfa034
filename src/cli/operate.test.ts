/** Commands for operators: doctor, config, jobs, credits, lists as JSON, imports from a pipe, completion, readable logs. */

import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { MAX_UPLOAD_BYTES } from '../jobs/uploads.ts'
import { runWeft } from '../../test/support/in-process.ts'
import {
  createDatabaseLocation,
  TEST_ENGINE,
  type DatabaseLocation,
} from '../../test/support/store.ts'
import { openDatabase } from '../db/engines/open.ts'
import { systemClock } from '../base/clock.ts'
import { memberStatement, statement } from '../db/statement.ts'
import { requireMemberByUsername } from '../members/member.ts'
import { changeAttempt } from '../oauth/attempt-store.ts'
import { masked } from './config.ts'
import { readableLine, readableLog } from './readable-log.ts'
import type { Finding } from '../service/finding.ts'

const CSV = 'First Name,Last Name,Email Address\nGrace,Hopper,grace@example.org\nAlan,Turing,\n'

let location: DatabaseLocation
let environment: Record<string, string>

before(async () => {
  location = await createDatabaseLocation()
  // Nothing listens there.
  environment = { WEFT_DATABASE: location.address, WEFT_PUBLIC_URL: 'http://localhost:9' }
  await weft(['member', 'create', '--username', 'ada', '--name', 'Ada Lovelace', '--admin'])
})

after(() => location[Symbol.asyncDispose]())

/** The output of a command that must succeed. */
async function weft(args: readonly string[], input = ''): Promise<string> {
  const ran = await runWeft(environment, args, input)
  assert.equal(ran.code, 0, ran.stderr + ran.stdout)
  return ran.stdout
}

const lines = (text: string): unknown[] =>
  text
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as unknown)

async function diagnosis(more: Record<string, string> = {}) {
  const ran = await runWeft({ ...environment, ...more }, ['doctor', '--json'])
  const findings = lines(ran.stdout) as Finding[]
  return { ran, of: (check: string) => findings.filter((one) => one.check === check), findings }
}

test('the doctor reports no problems for a sound installation, and says how to fix others', async () => {
  const { ran, of, findings } = await diagnosis()
  assert.equal(ran.code, 0, ran.stdout)
  for (const check of ['settings', 'integrity', 'migrations', 'ledgers', 'jobs', 'admins'])
    assert.deepEqual(
      of(check).map(({ severity }) => severity),
      ['ok'],
      check,
    )
  assert.equal(of('backups')[0]?.severity, 'warning')
  assert.match(of('public_url')[0]?.message ?? '', /localhost:9 does not respond/)
  for (const { severity, fix, check } of findings)
    assert.equal(fix === undefined, severity === 'ok', check)
})

test('the doctor reports settings that are wrong or unsafe', async () => {
  const wrong = await diagnosis({ WEFT_PORT: 'x' })
  assert.equal(wrong.ran.code, 1)
  assert.match(wrong.of('settings')[0]?.message ?? '', /WEFT_PORT must be a whole number/)
  const unsafe = await diagnosis({ WEFT_HOST: '0.0.0.0' })
  assert.match(unsafe.of('public_url')[0]?.message ?? '', /only works on this computer/)
  const proxied = await diagnosis({ WEFT_PUBLIC_URL: 'https://localhost:9' })
  assert.match(proxied.of('proxy')[0]?.fix ?? '', /WEFT_TRUSTED_PROXIES/)
})

test('the doctor finds a ledger that does not add up', async () => {
  await using broken = await createDatabaseLocation()
  const own = { ...environment, WEFT_DATABASE: broken.address }
  await runWeft(own, ['member', 'create', '--username', 'bob', '--name', 'Bob'])
  await runWeft(own, ['credits', 'adjust', 'bob', '--by', '5', '--reason', 'test'])
  const { database } = await openDatabase(broken.database, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'bob')
  const steal = memberStatement()(
    'update credit_accounts set remaining = remaining + 1 where member_id = :member_id',
  )
  await database.member(memberId).write((tx) => tx.run(steal, {}))
  await database[Symbol.asyncDispose]()
  const { ran, of } = await diagnosis({ WEFT_DATABASE: broken.address })
  assert.equal(ran.code, 1)
  assert.match(of('ledgers')[0]?.message ?? '', /do not add up: bob/)
})

test('the doctor does not change a new database and says what a start does', async () => {
  await using fresh = await createDatabaseLocation('new')
  const { ran, of } = await diagnosis({ WEFT_DATABASE: fresh.address })
  assert.equal(ran.code, 0)
  if (TEST_ENGINE === 'sqlite') {
    assert.match(of('database')[0]?.message ?? '', /weft\.db does not exist yet\.$/)
    assert.deepEqual(of('integrity'), [])
    assert.deepEqual(await readdir(fresh.folder), [])
  } else
    assert.match(
      of('migrations')[0]?.message ?? '',
      /^Migrations to apply: \d+, 0001_\S+ to 00\d\d_\S+\.sql\.$/,
    )
})

test(
  'commands in another folder report the missing database file and create none',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using elsewhere = await createDatabaseLocation('new')
    const run = (...args: string[]) => runWeft({ WEFT_DATABASE: elsewhere.address }, args)
    const refused = [
      ['member', 'list'],
      ['member', 'show', 'ada'],
      ['invite', 'create'],
      ['token', 'create', '--member', 'ada', '--name', 'laptop'],
      ['jobs', 'list'],
      ['backup', join(elsewhere.folder, 'backup.db')],
      ['move', '--to', 'postgres://weft@127.0.0.1:1/weft'],
    ]
    for (const args of refused) {
      const { code, stdout, stderr } = await run(...args)
      assert.deepEqual([code, stdout], [1, ''], args.join(' '))
      assert.match(
        stderr,
        /weft\.db does not exist\.\nRun the command in the folder where Weft runs/,
      )
    }
    assert.deepEqual(await readdir(elsewhere.folder), [])
    assert.equal((await run('migrate')).code, 0)
    assert.match((await run('member', 'list')).stderr, /^No members\./)
    const created = await run('member', 'create', '--username', 'ada', '--name', 'Ada')
    assert.equal(created.code, 0)
  },
)

test(
  'the doctor finds files that others can open, and a file that is damaged',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using own = await createDatabaseLocation()
    const path = join(own.folder, 'weft.db')
    await runWeft({ WEFT_DATABASE: own.address }, ['migrate'])
    await chmod(path, 0o644)
    const loose = await diagnosis({ WEFT_DATABASE: own.address })
    assert.match(loose.of('permissions')[0]?.message ?? '', /Other users can open/)
    await writeFile(path, 'not a database')
    const damaged = await diagnosis({ WEFT_DATABASE: own.address })
    assert.equal(damaged.ran.code, 1)
    assert.match(damaged.of('database')[0]?.message ?? '', /not a database/)
  },
)

test('the doctor says on standard error which long check runs', async () => {
  const { ran } = await diagnosis()
  assert.match(ran.stderr, /^Checking the credit ledgers …$/m)
  if (TEST_ENGINE === 'sqlite') assert.match(ran.stderr, /^Checking every page of .+weft\.db …$/m)
})

test('a check of the doctor that fails is a finding, and the other checks go on', async () => {
  await using broken = await createDatabaseLocation()
  const own = { ...environment, WEFT_DATABASE: broken.address }
  await runWeft(own, ['member', 'create', '--username', 'bob', '--name', 'Bob', '--admin'])
  const { database } = await openDatabase(broken.database, { clock: systemClock, searchThreads: 1 })
  await database.write((tx) => tx.run(statement('alter table credit_ledger rename to lost'), {}))
  await database[Symbol.asyncDispose]()
  const { ran, of } = await diagnosis({ WEFT_DATABASE: broken.address })
  assert.equal(ran.code, 1)
  assert.match(of('ledgers')[0]?.message ?? '', /^The check failed: .*credit_ledger/)
  for (const check of ['integrity', 'migrations', 'jobs']) assert.equal(of(check).length, 1, check)
  assert.equal(of('admins')[0]?.severity, 'ok')
})

test(
  'the doctor finds an index that differs from its table',
  { skip: TEST_ENGINE !== 'sqlite' && 'for SQLite only' },
  async () => {
    await using own = await createDatabaseLocation()
    const settings = { ...environment, WEFT_DATABASE: own.address }
    await runWeft(settings, ['member', 'create', '--username', 'bob', '--name', 'Bob'])
    const handle = new DatabaseSync(join(own.folder, 'weft.db'), { defensive: false })
    // The index keeps its entries, but now claims to be of another column.
    handle.exec(`
      create index of_names on members (name);
      pragma writable_schema = on;
      update sqlite_schema set sql = replace(sql, '(name)', '(username)') where name = 'of_names'`)
    handle.close()
    const ran = await runWeft(settings, ['doctor'])
    assert.equal(ran.code, 1)
    assert.match(ran.stdout, /integrity: .+ is damaged: .*of_names/)
  },
)

test('config prints every setting, its origin, and no secret', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'weft-config-'))
  try {
    const file = join(folder, 'key')
    await writeFile(file, 'sk-from-a-file\n')
    const ran = await runWeft(
      {
        ...environment,
        WEFT_METRICS_TOKEN: 'token-of-twenty-four-characters',
        WEFT_EMBEDDINGS_URL: 'http://127.0.0.1:1/v1',
        WEFT_EMBEDDINGS_MODEL: 'm',
        WEFT_EMBEDDINGS_KEY_FILE: file,
      },
      ['config', '--json'],
    )
    assert.equal(ran.code, 0, ran.stderr)
    const entries = JSON.parse(ran.stdout) as { name: string; value: string; source: string }[]
    const of = (name: string) => entries.find((one) => one.name === name)
    assert.equal(of('WEFT_METRICS_TOKEN')?.value, '********')
    assert.deepEqual(
      [of('WEFT_EMBEDDINGS_KEY')?.value, of('WEFT_EMBEDDINGS_KEY')?.source],
      ['********', 'file'],
    )
    assert.deepEqual([of('WEFT_PORT')?.value, of('WEFT_PORT')?.source], ['8787', 'default'])
    assert.doesNotMatch(ran.stdout, /sk-from|twenty-four/)
  } finally {
    await rm(folder, { recursive: true })
  }
  assert.equal(
    masked('postgres://weft:secret@db/weft?sslkey=x'),
    'postgres://weft:********@db/weft?********',
  )
  assert.equal(masked('sqlite:./data/weft.db'), 'sqlite:./data/weft.db')
})

test('the attempts of one member to connect agents are listed with the failed step', async () => {
  await using own = await createDatabaseLocation()
  const run = (...args: string[]) => runWeft({ WEFT_DATABASE: own.address }, args)
  for (const username of ['bob', 'eve'])
    await run('member', 'create', '--username', username, '--name', username)
  assert.match((await run('attempts', '--member', 'bob')).stderr, /^No attempts/)
  const { database } = await openDatabase(own.database, { clock: systemClock, searchThreads: 1 })
  const { memberId } = await requireMemberByUsername(database, 'bob')
  const at = Date.UTC(2026, 10, 20)
  await database.member(memberId).write((tx) =>
    changeAttempt(tx, 'client', () => ({
      clientName: 'Cursor',
      redirectHost: 'localhost',
      steps: { authorize: { at }, consent: { at }, token: { at, cause: 'code_expired' } },
      suspicions: [],
      startedAt: at,
      updatedAt: at,
    })),
  )
  await database[Symbol.asyncDispose]()
  const [attempt, ...others] = lines((await run('attempts', '--member', 'bob', '--json')).stdout)
  assert.deepEqual(others, [])
  const { app, state, step, cause } = attempt as Record<string, string>
  assert.deepEqual([app, state, step], ['Cursor', 'failed', 'token'])
  assert.match(cause ?? '', /code/)
  assert.match(
    (await run('attempts', '--member', 'bob')).stdout,
    /Cursor +failed +Token +2026-11-20/,
  )
  assert.match((await run('attempts', '--member', 'eve')).stderr, /^No attempts/)
})

test('credits are adjusted with a reason, never below zero, and the ledger adds up', async () => {
  const balance = () => weft(['credits', 'show', 'ada', '--json'])
  const atFirst = (JSON.parse(await balance()) as { remaining: number }).remaining
  await weft(['credits', 'adjust', 'ada', '--by', '500', '--reason', 'thanks'])
  await weft(['credits', 'adjust', 'ada', '--by=-100', '--reason', 'correction'])
  assert.equal((JSON.parse(await balance()) as { remaining: number }).remaining, atFirst + 400)
  const toMuch = await runWeft(environment, [
    'credits',
    'adjust',
    'ada',
    '--by=-99999',
    '--reason',
    'x',
  ])
  assert.equal(toMuch.code, 1)
  assert.match(toMuch.stderr, /Only \d+ credits remain/)
  for (const by of ['0', '1.5', 'many']) {
    const ran = await runWeft(environment, [
      'credits',
      'adjust',
      'ada',
      `--by=${by}`,
      '--reason',
      'x',
    ])
    assert.equal(ran.code, 2, by)
  }
  assert.deepEqual(
    (await diagnosis()).of('ledgers').map(({ severity }) => severity),
    ['ok'],
  )
})

test('a member and a balance are shown in words and dates, and as JSON to programs', async () => {
  const shown = await weft(['member', 'show', 'ada'])
  assert.match(shown, /^Name +Ada Lovelace$/m)
  assert.match(shown, /^Profile +public$/m)
  assert.match(shown, /^Joined +\d{4}-\d{2}-\d{2}$/m)
  assert.doesNotMatch(shown, /joined_at|disabled_at|true/)
  assert.match(
    await weft(['credits', 'show', 'ada']),
    /^\d+ of 1000 credits, which expire on \d{4}-\d{2}-01$/m,
  )
})

test('a dry run reports and changes nothing; an import reads standard input', async () => {
  const dry = await weft(['import', '-', '--member', 'ada', '--dry-run', '--json'], CSV)
  assert.deepEqual((JSON.parse(dry) as { created: number }).created, 2)
  const count = async () =>
    (JSON.parse(await weft(['member', 'show', 'ada', '--json'])) as { connections: number })
      .connections
  assert.equal(await count(), 0)
  const report = await weft(['import', '-', '--member', 'ada', '--json'], CSV)
  assert.equal((JSON.parse(report) as { created: number }).created, 2)
  assert.equal(await count(), 2)
  assert.equal(
    (await runWeft(environment, ['import', '--resume', '--member', 'ada', '--dry-run'])).code,
    2,
  )
})

test('standard input beyond the maximum upload size is rejected', async () => {
  const ran = await runWeft(
    environment,
    ['import', '-', '--member', 'ada'],
    'x'.repeat(MAX_UPLOAD_BYTES + 1),
  )
  assert.equal(ran.code, 1)
  assert.match(ran.stderr, /^Standard input is larger than 50\sMB\.\n/)
})

test('jobs are listed without their content, and a failed one can be retried', async () => {
  const failed = await runWeft(environment, ['import', '-', '--member', 'ada'], 'no contacts here')
  assert.equal(failed.code, 1)
  const list = async (...args: string[]) =>
    lines(await weft(['jobs', 'list', '--member', 'ada', '--json', ...args])) as {
      job_id: number
      state: string
      error: string | null
    }[]
  const [job] = await list('--state', 'failed')
  assert.ok(job)
  assert.equal(job.error, 'unreadable_file')
  assert.match(await weft(['jobs', 'list']), /^ID +MEMBER +KIND +STATE/)
  await weft(['jobs', 'retry', String(job.job_id)])
  assert.equal((await list('--state', 'queued'))[0]?.job_id, job.job_id)
  const twice = await runWeft(environment, ['jobs', 'retry', String(job.job_id)])
  assert.equal(twice.code, 1)
  assert.match(twice.stderr, /The job is queued/)
  await weft(['jobs', 'cancel', String(job.job_id)])
  assert.equal((await list('--state', 'cancelled'))[0]?.job_id, job.job_id)
  assert.equal((await runWeft(environment, ['jobs', 'cancel', '12345'])).code, 1)
})

test('every list can be read by programs', async () => {
  await weft(['token', 'create', '--member', 'ada', '--name', 'ci'])
  await weft(['invite', 'create', '--note', 'for Grace'])
  const [token] = lines(await weft(['token', 'list', '--member', 'ada', '--json'])) as {
    name: string
  }[]
  const [invite] = lines(await weft(['invite', 'list', '--json'])) as { note: string }[]
  const [member] = lines(await weft(['member', 'list', '--json'])) as { username: string }[]
  assert.deepEqual([token?.name, invite?.note, member?.username], ['ci', 'for Grace', 'ada'])
})

test('completion scripts are valid in their shell and complete commands and options', async (t) => {
  const bash = await weft(['completion', 'bash'])
  const ask = (words: string) => {
    const script = `${bash}\nCOMP_WORDS=(${words} '')\nCOMP_CWORD=$((\${#COMP_WORDS[@]} - 1))\n_weft\necho "\${COMPREPLY[@]}"`
    return spawnSync('bash', ['-c', script], { encoding: 'utf8', cwd: location.folder }).stdout
  }
  assert.match(ask('weft'), /\bdoctor\b/)
  assert.match(ask('weft member'), /\bpromote\b/)
  assert.match(ask('weft token create'), /--member\b/)
  assert.match(await weft(['completion', 'fish']), /^complete -c weft/)
  const zsh = spawnSync('zsh', ['-n', '-c', await weft(['completion', 'zsh'])], {
    encoding: 'utf8',
  })
  if (zsh.error) t.diagnostic('zsh is not installed')
  else assert.equal(zsh.status, 0, zsh.stderr)
})

test('log lines on a terminal are readable, and cannot move the cursor', () => {
  const line = readableLine(
    '{"level":40,"time":"2026-11-22T05:06:07.000Z","request_id":"req_1","status":503,"note":"two words\\u001b[2J","msg":"request"}',
  )
  assert.equal(
    line,
    '05:06:07 WARN  request request_id=req_1 status=503 note="two words\\u001b[2J"',
  )
  const failed = readableLine(
    '{"level":50,"time":"2026-11-22T05:06:07.000Z","err":{"stack":"Error: x\\n    at y"},"msg":"failed"}',
  )
  assert.equal(failed, '05:06:07 ERROR failed\nError: x\n    at y')
  assert.equal(readableLog({ stderr: new PassThrough() }), undefined)
})
