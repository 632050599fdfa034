/** The address book over CardDAV, as clients use it. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { openDevice, phoneCard, responsesIn } from './fixtures/dav-device.ts'
import { rowsOf } from './fixtures/network.ts'
import { realCard } from './fixtures/real-cards.ts'
import { startTestService } from './support/service.ts'
import { DAY } from '../src/base/clock.ts'
import { forgetCards, forgetRemovedCards } from '../src/connections/cards/card-store.ts'
import { deleteConnections, restoreConnections } from '../src/connections/deletion/deletion.ts'
import { mergeConnections } from '../src/connections/duplicates/merge-connections.ts'
import { splitConnection } from '../src/connections/duplicates/split-connection.ts'
import { changeConnection } from '../src/connections/editing/edit.ts'
import { findConnection } from '../src/connections/model/connection-store.ts'
import { recordChange } from '../src/tools/activity.ts'
import { memberStatement } from '../src/db/statement.ts'
import { tagsOf } from '../src/connections/model/tag-store.ts'
import type { ConnectionChanges } from '../src/connections/editing/edit.ts'
import type { TestServiceOptions } from './support/service.ts'
import { onOneEngine } from './support/engine-options.ts'

const FROM_MONICA = memberStatement()(
  "update connections set source = 'monica' where member_id = :member_id",
)

async function open(options: TestServiceOptions = {}) {
  const service = await startTestService(options)
  const ada = await service.addMember({ email: 'ada@example.org' })
  const phone = await openDevice(service, ada)
  const db = service.database.member(ada.memberId)
  return {
    service,
    ada,
    phone,
    db,
    edit: async (id: number, changes: Partial<ConnectionChanges>) => {
      await db.write(async (tx) => {
        const before = await findConnection(tx, id)
        assert.ok(before)
        await changeConnection(
          tx,
          before,
          { values: {}, lists: {}, ...changes },
          service.clock.now(),
        )
      })
    },
    person: async (id: number) => {
      const connection = await findConnection(db, id)
      assert.ok(connection)
      return connection
    },
    tags: async (id: number) => ((await tagsOf(db, [id])).get(id) ?? []).map(({ tag }) => tag),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

const PROPFIND = (...names: string[]) =>
  `<?xml version="1.0"?><A:propfind xmlns:A="DAV:" xmlns:B="urn:ietf:params:xml:ns:carddav" xmlns:C="http://calendarserver.org/ns/"><A:prop>${names.map((name) => `<${name}/>`).join('')}</A:prop></A:propfind>`

test('a client finds the address book from the host alone', async () => {
  await using world = await open()
  const { service, phone, ada } = world
  for (const method of ['GET', 'PROPFIND', 'REPORT']) {
    const redirect = await fetch(`${service.url}/.well-known/carddav`, {
      method,
      redirect: 'manual',
    })
    assert.deepEqual([redirect.status, redirect.headers.get('location')], [301, '/dav/'])
  }
  const unknown = await fetch(`${service.url}/dav/`, { method: 'PROPFIND', redirect: 'manual' })
  assert.equal(unknown.status, 401)
  assert.match(
    unknown.headers.get('www-authenticate') ?? '',
    /^Basic realm="[^"]+", charset="UTF-8"$/,
  )
  const options = await fetch(service.url + phone.book, { method: 'OPTIONS' })
  assert.equal(options.headers.get('dav'), '1, 3, access-control, addressbook')
  assert.match(options.headers.get('allow') ?? '', /PROPFIND.*REPORT/)
  const principal = `/dav/${ada.memberId}/`
  for (const path of ['/', '/dav/', '/dav', principal]) {
    const found = await phone.send('PROPFIND', path, PROPFIND('A:current-user-principal'), {
      depth: '0',
    })
    assert.equal(found.status, 207, path)
    assert.ok(found.text.includes(`<D:current-user-principal><D:href>${principal}</D:href>`), path)
  }
  const home = await phone.send(
    'PROPFIND',
    principal,
    PROPFIND('B:addressbook-home-set', 'A:resourcetype', 'A:nothing'),
    { depth: '1' },
  )
  const responses = responsesIn(home.text)
  assert.deepEqual(
    responses.map(({ href }) => href),
    [principal, phone.book],
  )
  assert.match(responses[0]?.xml ?? '', /addressbook-home-set><D:href>\/dav\/\d+\/<.*404 Not Found/)
  assert.match(responses[1]?.xml ?? '', /<D:collection\/><C:addressbook\/>/)
  const infinity = await phone.send('PROPFIND', phone.book, '', { depth: 'infinity' })
  assert.equal(infinity.status, 403)
  assert.match(infinity.text, /<D:propfind-finite-depth\/>/)
  assert.equal(
    (await phone.send('PROPFIND', `/dav/${ada.memberId + 1}/`, '', { depth: '0' })).status,
    404,
  )
})

test('the password of a device is checked for the username and the email, and for nothing else', async () => {
  await using world = await open()
  const { service, phone } = world
  const [, secret] = phone.credentials
  const status = async (user: string, password: string, path = '/dav/') => {
    const authorization = `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`
    const answer = await fetch(service.url + path, {
      method: 'PROPFIND',
      headers: { authorization, depth: '0' },
    })
    return answer.status
  }
  for (const user of ['ada', 'ADA', 'Ada@Example.org', 'ada%40example.org'])
    assert.equal(await status(user, secret), 207, user)
  assert.equal(await status('ada', secret.replaceAll('-', ' ').toUpperCase()), 207)
  for (let round = 0; round < 50; round++) assert.equal(await status('ada', `${secret}x`), 401)
  assert.equal(await status('grace', secret), 401)
  assert.equal(await status('ada', ''), 401)
  assert.equal(await status('ada', secret), 207)
  const mcp = await fetch(`${service.url}/mcp`, {
    method: 'POST',
    headers: { authorization: `Bearer ${secret}` },
    body: '{}',
  })
  assert.equal(mcp.status, 401)
})

test('1,000 cards of many dialects come back byte for byte', onOneEngine, async () => {
  await using world = await open({
    davBurst: null,
    rateLimits: { dav: { quota: 100_000, window: 60 } },
  })
  const { phone } = world
  const cards = fc
    .sample(fc.nat(1e9), { numRuns: 1000, seed: 7 })
    .map((seed, index) => fc.sample(realCard(index), { numRuns: 1, seed })[0] ?? '')
  for (const [index, card] of cards.entries()) {
    const answer = await phone.put(`card-${index}.vcf`, card, { 'if-none-match': '*' })
    assert.equal(answer.status, 201, answer.text)
  }
  const etags = await phone.list()
  assert.equal(etags.size, 1000)
  for (const [index, card] of cards.entries()) {
    const answer = await phone.get(`card-${index}.vcf`)
    assert.equal(answer.text, card)
    assert.equal(answer.headers.get('etag'), etags.get(`card-${index}.vcf`))
  }
  assert.deepEqual(await phone.list(), etags)
})

test('a change here patches the card, and a change there edits the person', async () => {
  await using world = await open()
  const { phone, edit, person, tags, service } = world
  const card = phoneCard(
    'u-1',
    'Ann Lee',
    'item1.EMAIL;type=INTERNET:Ann@Example.org',
    'item1.X-ABLabel:Club',
    'X-KEEP;A=b:c',
    'NOTE:mine',
  )
  const put = await phone.put('a b.vcf', card)
  assert.deepEqual([put.status, put.headers.get('location')], [201, `${phone.book}a%20b.vcf`])
  const etag = put.headers.get('etag') ?? ''
  assert.match(etag, /^"[^"]+"$/)
  const ann = await person(1)
  assert.deepEqual(
    [ann.name, ann.emails, ann.details.labels, ann.source],
    ['Ann Lee', ['ann@example.org'], { 'ann@example.org': 'Club' }, 'contacts_app'],
  )
  const { token } = await phone.sync()
  assert.deepEqual((await phone.sync(token)).changed, [])

  await edit(1, { values: { title: 'CEO' }, lists: { tags: { add: ['friends'], remove: [] } } })
  const patched = await phone.get('a b.vcf')
  assert.equal(
    patched.text,
    card.replace('END:VCARD', 'TITLE:CEO\r\nCATEGORIES:friends\r\nEND:VCARD'),
  )
  assert.deepEqual((await phone.sync(token)).changed, ['a b.vcf'])
  const late = await phone.put('a b.vcf', card, { 'if-match': etag })
  assert.equal(late.status, 412)

  const next = patched.text
    .replace('TITLE:CEO', 'TITLE:CTO')
    .replace('Ann@Example.org', 'ann@other.example.org')
    .replace('friends', 'friends,family')
  const now = service.clock.now()
  const saved = await phone.put('a b.vcf', next, { 'if-match': patched.headers.get('etag') ?? '' })
  assert.equal(saved.status, 204)
  const edited = await person(1)
  assert.deepEqual(
    [edited.title, edited.emails, await tags(1)],
    ['CTO', ['ann@other.example.org'], ['family', 'friends']],
  )
  assert.deepEqual(
    [edited.fieldSources.title, edited.fieldSources['@title']],
    ['contacts_app', now],
  )
  const read = await phone.get('a b.vcf')
  assert.deepEqual([read.text, read.headers.get('etag')], [next, saved.headers.get('etag')])
  const again = await phone.put('a b.vcf', next)
  assert.deepEqual([again.status, again.headers.get('etag')], [204, saved.headers.get('etag')])
  assert.deepEqual(
    await rowsOf(world.service, { caller: { memberId: world.ada.memberId } } as never, 'notes'),
    [],
  )
})

test('a person of Weft gets a card, and private parts stay here', async () => {
  await using world = await open()
  const { phone, db, service } = world
  const names = await db.write(async (tx) => {
    const { storeUnlessDuplicate } = await import('../src/connections/editing/add-connection.ts')
    for (const name of ['Bo Ek', 'Partial Person'])
      await storeUnlessDuplicate(
        { tx, now: service.clock.now() },
        {
          name,
          emails: [`${name[0]}@example.org`],
          note: 'SECRET NOTE',
          tags: name.startsWith('P') ? ['partial'] : ['team'],
        },
      )
    return tx.memberId
  })
  assert.ok(names)
  await db.write((tx) => tx.run(FROM_MONICA, {}))
  const listed = await phone.list()
  assert.equal(listed.size, 1)
  const [[name = '', etag] = []] = listed
  const { text, headers } = await phone.get(name)
  assert.equal(headers.get('etag'), etag)
  assert.match(
    text,
    /^BEGIN:VCARD\r\nVERSION:3.0\r\n[^]*N:Ek;Bo;;;\r\n[^]*EMAIL;TYPE=INTERNET:b@example.org\r\nCATEGORIES:team\r\nEND:VCARD\r\n$/,
  )
  assert.doesNotMatch(text, /SECRET/)
})

test('hrefs outlive delete, restore, merge, split and undo', async () => {
  await using world = await open()
  const { phone, db, service } = world
  const now = () => service.clock.now()
  const cards = new Map<string, string>()
  for (const [index, name] of ['Ann Lee', 'Bo Ek', 'Cy Oh'].entries()) {
    const card = phoneCard(`u${index}`, name, `X-ID:${index}`)
    cards.set(`${index}.vcf`, card)
    await phone.put(`${index}.vcf`, card)
  }
  const etags = await phone.list()
  let { token } = await phone.sync()
  const step = async () => {
    const answer = await phone.sync(token)
    token = answer.token
    return [answer.changed.toSorted(), answer.removed.toSorted()]
  }
  await db.write((tx) => deleteConnections(tx, ['c_1'], now()))
  assert.deepEqual(await step(), [[], ['0.vcf']])
  assert.equal((await phone.get('0.vcf')).status, 404)
  await db.write((tx) => restoreConnections(tx, ['c_1'], now()))
  assert.deepEqual(await step(), [['0.vcf'], []])
  assert.equal((await phone.get('0.vcf')).text, cards.get('0.vcf'))

  await db.write(async (tx) => {
    const { change } = await mergeConnections(tx, 'c_2', ['c_3'], now())
    await recordChange(tx, { credentialId: null, actor: 'Ada', now: now() }, change)
  })
  const [changed, removed] = await step()
  assert.deepEqual(removed, ['2.vcf'])
  assert.ok(changed?.every((name) => name === '1.vcf'))
  await db.write((tx) => splitConnection(tx, { connectionId: 'c_2' }, now()))
  await step()
  const read = await phone.get('2.vcf')
  assert.equal(read.text, cards.get('2.vcf'))
  assert.deepEqual([...(await phone.list()).keys()].toSorted(), [...etags.keys()].toSorted())
  // A device deletes softly, and its href can be used again.
  assert.equal(
    (await phone.send('DELETE', `${phone.book}0.vcf`, undefined, { 'if-match': '"other"' })).status,
    412,
  )
  assert.equal((await phone.send('DELETE', `${phone.book}0.vcf`)).status, 204)
  assert.equal((await phone.send('DELETE', `${phone.book}0.vcf`)).status, 404)
  assert.deepEqual(await step(), [[], ['0.vcf']])
  assert.equal((await phone.put('0.vcf', cards.get('0.vcf') ?? '')).status, 201)
  assert.deepEqual(await step(), [['0.vcf'], []])
  assert.equal((await findConnection(db, 1))?.deletedAt, null)
})

test('the bytes of purged people are deleted, and devices learn for a while that they are gone', async () => {
  await using world = await open()
  const { phone, db, service } = world
  for (const name of ['Ann Lee', 'Bo Ek']) await phone.put(`${name[0]}.vcf`, phoneCard(name, name))
  const { token } = await phone.sync()
  await phone.send('DELETE', `${phone.book}A.vcf`)
  await db.write((tx) => forgetCards(tx, [1]))
  assert.deepEqual((await phone.sync(token)).removed, ['A.vcf'])
  const texts = await db.all(CARD_TEXTS, {})
  assert.deepEqual(
    texts.map(({ text }) => Buffer.from(text).toString().includes('Ann Lee')),
    [false],
  )
  service.clock.advance(DAY)
  await db.write((tx) => forgetRemovedCards(tx, service.clock.now()))
  // The token is older than what is known of removed cards.
  assert.equal((await phone.sync(token)).status, 403)
  assert.deepEqual((await phone.sync()).changed, ['B.vcf'])
})

const CARD_TEXTS = memberStatement<object, { text: Uint8Array }>()(
  'select text from card_texts where member_id = :member_id',
)

test('sync-collection continues exactly where a limit ended, and rejects foreign tokens', async () => {
  await using world = await open()
  const { phone } = world
  for (let index = 0; index < 7; index++)
    await phone.put(`${index}.vcf`, phoneCard(`u${index}`, `Person ${index}`))
  await phone.send('DELETE', `${phone.book}3.vcf`)
  const seen = new Set<string>()
  let token = ''
  for (let page = 0; ; page++) {
    const answer = await phone.sync(token, 2)
    for (const name of answer.changed) seen.add(name)
    for (const name of answer.removed) seen.delete(name)
    assert.ok(answer.changed.length + answer.removed.length <= 2)
    token = answer.token
    if (!answer.isTruncated) break
    assert.ok(page < 10)
  }
  assert.deepEqual([...seen].toSorted(), ['0.vcf', '1.vcf', '2.vcf', '4.vcf', '5.vcf', '6.vcf'])
  for (const foreign of [
    'http://sabre.io/ns/sync/5',
    'urn:weft:sync:9999:',
    'urn:weft:sync:1:other',
    'x',
  ]) {
    const { status } = await phone.sync(foreign)
    assert.equal(status, 403, foreign)
  }
  const refused = await phone.send(
    'REPORT',
    phone.book,
    '<D:sync-collection xmlns:D="DAV:"><D:sync-token>x</D:sync-token><D:prop/></D:sync-collection>',
    { depth: '1' },
  )
  assert.match(refused.text, /<D:valid-sync-token\/>/)
})

test('reports return cards by href in any encoding, and by filters', async () => {
  await using world = await open()
  const { phone } = world
  await phone.put(
    'ä (1).vcf',
    phoneCard('u1', 'Ann Lee', 'item1.EMAIL:a@example.org', 'CATEGORIES:x'),
  )
  await phone.put('b.vcf', phoneCard('u2', 'Bo Ek', 'TEL;TYPE=CELL:1'))
  const multiget = async (...hrefs: string[]) => {
    const body = `<C:addressbook-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/><C:address-data/></D:prop>${hrefs.map((href) => `<D:href>${href}</D:href>`).join('')}</C:addressbook-multiget>`
    return responsesIn((await phone.send('REPORT', phone.book, body, { depth: '1' })).text)
  }
  const canonical = `${phone.book}%C3%A4%20%281%29.vcf`
  for (const href of [
    canonical,
    `${phone.book}ä (1).vcf`,
    `${phone.book}%c3%a4%20(1).vcf`,
    `http://other.example${canonical}`,
  ]) {
    const [found] = await multiget(href)
    assert.equal(found?.href, canonical, href)
    assert.match(found?.xml ?? '', /FN:Ann Lee&#13;\n/)
  }
  const missing = await multiget(`${phone.book}none.vcf`, '/elsewhere/b.vcf', `${phone.book}b.vcf`)
  assert.deepEqual(
    missing.map(({ xml }) => xml.includes(' 404 ')),
    [true, true, false],
  )
  const query = async (filter: string, more = '') => {
    const body = `<C:addressbook-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><D:getetag/></D:prop><C:filter test="allof">${filter}</C:filter>${more}</C:addressbook-query>`
    return responsesIn((await phone.send('REPORT', phone.book, body, { depth: '1' })).text).map(
      ({ href }) => href.slice(-5),
    )
  }
  const match = (name: string, type: string, text: string, negate = 'no') =>
    `<C:prop-filter name="${name}"><C:text-match match-type="${type}" negate-condition="${negate}">${text}</C:text-match></C:prop-filter>`
  assert.deepEqual(await query(match('fn', 'starts-with', 'ann')), ['9.vcf'])
  assert.deepEqual(await query(match('EMAIL', 'ends-with', 'ORG')), ['9.vcf'])
  assert.deepEqual(await query(match('FN', 'contains', 'ann', 'yes')), ['b.vcf'])
  assert.deepEqual(await query('<C:prop-filter name="EMAIL"><C:is-not-defined/></C:prop-filter>'), [
    'b.vcf',
  ])
  assert.deepEqual(
    await query(
      '<C:prop-filter name="TEL"><C:param-filter name="TYPE"><C:text-match match-type="equals">cell</C:text-match></C:param-filter></C:prop-filter>',
    ),
    ['b.vcf'],
  )
  assert.deepEqual(await query('', '<C:limit><C:nresults>1</C:nresults></C:limit>'), [
    '9.vcf',
    'acts/',
  ])
})

test('an answer grows with the cards, not with what a request repeats', async () => {
  await using world = await open()
  const { phone } = world
  await phone.put('one.vcf', phoneCard('one', 'One Card'))
  const depth = { depth: '1' }
  const repeated = Array.from({ length: 1000 }, () => 'A:getetag')
  const once = await phone.send('PROPFIND', phone.book, PROPFIND('A:getetag'), depth)
  const often = await phone.send('PROPFIND', phone.book, PROPFIND(...repeated), depth)
  assert.deepEqual([often.status, often.text], [207, once.text])
  const many = Array.from({ length: 101 }, (_, at) => `A:x${at}`)
  for (const names of [many, [`A:${'x'.repeat(20_000)}`]]) {
    const { status, text } = await phone.send('PROPFIND', phone.book, PROPFIND(...names), depth)
    assert.equal(status, 400)
    assert.match(text, /names too many properties/)
  }
  const report = (name: string, content: string) =>
    phone.send(
      'REPORT',
      phone.book,
      `<B:${name} xmlns:A="DAV:" xmlns:B="urn:ietf:params:xml:ns:carddav"><A:prop>${'<B:address-data/>'.repeat(1000)}</A:prop>${content}</B:${name}>`,
      depth,
    )
  const hrefs = `<A:href>${phone.book}one.vcf</A:href>`.repeat(1000)
  const read = await report('addressbook-multiget', hrefs)
  assert.equal(read.text.split('BEGIN:VCARD').length, 2)
  const filters = '<B:prop-filter name="FN"/>'.repeat(201)
  const refused = await report('addressbook-query', `<B:filter>${filters}</B:filter>`)
  assert.equal(refused.status, 403)
  assert.match(refused.text, /<C:supported-filter\/>/)
})

test('a filter can name a group and a parameter, and quotation marks keep commas and semicolons together', async () => {
  await using world = await open()
  const { phone } = world
  await phone.put(
    'a.vcf',
    phoneCard('u1', 'Ann Lee', 'item1.EMAIL;X-A="Hi, you; me":a@example.org', 'item1.X-ABLabel:l'),
  )
  await phone.put(
    'b.vcf',
    phoneCard('u2', 'Bo Ek', 'EMAIL:b@example.org', 'TEL;TYPE=CELL:1', 'TEL:2'),
  )
  const send = async (prop: string, filter: string) => {
    const body = `<C:addressbook-query xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop>${prop}</D:prop><C:filter>${filter}</C:filter></C:addressbook-query>`
    return responsesIn((await phone.send('REPORT', phone.book, body)).text)
  }
  const query = async (name: string, content: string) => {
    const filter = `<C:prop-filter name="${name}">${content}</C:prop-filter>`
    return (await send('<D:getetag/>', filter)).map(({ href }) => href.slice(-5))
  }
  const match = (text: string) => `<C:text-match>${text}</C:text-match>`
  const parameter = (name: string, content: string) =>
    `<C:param-filter name="${name}">${content}</C:param-filter>`
  assert.deepEqual(await query('email', match('@example')), ['a.vcf', 'b.vcf'])
  assert.deepEqual(await query('ITEM1.email', match('@example')), ['a.vcf'])
  assert.deepEqual(await query('item1.EMAIL', '<C:is-not-defined/>'), ['b.vcf'])
  assert.deepEqual(await query('item2.EMAIL', match('@example')), [])
  assert.deepEqual(await query('EMAIL', parameter('X-A', match('hi, you; me'))), ['a.vcf'])
  assert.deepEqual(await query('EMAIL', match('me&quot;:a')), [])
  // None of several values may have the parameter.
  assert.deepEqual(await query('TEL', parameter('TYPE', '<C:is-not-defined/>')), [])
  assert.deepEqual(await query('EMAIL', parameter('X-A', '<C:is-not-defined/>')), ['b.vcf'])
  const [part] = await send(
    '<C:address-data><C:prop name="item1.EMAIL"/></C:address-data>',
    '<C:prop-filter name="item1.EMAIL"/>',
  )
  assert.match(part?.xml ?? '', /UID:u1.*item1\.EMAIL|item1\.EMAIL.*UID:u1/s)
  assert.doesNotMatch(part?.xml ?? '', /X-ABLabel|PRODID/)
})

test('a card that cannot be stored gets the precise error, and nothing is stored', async () => {
  await using world = await open()
  const { phone, db, service } = world
  await phone.put('a.vcf', phoneCard('u1', 'Ann Lee'))
  const before = await service.everything()
  const refused = async (
    name: string,
    body: string | Uint8Array,
    headers: Record<string, string> = {},
  ) => {
    const { status, text } = await phone.send('PUT', phone.book + name, body, headers)
    return `${status} ${/<D:error[^>]*><(\S+?)[\s/>]/.exec(text)?.[1]}`
  }
  assert.equal(await refused('b.vcf', 'hello'), '403 C:valid-address-data')
  assert.equal(
    await refused('b.vcf', phoneCard('u2', 'A B') + phoneCard('u3', 'C D')),
    '403 C:valid-address-data',
  )
  assert.equal(
    await refused('b.vcf', phoneCard('u2', 'A B').replace(/UID.*\r\n/, '')),
    '403 C:valid-address-data',
  )
  assert.equal(
    await refused('b.vcf', phoneCard('u2', 'A B').replace('3.0', '2.1')),
    '415 C:supported-address-data',
  )
  assert.equal(await refused('b.vcf', phoneCard('u1', 'A B')), '409 C:no-uid-conflict')
  assert.equal(await refused('a.vcf', phoneCard('u2', 'A B')), '409 C:no-uid-conflict')
  assert.equal(
    await refused('a.vcf', phoneCard('u1', 'A B'), { 'if-none-match': '*' }),
    '412 D:precondition-failed',
  )
  assert.equal(
    await refused('b.vcf', phoneCard('u2', 'A B'), { 'if-match': '*' }),
    '412 D:precondition-failed',
  )
  assert.equal(
    await refused('b%00.vcf', phoneCard('u2', 'A B')).then((one) => one.slice(0, 3)),
    '403',
  )
  const photo = `PHOTO;ENCODING=b;TYPE=JPEG:${'A'.repeat(11 * 1024 * 1024)}`
  assert.equal(await refused('b.vcf', phoneCard('u2', 'A B', photo)), '403 C:max-resource-size')
  const long = Array.from({ length: 6000 }, (_, index) => `X-L${index}:${'a'.repeat(1000)}`)
  assert.equal(await refused('b.vcf', phoneCard('u2', 'A B', ...long)), '403 C:valid-address-data')
  for (const body of [
    '<!DOCTYPE x [<!ENTITY a "b">]><propfind xmlns="DAV:"/>',
    '<a',
    '<a>'.repeat(100),
    'x',
    '<a/>',
  ])
    assert.equal(
      (await phone.send('PROPFIND', phone.book, body, { depth: '0' })).status,
      400,
      body.slice(0, 20),
    )
  assert.equal((await phone.send('REPORT', phone.book, '<x xmlns="DAV:"/>')).status, 403)
  assert.equal((await phone.list()).size, 1)
  assert.equal(await findConnection(db, 2), undefined)
  assert.ok(before.length > 0)
})

test('a card of version 4.0 is stored as it came and served as 3.0', async () => {
  await using world = await open()
  const { phone } = world
  const card = [
    'BEGIN:VCARD',
    'VERSION:4.0',
    'UID:urn:uuid:4',
    'FN:Ann Lee',
    'BDAY:--1130',
    'X-A:b',
    'END:VCARD',
    '',
  ].join('\r\n')
  const put = await phone.put('a.vcf', card)
  assert.deepEqual([put.status, put.headers.get('etag')], [201, null])
  assert.match(
    (await phone.get('a.vcf')).text,
    /VERSION:3.0[^]*BDAY;X-APPLE-OMIT-YEAR=1604:1604-11-30/,
  )
  const whole = await phone.send('GET', `${phone.book}a.vcf`, undefined, {
    accept: 'text/vcard; version=4.0',
  })
  assert.equal(whole.text, card)
})

test('groups are tags, in one place', async () => {
  await using world = await open()
  const { phone, tags, edit } = world
  const group = (...uids: string[]) =>
    [
      'BEGIN:VCARD',
      'VERSION:3.0',
      'N:Friends;;;;',
      'FN:Friends',
      'X-ADDRESSBOOKSERVER-KIND:group',
      ...uids.map((uid) => `X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:${uid}`),
      'UID:g',
      'END:VCARD',
      '',
    ].join('\r\n')
  await phone.put('g.vcf', group('u1', 'u2'))
  for (const [index, name] of ['Ann Lee', 'Bo Ek', 'Cy Oh'].entries())
    await phone.put(`${index + 1}.vcf`, phoneCard(`u${index + 1}`, name))
  await phone.list()
  assert.deepEqual([await tags(1), await tags(2), await tags(3)], [['Friends'], ['Friends'], []])
  assert.equal((await phone.get('1.vcf')).text, phoneCard('u1', 'Ann Lee'))
  assert.equal((await phone.get('g.vcf')).text, group('u1', 'u2'))
  await edit(3, { lists: { tags: { add: ['friends'], remove: [] } } })
  assert.deepEqual(await tags(3), ['Friends'])
  await phone.put('4.vcf', phoneCard('u4', 'Di Pu', 'CATEGORIES:FRIENDS,Golf,golf'))
  assert.deepEqual(await tags(4), ['Friends', 'golf'])
  await edit(4, { lists: { tags: { add: [], remove: ['friends'] } } })
  await edit(1, { lists: { tags: { add: [], remove: ['Friends'] } } })
  assert.equal((await phone.get('g.vcf')).text, group('u2', 'u3'))
  assert.equal(
    (await phone.put('g.vcf', group('u3', 'u1').replaceAll('Friends', 'Club'))).status,
    204,
  )
  assert.deepEqual([await tags(1), await tags(2), await tags(3)], [['Club'], [], ['Club']])
  assert.equal((await phone.send('DELETE', `${phone.book}g.vcf`)).status, 204)
  assert.deepEqual([await tags(1), await tags(3)], [[], []])
})

test('a device with a tag sees only people with the tag, and others leave it', async () => {
  await using world = await open()
  const { phone, edit, service, ada, tags } = world
  const work = await openDevice(service, ada, { name: 'Work', tag: 'Team' })
  for (const [index, name] of ['Ann Lee', 'Bo Ek'].entries())
    await phone.put(
      `${index + 1}.vcf`,
      phoneCard(`u${index + 1}`, name, ...(index === 0 ? ['CATEGORIES:team'] : [])),
    )
  const first = await work.sync()
  assert.deepEqual(first.changed, ['1.vcf'])
  assert.equal((await work.get('2.vcf')).status, 404)
  await edit(1, { lists: { tags: { add: [], remove: ['team'] } } })
  await edit(2, { lists: { tags: { add: ['team'], remove: [] } } })
  const second = await work.sync(first.token)
  assert.deepEqual([second.changed, second.removed], [['2.vcf'], ['1.vcf']])
  assert.deepEqual([...(await work.list()).keys()], ['2.vcf'])
  const put = await work.put('3.vcf', phoneCard('u3', 'Cy Oh'))
  assert.deepEqual([put.status, put.headers.get('etag')], [201, null])
  assert.deepEqual(await tags(3), ['team'])
  assert.match((await work.get('3.vcf')).text, /CATEGORIES:team/)
  assert.equal((await phone.sync(first.token)).status, 403)
})

test('a device that may only read changes nothing', async () => {
  await using world = await open()
  const { phone, service, ada } = world
  await phone.put('a.vcf', phoneCard('u1', 'Ann Lee'))
  const reader = await openDevice(service, ada, { name: 'Reader', readOnly: true })
  const refused = await reader.put('b.vcf', phoneCard('u2', 'Bo Ek'))
  assert.equal(refused.status, 403)
  assert.match(refused.text, /<D:need-privileges\/>/)
  assert.equal((await reader.send('DELETE', `${reader.book}a.vcf`)).status, 403)
  const { text } = await reader.send(
    'PROPFIND',
    reader.book,
    PROPFIND('A:current-user-privilege-set'),
    { depth: '0' },
  )
  assert.doesNotMatch(text, /write-content|bind/)
  assert.equal((await reader.get('a.vcf')).status, 200)
})

test('a device of another member finds, changes and deletes nothing', async () => {
  await using world = await open()
  const { phone, service, person } = world
  await phone.put('a.vcf', phoneCard('u1', 'Ann Lee', 'NOTE:xylophage'))
  const grace = await openDevice(
    service,
    await service.addMember({ username: 'grace', name: 'Grace' }),
  )
  const card = `${phone.book}a.vcf`
  const hrefs = `<C:addressbook-multiget xmlns:D="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><D:prop><C:address-data/></D:prop><D:href>${card}</D:href></C:addressbook-multiget>`
  const answers = [
    await grace.send('GET', card),
    await grace.send('PUT', card, phoneCard('u1', 'Eve Lee')),
    await grace.send('DELETE', card),
    await grace.send('PROPFIND', phone.book, '', { depth: '1' }),
    await grace.send('PROPFIND', card, '', { depth: '0' }),
    await grace.send('REPORT', phone.book, hrefs),
  ]
  for (const { status, text } of answers) {
    assert.equal(status, 404)
    assert.doesNotMatch(text, /xylophage|Ann/)
  }
  const multiget = await grace.send('REPORT', grace.book, hrefs)
  assert.match(multiget.text, /404 Not Found/)
  assert.doesNotMatch(multiget.text, /xylophage/)
  assert.equal((await grace.put('a.vcf', phoneCard('u1', 'Own Card'))).status, 201)
  assert.equal((await person(1)).name, 'Ann Lee')
  assert.match((await phone.get('a.vcf')).text, /xylophage/)
})

test('a device that asks too often waits, and loses no card', async () => {
  await using world = await open({ rateLimits: { dav: { quota: 3, window: 60 } } })
  const { phone, service } = world
  const statuses: number[] = []
  for (let index = 0; index < 4; index++) {
    const { status, headers } = await phone.put(
      `${index}.vcf`,
      phoneCard(`u${index}`, `Person ${index}`),
    )
    statuses.push(status)
    if (status === 429) assert.equal(headers.get('retry-after'), '60')
  }
  assert.deepEqual(statuses, [201, 201, 201, 429])
  service.clock.advance(60_000)
  assert.equal((await phone.put('3.vcf', phoneCard('u3', 'Person 3'))).status, 201)
  assert.equal((await phone.list()).size, 4)
})
