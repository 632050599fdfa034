/** A node that is killed while a device writes: a client that repeats what was not answered ends with every card once. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceAt, phoneCard, type DavDevice } from './fixtures/dav-device.ts'
import { createHome, serving } from './support/command-line.ts'

const ROUNDS = Number(process.env['WEFT_TEST_KILLS'] ?? 3)

test('no card is lost or doubled when the node is killed between storing and answering', async () => {
  await using home = await createHome({ WEFT_PORT: '0', WEFT_DEMO: 'off', WEFT_DAV_BURST: 'off' })
  const joined = await home.run('member', 'create', '--username', 'ada', '--name', 'Ada Lovelace')
  assert.equal(joined.code, 0, joined.stderr)
  const created = await home.run('device', 'create', '--member', 'ada', '--name', 'Phone')
  const password = created.stdout.trim()
  assert.match(password, /^(?:[a-z2-9]{4}-){5}[a-z2-9]{4}$/)
  const expected = new Map<string, string>()
  /** Cards that were sent and not answered. */
  const open = new Set<string>()
  let next = 0
  /** Writes until the node is gone. Returns what was not answered. */
  const writeUntilKilled = async (
    device: DavDevice,
    kill: () => Promise<unknown>,
    after: number,
  ) => {
    let answered = 0
    let killed: Promise<unknown> | undefined
    const write = async () => {
      for (;;) {
        next += 1
        const name = `${next}.vcf`
        const card = phoneCard(`u${next}`, `Person ${next}`, `X-N:${next}`)
        expected.set(name, card)
        open.add(name)
        const answer = await device.put(name, card, { 'if-none-match': '*' }).catch(() => undefined)
        if (!answer) return
        assert.equal(answer.status, 201)
        open.delete(name)
        answered += 1
        if (answered >= after) killed ??= kill()
      }
    }
    await Promise.all([write(), write(), write()])
    await killed
  }
  const start = async () => {
    const service = await serving(home)
    const found = await fetch(`${service.url}/dav/`, {
      method: 'PROPFIND',
      headers: {
        authorization: `Basic ${Buffer.from(`ada:${password}`).toString('base64')}`,
        depth: '1',
      },
      body: '<propfind xmlns="DAV:"><prop><current-user-principal/></prop></propfind>',
    })
    const [, memberId = ''] = /\/dav\/(\d+)\//.exec(await found.text()) ?? []
    return {
      service,
      device: deviceAt(service.url, {
        deviceId: '',
        username: 'ada',
        password,
        memberId: Number(memberId),
      }),
    }
  }
  const repeat = async (device: DavDevice) => {
    for (const name of open) {
      const { status } = await device.put(name, expected.get(name) ?? '', { 'if-none-match': '*' })
      assert.ok(status === 201 || status === 412, `${name}: ${status}`)
      open.delete(name)
    }
  }
  for (let round = 0; round < ROUNDS; round++) {
    const { service, device } = await start()
    await repeat(device)
    await writeUntilKilled(device, () => service.stop('SIGKILL'), 3 + (round % 7))
  }
  const { service, device } = await start()
  await repeat(device)
  const listed = await device.list()
  assert.deepEqual([...listed.keys()].toSorted(), [...expected.keys()].toSorted())
  for (const [name, card] of expected) assert.equal((await device.get(name)).text, card)
  assert.equal(new Set((await device.sync()).changed).size, expected.size)
  const list = await home.run('device', 'list', '--member', 'ada', '--json')
  assert.match(list.stdout, /"name":"Phone"/)
  const revoked = await home.run('device', 'revoke', 'Phone', '--member', 'ada')
  assert.equal(revoked.code, 0)
  assert.equal((await device.get('1.vcf')).status, 401)
  await service.stop('SIGTERM')
})
