import assert from 'node:assert/strict'
import { createECDH, createPublicKey, randomBytes, verify } from 'node:crypto'
import { test } from 'node:test'
import ece from 'http_ece'
import { Webhook } from 'standardwebhooks'
import { openCalendarSite } from '../../test/fixtures/calendar-site.ts'
import { until } from '../../test/support/until.ts'
import { createWorld, type Acting } from '../../test/fixtures/network.ts'
import { DAY, HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { createLog } from '../base/log.ts'
import { listEmails } from '../outbox/outbox.ts'
import { createDeliverySender } from './delivery-sender.ts'
import { listDeliveries, queueDeliveries, redeliver } from './delivery-store.ts'
import { policyOfHosts, readEndpointAddress } from './endpoint-hosts.ts'
import { listEndpoints, removeEndpoint, requireEndpoint } from './endpoint-store.ts'
import { addDevice } from './push-devices.ts'
import { addWebhook, rotateSecret, sendTest, type NewWebhook } from './webhooks.ts'
import type { ServerResponse } from 'node:http'
import type { Notice } from './notice.ts'

const SECRET = 'k'.repeat(32)

interface Received {
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Buffer
}

/** A receiver whose answers can be set, and members with endpoints there. */
async function openReceiver(timeLimitMs = 20 * SECOND) {
  const site = await openCalendarSite()
  const world = await createWorld()
  const received: Received[] = []
  let status: number | 'hang' = 200
  let headers: Record<string, string> = {}
  const hanging: ServerResponse[] = []
  site.answer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      received.push({
        url: request.url ?? '',
        headers: request.headers as Record<string, string>,
        body: Buffer.concat(chunks),
      })
      if (status === 'hang') hanging.push(response)
      else response.writeHead(status, headers).end('x'.repeat(100_000))
    })
  })
  const { origin } = new URL(site.address)
  const outgoing = new OutgoingPool({ timeLimitMs, busyTimeLimitMs: timeLimitMs })
  const sender = () =>
    createDeliverySender({
      database: world.database,
      clock: world.clock,
      log: createLog('silent'),
      publicUrl: 'https://weft.example',
      sealSecret: () => SECRET,
      outgoing,
      policyOf: policyOfHosts([], site.fetchPolicy),
    })
  const one = sender()
  return {
    world,
    origin,
    received,
    sender,
    start: () => one.start(),
    sendDue: () => one.runDue(),
    /** Ends the answers that hang. */
    release() {
      for (const response of hanging) response.destroy()
    },
    respond(next: number | 'hang', more: Record<string, string> = {}) {
      status = next
      headers = more
    },
    add: (member: Acting, more: Partial<NewWebhook> = {}) =>
      member.db.write((tx) =>
        addWebhook(
          { sealSecret: () => SECRET, webhookHosts: [] },
          tx,
          {
            name: 'Mine',
            address: `${origin}/hook`,
            format: 'standard',
            header: '',
            causes: ['summary', 'follow_up.due'],
            ...more,
          },
          world.clock.now(),
        ),
      ),
    queue: (member: Acting, ...notices: Notice[]) =>
      member.db.write((tx) => queueDeliveries(tx, notices, world.clock.now())),
    async [Symbol.asyncDispose]() {
      await one[Symbol.asyncDispose]()
      site[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

function notice(subject = 'summary 2026-11-21', more: Partial<Notice> = {}): Notice {
  return {
    cause: 'summary',
    subject,
    title: 'Your day',
    body: '<!channel> & 2 follow-ups',
    path: '/user',
    data: { day: '2026-11-21' },
    ...more,
  }
}

/** True if one of the signatures is that of the library of Standard Webhooks. */
function isSigned(secret: string, { headers, body }: Pick<Received, 'headers' | 'body'>): boolean {
  const at = new Date(Number(headers['webhook-timestamp']) * SECOND)
  const expected = new Webhook(secret).sign(headers['webhook-id'] ?? '', at, body.toString())
  return (headers['webhook-signature'] ?? '').split(' ').includes(expected)
}

test('a webhook gets each notice once, signed as Standard Webhooks describe', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const member = await world.join()
  const { endpointId, secret } = await receiver.add(member, { header: 'X-Key: abc' })
  for (let round = 0; round < 2; round += 1) {
    await receiver.queue(member, notice())
    await receiver.sendDue()
  }
  assert.equal(received.length, 1)
  const [{ headers, body } = assert.fail('nothing arrived')] = received
  assert.equal(headers['x-key'], 'abc')
  assert.ok(isSigned(secret, { headers, body }))
  const message = JSON.parse(body.toString()) as { type: string; data: Record<string, unknown> }
  assert.equal(message.type, 'summary')
  assert.equal(message.data['day'], '2026-11-21')
  assert.equal(message.data['url'], 'https://weft.example/user')
  const [delivery] = await listDeliveries(member.db, endpointId, 10)
  assert.deepEqual(
    [delivery?.state, delivery?.status, delivery?.attempts, delivery?.deliveryId],
    ['sent', 200, 1, headers['webhook-id']],
  )
})

test('an endpoint gets only its causes, and no single message that its summary has', async () => {
  await using receiver = await openReceiver()
  const member = await receiver.world.join()
  await receiver.add(member)
  await receiver.add(member, { causes: ['follow_up.due'], address: `${receiver.origin}/items` })
  const item = notice('f_1', { cause: 'follow_up.due', isInSummary: true })
  await receiver.queue(member, notice(), item, notice('b', { cause: 'birthday.soon' }))
  await receiver.sendDue()
  assert.deepEqual(receiver.received.map(({ url }) => url).toSorted(), ['/hook', '/items'])
})

test('errors are retried with the same ID and a growing delay, and the endpoint ends after three days', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const member = await world.join()
  const { endpointId } = await receiver.add(member)
  receiver.respond(500)
  await receiver.queue(member, notice())
  let waited = 0
  while (waited < 5 * DAY && (await requireEndpoint(member.db, endpointId)).endedAt === null) {
    await receiver.sendDue()
    world.clock.advance(5 * MINUTE)
    waited += 5 * MINUTE
  }
  assert.ok(waited >= 3 * DAY && waited < 4 * DAY, String(waited / DAY))
  assert.ok(received.length >= 8 && received.length <= 10, String(received.length))
  assert.equal(new Set(received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.ok(new Set(received.map(({ headers }) => headers['webhook-timestamp'])).size > 5)
  const emails = await listEmails(world.database, { kind: 'endpoint_ended', limit: 5 })
  assert.deepEqual(
    emails.map(({ details }) => details),
    [{ name: 'Mine', reason: 'HTTP status 500' }],
  )
  // A new message waits for nothing: it is not queued at all.
  assert.equal(await receiver.queue(member, notice('next')), 0)
})

test('a device whose push service fails for three days ends with an email, one that is gone without', async () => {
  await using receiver = await openReceiver()
  const { world } = receiver
  const member = await world.join()
  for (const [name, status] of [
    ['Phone', 500],
    ['Tablet', 410],
  ] as const) {
    const p256dh = createECDH('prime256v1').generateKeys('base64url')
    const auth = randomBytes(16).toString('base64url')
    const subscription = { endpoint: `${receiver.origin}/push/${name}`, p256dh, auth }
    const id = await member.db.write((tx) =>
      addDevice(() => SECRET, tx, { subscription, name }, world.clock.now()),
    )
    receiver.respond(status)
    await receiver.queue(member, notice(`summary ${name}`))
    const isOpen = async () => (await requireEndpoint(member.db, id)).endedAt === null
    for (let hours = 0; hours < 120 && (await isOpen()); hours += 1) {
      await receiver.sendDue()
      world.clock.advance(HOUR)
    }
    assert.equal(await isOpen(), false, name)
  }
  const emails = await listEmails(world.database, { kind: 'endpoint_ended', limit: 5 })
  assert.deepEqual(
    emails.map(({ details }) => details),
    [{ name: 'Phone', reason: 'HTTP status 500' }],
  )
})

test('one receiver that fails keeps its messages and recovers in order', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const member = await world.join()
  const { endpointId } = await receiver.add(member)
  receiver.respond(503, { 'retry-after': '120' })
  for (const subject of ['a', 'b', 'c']) {
    await receiver.queue(member, notice(subject, { title: subject }))
    world.clock.advance(1)
  }
  await receiver.sendDue()
  await receiver.sendDue()
  assert.equal(received.length, 1)
  receiver.respond(200)
  world.clock.advance(110 * SECOND)
  await receiver.sendDue()
  assert.equal(received.length, 1)
  world.clock.advance(15 * SECOND)
  await receiver.sendDue()
  const titles = received.map(
    ({ body }) => (JSON.parse(body.toString()) as { data: { title: string } }).data.title,
  )
  assert.deepEqual(titles.slice(1), ['a', 'b', 'c'])
  const { failures, error } = await requireEndpoint(member.db, endpointId)
  assert.deepEqual([failures, error], [0, null])
})

test('410 ends a webhook; a redirect and a private address are errors', async () => {
  await using receiver = await openReceiver()
  const member = await receiver.world.join()
  const { endpointId } = await receiver.add(member)
  receiver.respond(302, { location: 'http://169.254.169.254/' })
  await receiver.queue(member, notice())
  await receiver.sendDue()
  assert.equal((await requireEndpoint(member.db, endpointId)).error, 'HTTP status 302')
  receiver.respond(410)
  receiver.world.clock.advance(HOUR)
  await receiver.sendDue()
  assert.notEqual((await requireEndpoint(member.db, endpointId)).endedAt, null)
  const sent = receiver.received.length
  const private_ = createDeliverySender({
    database: receiver.world.database,
    clock: receiver.world.clock,
    log: createLog('silent'),
    publicUrl: 'https://weft.example',
    sealSecret: () => SECRET,
    outgoing: new OutgoingPool(),
    policyOf: policyOfHosts([]),
  })
  const other = await receiver.world.join()
  const added = await receiver.add(other)
  await receiver.queue(other, notice())
  await private_.runDue()
  const { error } = await requireEndpoint(other.db, added.endpointId)
  assert.deepEqual([error, receiver.received.length], ['it could not be reached', sent])
})

test('addresses must be public and https, unless the operator allows the host', () => {
  const allowed = ['homeassistant.local:8123', '10.0.0.5']
  const read = (text: string) => readEndpointAddress(text, allowed)?.href
  assert.equal(read('https://hooks.example.org/a'), 'https://hooks.example.org/a')
  assert.equal(read('http://homeassistant.local:8123/api'), 'http://homeassistant.local:8123/api')
  assert.equal(read('http://10.0.0.5/x'), 'http://10.0.0.5/x')
  for (const text of [
    'http://hooks.example.org/',
    'https://10.0.0.6/',
    'https://[::1]/',
    'http://homeassistant.local/',
    'https://a:b@hooks.example.org/',
    'ftp://10.0.0.5/',
    `https://hooks.example.org/${'x'.repeat(3000)}`,
    'nonsense',
  ])
    assert.equal(read(text), undefined, text)
})

test('a rotated secret signs with the former one for a day', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const member = await world.join()
  const { endpointId, secret: former } = await receiver.add(member)
  const current = await member.db.write((tx) =>
    rotateSecret({ sealSecret: () => SECRET }, tx, endpointId, world.clock.now()),
  )
  const signers = async () => {
    await member.db.write(async (tx) =>
      sendTest(tx, await requireEndpoint(tx, endpointId), world.clock.now()),
    )
    await receiver.sendDue()
    const { headers, body } = received.at(-1) ?? assert.fail('nothing arrived')
    return [former, current].map((secret) => isSigned(secret, { headers, body }))
  }
  assert.deepEqual(await signers(), [true, true])
  world.clock.advance(DAY)
  assert.deepEqual(await signers(), [false, true])
})

test('ntfy, Slack and Telegram get their own formats, with text escaped', async () => {
  await using receiver = await openReceiver()
  const member = await receiver.world.join()
  const { origin } = receiver
  await receiver.add(member, { format: 'ntfy', address: `${origin}/my-topic` })
  await receiver.add(member, { format: 'slack', address: `${origin}/services/x` })
  await receiver.add(member, {
    format: 'telegram',
    address: `${origin}/bot1/sendMessage?chat_id=7`,
  })
  await receiver.queue(member, notice())
  await receiver.sendDue()
  const byUrl = new Map(
    receiver.received.map(({ url, body }) => [url, JSON.parse(body.toString()) as object]),
  )
  assert.deepEqual(byUrl.get('/'), {
    topic: 'my-topic',
    title: 'Your day',
    message: '<!channel> & 2 follow-ups',
    click: 'https://weft.example/user',
  })
  assert.deepEqual(byUrl.get('/services/x'), {
    text: '*Your day*\n&lt;!channel&gt; &amp; 2 follow-ups\n<https://weft.example/user|Weft>',
  })
  assert.deepEqual(byUrl.get('/bot1/sendMessage'), {
    chat_id: '7',
    text: 'Your day\n<!channel> & 2 follow-ups\nhttps://weft.example/user',
  })
})

test('invalid webhooks name the field', async () => {
  await using receiver = await openReceiver()
  const member = await receiver.world.join()
  for (const [field, more] of [
    ['address', { address: 'http://localhost:8080' }],
    ['format', { format: 'smoke' }],
    ['header', { header: 'no header' }],
    ['header', { header: 'Host: other.example' }],
    ['header', { header: `X-A: ${'x'.repeat(2000)}` }],
    ['causes', { causes: ['unknown'] }],
    ['address', { format: 'telegram' }],
    ['name', { name: 'x'.repeat(101) }],
  ] as const)
    await assert.rejects(
      receiver.add(member, more),
      (error: { details: { errors: { pointer: string }[] } }) => {
        assert.deepEqual(
          error.details.errors.map(({ pointer }) => pointer),
          [`/${field}`],
        )
        return true
      },
    )
})

test('a device gets an encrypted message that only it can read, and a gone device ends', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const member = await world.join()
  const device = createECDH('prime256v1')
  const p256dh = device.generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  const subscription = { endpoint: `${receiver.origin}/push/1`, p256dh, auth }
  const add = () =>
    member.db.write((tx) =>
      addDevice(() => SECRET, tx, { subscription, name: 'Phone' }, world.clock.now()),
    )
  assert.equal(await add(), await add())
  receiver.respond(201)
  await receiver.queue(member, notice())
  await receiver.sendDue()
  const [{ headers, body } = assert.fail('nothing arrived')] = received
  assert.equal(headers['content-encoding'], 'aes128gcm')
  assert.ok(Number(headers['ttl']) > 0)
  const plain = ece.decrypt(body, { version: 'aes128gcm', privateKey: device, authSecret: auth })
  assert.deepEqual(JSON.parse(plain.toString()), {
    title: 'Your day',
    body: '<!channel> & 2 follow-ups',
    path: '/user',
    tag: 'summary 2026-11-21',
  })
  const [, token = '', key = ''] =
    /^vapid t=(\S+), k=(\S+)$/.exec(headers['authorization'] ?? '') ?? []
  const [header = '', claims = '', signature = ''] = token.split('.')
  const { aud, exp, sub } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as {
    aud: string
    exp: number
    sub: string
  }
  assert.deepEqual([aud, sub], [receiver.origin, 'https://weft.example'])
  assert.ok(exp * SECOND - world.clock.now() <= DAY)
  const point = Buffer.from(key, 'base64url')
  const publicKey = createPublicKey({
    format: 'jwk',
    key: {
      kty: 'EC',
      crv: 'P-256',
      x: point.subarray(1, 33).toString('base64url'),
      y: point.subarray(33).toString('base64url'),
    },
  })
  const options = { key: publicKey, dsaEncoding: 'ieee-p1363' } as const
  assert.ok(
    verify(
      'sha256',
      Buffer.from(`${header}.${claims}`),
      options,
      Buffer.from(signature, 'base64url'),
    ),
  )
  receiver.respond(404)
  await receiver.queue(member, notice('next'))
  await receiver.sendDue()
  const [gone] = await listEndpoints(member.db, 'push')
  assert.notEqual(gone?.endedAt, null)
})

test('a message that is too large is not sent again, and the next one is', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const member = await world.join()
  const p256dh = createECDH('prime256v1').generateKeys('base64url')
  const auth = randomBytes(16).toString('base64url')
  const subscription = { endpoint: `${receiver.origin}/push/1`, p256dh, auth }
  const device = { subscription, name: 'Phone' }
  const endpointId = await member.db.write((tx) =>
    addDevice(() => SECRET, tx, device, world.clock.now()),
  )
  receiver.respond(413)
  await receiver.queue(member, notice('large'))
  await receiver.sendDue()
  receiver.respond(201)
  await receiver.queue(member, notice('small'))
  await receiver.sendDue()
  const deliveries = await listDeliveries(member.db, endpointId, 5)
  const states = deliveries.map(({ notice: { subject }, state }) => `${subject} ${state}`)
  assert.deepEqual([states.toSorted(), received.length], [['large failed', 'small sent'], 2])
  assert.equal((await requireEndpoint(member.db, endpointId)).endedAt, null)
})

test('a receiver that hangs delays only its own messages, and its member can remove it meanwhile', async () => {
  await using receiver = await openReceiver(300)
  const member = await receiver.world.join()
  const { endpointId } = await receiver.add(member)
  receiver.respond('hang')
  await receiver.queue(member, notice())
  const sending = receiver.sendDue()
  await member.db.write((tx) => removeEndpoint(tx, endpointId))
  await sending
  assert.deepEqual(await listEndpoints(member.db), [])
  assert.deepEqual(await listDeliveries(member.db, endpointId, 5), [])
})

test('a receiver that hangs does not delay what is queued for others meanwhile', async () => {
  await using receiver = await openReceiver(HOUR)
  const { world, received } = receiver
  const [slow, quick] = [await world.join(), await world.join()]
  await receiver.add(slow, { address: `${receiver.origin}/slow` })
  await receiver.add(quick, { address: `${receiver.origin}/quick` })
  // After a prompt answer, the host gets two requests at a time.
  await receiver.queue(quick, notice('first'))
  await receiver.sendDue()
  receiver.start()
  receiver.respond('hang')
  await receiver.queue(slow, notice())
  await until(() => received.length > 1)
  receiver.respond(200)
  await receiver.queue(quick, notice())
  await until(() => received.length > 2)
  assert.deepEqual(
    received.map(({ url }) => url),
    ['/quick', '/slow', '/quick'],
  )
  receiver.release()
})

test('two processes never send a message twice, and another continues after a crash', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const members = await Promise.all(Array.from({ length: 8 }, () => world.join()))
  for (const member of members) {
    await receiver.add(member)
    for (let index = 0; index < 5; index += 1) await receiver.queue(member, notice(`s ${index}`))
  }
  await using other = receiver.sender()
  await Promise.all([receiver.sendDue(), other.runDue()])
  while ((await receiver.sendDue()) > 0);
  const ids = received.map(({ headers }) => headers['webhook-id'])
  assert.deepEqual([ids.length, new Set(ids).size], [40, 40])
})

test('a message can be sent again with its ID', async () => {
  await using receiver = await openReceiver()
  const { world, received } = receiver
  const [member, other] = [await world.join(), await world.join()]
  const { endpointId } = await receiver.add(member)
  await receiver.add(other)
  await receiver.queue(member, notice())
  await receiver.sendDue()
  const id = received[0]?.headers['webhook-id'] ?? ''
  const again = (acting: Acting) =>
    acting.db.write((tx) => redeliver(tx, endpointId, id, world.clock.now()))
  assert.deepEqual(
    [await again(other), await again(member), await again(member)],
    [false, true, false],
  )
  await receiver.sendDue()
  assert.deepEqual(
    received.map(({ headers }) => headers['webhook-id']),
    [id, id],
  )
})
