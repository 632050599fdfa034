/** weft invite, weft member reset-link, set-password and sign-out, with a browser. */

import assert from 'node:assert/strict'
import { PassThrough, Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { createDatabaseLocation } from '../../test/support/store.ts'
import { startTestService } from '../../test/support/service.ts'
import { openVisitor, type Visitor } from '../../test/support/visitor.ts'
import { listApiTokens, mintApiToken } from '../access/api-token.ts'
import { systemClock } from '../base/clock.ts'
import { runProgram, type ExitCode } from './program.ts'
import type { Environment } from '../config/settings.ts'

interface Ran {
  readonly code: ExitCode
  readonly stdout: string
  readonly stderr: string
}

const PASSWORD = 'analytical engine no. 1'

/** Commands on the database of a running service, and a browser that uses the service. */
async function createTestWorld(settings: Environment = {}) {
  const location = await createDatabaseLocation()
  const service = await startTestService({ database: location.database })
  // Commands always use the system clock.
  service.clock.advance(systemClock.now() - service.clock.now())
  const environment = {
    WEFT_DATABASE: location.address,
    WEFT_PUBLIC_URL: service.url,
    ...settings,
  }
  const weft = (args: readonly string[], typed = '') => run(args, environment, typed)
  return {
    weft,
    environment,
    service,
    visitor: (): Visitor => openVisitor(service.url),
    async [Symbol.asyncDispose]() {
      await service[Symbol.asyncDispose]()
      await location[Symbol.asyncDispose]()
    },
  }
}

async function run(args: readonly string[], environment: Environment, typed: string): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const terminal = { environment, stdin: Readable.from([typed]), stdout, stderr, onStop: () => {} }
  const code = await runProgram(['node', 'weft', ...args], terminal)
  stdout.end()
  stderr.end()
  return { code, stdout: await text(stdout), stderr: await text(stderr) }
}

async function signInStatus(visitor: Visitor, password: string): Promise<number> {
  return (await visitor.submit(await visitor.get('/sign-in'), { login: 'ada', password })).status
}

test('invite create prints only the link; list hides its secret; revoke invalidates it', async () => {
  await using world = await createTestWorld()
  const { weft, service, visitor } = world
  const made = await weft(['invite', 'create', '--note', 'for Grace', '--days', '3'])
  assert.deepEqual([made.code, made.stderr], [0, ''])
  assert.match(made.stdout, /^http:\/\/127\.0\.0\.1:\d+\/join\?link=weft_otl_\w+\n$/)
  assert.equal((await visitor().get(made.stdout.trim())).status, 200)

  const { stdout } = await weft(['invite', 'list'])
  const [, id = ''] = /\n([0-9a-f]{12}) {2}for Grace /.exec(stdout) ?? []
  assert.equal(stdout.includes('weft_otl_'), false)
  assert.deepEqual(await weft(['invite', 'revoke', id]), {
    code: 0,
    stdout: '',
    stderr: `Revoked ${id}.\n`,
  })
  assert.equal((await weft(['invite', 'revoke', id])).code, 1)
  assert.equal((await visitor().get(made.stdout.trim())).status, 403)
  assert.match((await weft(['invite', 'list'])).stderr, /No open invitations/)
  assert.equal((await service.everything()).includes('weft_otl_'), false)
})

test('invite create rejects invalid days and notes, and closed sign-up', async () => {
  await using world = await createTestWorld({ WEFT_SIGN_UP: 'closed' })
  assert.equal((await world.weft(['invite', 'create', '--days', '0'])).code, 2)
  assert.equal((await world.weft(['invite', 'create', '--days', '91'])).code, 2)
  assert.equal((await world.weft(['invite', 'create', '--note', 'a\nb'])).code, 1)
  const closed = await world.weft(['invite', 'create'])
  assert.deepEqual([closed.code, closed.stdout], [1, ''])
  assert.match(closed.stderr, /Sign-up is closed/)
})

test('invite create names the value that is not accepted', async () => {
  await using world = await createTestWorld()
  const { code, stderr } = await world.weft(['invite', 'create', '--email', 'nowhere'])
  assert.deepEqual(
    [code, stderr],
    [1, 'The field email must be an email address such as ada@example.com.\n'],
  )
})

test('a member created on the command line signs in with a reset link', async () => {
  await using world = await createTestWorld()
  const { weft, visitor } = world
  await weft(['member', 'create', '--username', 'ada', '--name', 'Ada Lovelace'])
  const link = await weft(['member', 'reset-link', 'ada'])
  assert.match(link.stdout, /^http:\/\/127\.0\.0\.1:\d+\/reset\?link=weft_otl_\w+\n$/)
  const person = visitor()
  const page = await person.submit(await person.get(link.stdout.trim()), { password: PASSWORD })
  assert.equal(page.status, 303)
  assert.equal(await signInStatus(visitor(), PASSWORD), 303)
  assert.equal((await weft(['member', 'reset-link', 'nobody'])).code, 1)
})

test('set-password reads standard input and ends existing sessions', async () => {
  await using world = await createTestWorld()
  const { weft, visitor, service } = world
  await service.addMember({ email: 'ada@example.org' })
  const weak = await weft(['member', 'set-password', 'ada'], 'ada@example.org\n')
  assert.deepEqual([weak.code, weak.stdout], [1, ''])
  assert.match(weak.stderr, /must contain more than your name/)
  assert.equal((await weft(['member', 'set-password', 'ada'], `${PASSWORD}\r\nmore\n`)).code, 0)
  const person = visitor()
  assert.equal(await signInStatus(person, PASSWORD), 303)

  await weft(['member', 'set-password', 'ada'], 'difference engine no. 2')
  assert.equal((await person.get('/sign-in')).status, 200, 'signed out')
  assert.equal(await signInStatus(visitor(), PASSWORD), 422)
  assert.equal(await signInStatus(person, 'difference engine no. 2'), 303)
  const out = await weft(['member', 'sign-out', 'ada'])
  assert.deepEqual([out.code, out.stderr], [0, 'Signed ada out of 1 browser.\n'])
  assert.equal((await person.get('/sign-in')).status, 200, 'signed out again')
})

test('the password prompt ends with Ctrl-C and with Ctrl-D', async () => {
  await using world = await createTestWorld()
  await world.service.addMember()
  for (const key of ['\u0003', '\u0004']) {
    const stdin = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => stdin })
    const [stdout, stderr] = [new PassThrough(), new PassThrough()]
    const terminal = { environment: world.environment, stdin, stdout, stderr, onStop: () => {} }
    const ended = runProgram(['node', 'weft', 'member', 'set-password', 'ada'], terminal)
    let shown = ''
    for await (const chunk of stderr) {
      shown += String(chunk)
      if (shown.includes('New password for ada') && stdin.writable) stdin.end(key)
      if (shown.includes('No changes were made.')) break
    }
    assert.equal(await ended, 130)
  }
})

test('set-password revokes other access only with --revoke-access', async () => {
  await using world = await createTestWorld()
  const { weft, service } = world
  const { memberId } = await service.addMember()
  const member = service.database.member(memberId)
  const token = { name: 'script', holder: 'ai_client', lifetimeDays: null } as const
  await member.write((tx) => mintApiToken(tx, token, service.clock.now()))
  const tokens = async () => (await listApiTokens(member)).length
  const kept = await weft(['member', 'set-password', 'ada'], PASSWORD)
  assert.match(kept.stderr, /keep working\. To end them too, add --revoke-access\.\n$/)
  assert.equal(await tokens(), 1)
  const revoked = await weft(['member', 'set-password', 'ada', '--revoke-access'], PASSWORD)
  assert.match(revoked.stderr, /revoked their API tokens and removed their passkeys\.\n$/)
  assert.equal(await tokens(), 0)
})

test('password commands are rejected with an identity provider', async () => {
  await using world = await createTestWorld({
    WEFT_OIDC_ISSUER: 'https://login.example.org',
    WEFT_OIDC_CLIENT_ID: 'weft',
    WEFT_OIDC_CLIENT_SECRET: 'secret',
  })
  await world.service.addMember()
  for (const command of ['reset-link', 'set-password']) {
    const rejected = await world.weft(['member', command, 'ada'], PASSWORD)
    assert.deepEqual([rejected.code, rejected.stdout], [1, ''])
    assert.match(rejected.stderr, /Members sign in at https:\/\/login\.example\.org/)
  }
})

test('admins are promoted, listed and demoted; the last admin cannot be demoted', async () => {
  await using world = await createTestWorld()
  const { weft } = world
  await weft(['member', 'create', '--username', 'ada', '--name', 'Ada', '--admin'])
  await weft(['member', 'create', '--username', 'grace', '--name', 'Grace'])
  const roles = async () => {
    const { stdout } = await weft(['member', 'list', '--json'])
    const members = stdout.trim().split('\n')
    return members.map((line) => (JSON.parse(line) as { role: string }).role)
  }
  assert.deepEqual(await roles(), ['admin', 'member', 'member'])
  assert.match((await weft(['member', 'list'])).stdout, /ROLE\nada .* admin\n/)
  for (const command of ['demote', 'disable']) {
    const rejected = await weft(['member', command, 'ada'])
    assert.equal(rejected.code, 1)
    assert.match(rejected.stderr, /the only admin\.\n.*weft member promote/)
  }
  assert.match((await weft(['member', 'delete', 'ada'])).stderr, /No admin will be left/)

  const promoted = await weft(['member', 'promote', 'grace'])
  assert.deepEqual(promoted, {
    code: 0,
    stdout: '',
    stderr: `grace is now an admin: ${world.service.url}/admin\n`,
  })
  assert.equal((await weft(['member', 'demote', 'ada'])).code, 0)
  assert.deepEqual(await roles(), ['member', 'member', 'admin'])
  assert.doesNotMatch((await weft(['member', 'delete', 'ada'])).stderr, /No admin/)
  for (const name of ['nobody', 'Demo'])
    assert.equal((await weft(['member', 'promote', name])).code, 1, name)
})
