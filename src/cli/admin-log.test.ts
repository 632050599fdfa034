/** Commands that act on members are in the audit log. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createHome } from '../../test/support/command-line.ts'
import { openDatabase } from '../db/engines/open.ts'
import { systemClock } from '../base/clock.ts'
import { readConfig } from '../config/config.ts'
import { readAdminLog } from '../members/admin-log.ts'

test('commands that act on members are recorded, and those that fail are not', async () => {
  await using home = await createHome({ WEFT_PUBLIC_URL: 'http://localhost:9' })
  const run = async (command: string, code = 0) => {
    const ran = await home.run(...command.split(' '))
    assert.equal(ran.code, code, ran.stderr)
    return ran.stdout.trim()
  }
  await run('member create --username ada --name Ada --admin')
  await run('member create --username bob --name Bob')
  await run('member promote bob')
  await run('member demote bob')
  await run('member demote ada', 1)
  await run('member disable bob')
  await run('member enable bob')
  await run('member reset-link bob')
  await run('member sign-out bob')
  await run('credits adjust bob --by 5 --reason trial')
  await run('credits adjust bob --by -9999 --reason trial', 1)
  await run('token create --member bob --name laptop')
  await run('token revoke laptop --member bob')
  await run('token revoke laptop --member bob', 1)
  await run('invite create --note Cleo')
  await run('reviewer')
  await run(`member export bob --to ${home.folder}/bob.zip`)
  await run('member delete bob', 1)
  await run('member delete bob --yes')
  const { database } = await openDatabase(readConfig(home.environment).database, {
    clock: systemClock,
    searchThreads: 1,
  })
  await using _closed = database
  const { entries } = await readAdminLog(database, { cursor: undefined, limit: 50 })
  const texts = entries.map(({ admin, action, member, reason }) =>
    [admin, action, member, reason].filter(Boolean).join(' '),
  )
  assert.deepEqual(texts.toReversed(), [
    'create ada',
    'create bob',
    'promote bob',
    'demote bob',
    'disable bob',
    'enable bob',
    'reset_link bob',
    'sign_out bob',
    'adjust_credits bob +5: trial',
    'create_token bob laptop',
    'revoke_token bob laptop',
    'invite Cleo',
    'create reviewer reviewer',
    'export bob',
    'delete bob',
  ])
})
