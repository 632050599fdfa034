/** vdirsyncer with khard, real clients, sync both ways with the address book. Requests of other clients are sent as they send them. */

import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { openDevice, phoneCard, responsesIn } from './fixtures/dav-device.ts'
import { startTestService } from './support/service.ts'
import { createDevice } from '../src/access/device-password.ts'
import { changeConnection } from '../src/connections/editing/edit.ts'
import { findConnection } from '../src/connections/model/connection-store.ts'

const run = promisify(execFile)

const withoutVdirsyncer = {
  skip: spawnSync('vdirsyncer', ['--version']).status !== 0 && 'needs vdirsyncer',
}

async function openVdirsyncer() {
  const service = await startTestService({ davBurst: null })
  const ada = await service.addMember()
  const db = service.database.member(ada.memberId)
  const folder = await mkdtemp(join(tmpdir(), 'weft-vdirsyncer-'))
  const { password } = await db.write((tx) =>
    createDevice(tx, { name: 'vdirsyncer', readOnly: false, tag: null }, service.clock.now()),
  )
  const local = join(folder, 'local')
  await mkdir(join(local, 'contacts'), { recursive: true })
  const config = join(folder, 'config')
  await writeFile(
    config,
    `[general]
status_path = "${folder}/status/"
[pair weft]
a = "local"
b = "remote"
collections = ["contacts"]
conflict_resolution = "b wins"
[storage local]
type = "filesystem"
path = "${local}"
fileext = ".vcf"
[storage remote]
type = "carddav"
url = "${service.url}/"
username = "ada"
password = "${password}"
`,
  )
  const vdirsyncer = (...args: string[]) =>
    run('vdirsyncer', ['-c', config, ...args], { env: { ...process.env, HOME: folder } })
  const files = join(local, 'contacts')
  return {
    service,
    ada,
    db,
    files,
    folder,
    vdirsyncer,
    sync: () => vdirsyncer('sync'),
    cards: async () => {
      const names = (await readdir(files)).toSorted()
      return Promise.all(
        names.map(async (name) => [name, await readFile(join(files, name), 'utf8')] as const),
      )
    },
    async [Symbol.asyncDispose]() {
      await rm(folder, { recursive: true })
      await service[Symbol.asyncDispose]()
    },
  }
}

test(
  'vdirsyncer discovers the book and syncs additions, changes, conflicts and deletions both ways',
  withoutVdirsyncer,
  async () => {
    await using world = await openVdirsyncer()
    const { files, db, service, ada } = world
    await world.vdirsyncer('discover')
    const cards = Array.from({ length: 20 }, (_, index) =>
      phoneCard(`v${index}`, `Person ${index}`, `TEL:${index}`, 'X-KEEP:1'),
    )
    for (const [index, card] of cards.entries()) await writeFile(join(files, `v${index}.vcf`), card)
    await world.sync()
    const phone = await openDevice(service, ada)
    assert.equal((await phone.list()).size, 20)
    // A change on each side, a deletion on each side, and a conflict.
    const edit = (id: number, title: string) =>
      db.write(async (tx) => {
        const before = await findConnection(tx, id)
        if (before)
          await changeConnection(tx, before, { values: { title }, lists: {} }, service.clock.now())
      })
    const nameOf = async (id: number) => (await findConnection(db, id))?.name ?? ''
    const ids = new Map<string, number>()
    for (let id = 1; id <= 20; id++) ids.set(await nameOf(id), id)
    await edit(ids.get('Person 0') ?? 0, 'CEO')
    await writeFile(join(files, 'v1.vcf'), (cards[1] ?? '').replace('TEL:1', 'TEL:111'))
    await unlink(join(files, 'v2.vcf'))
    await phone.send(
      'DELETE',
      `${phone.book}${encodeURIComponent([...(await phone.list()).keys()].find((name) => name.startsWith('v3.')) ?? 'v3.vcf')}`,
    )
    await edit(ids.get('Person 4') ?? 0, 'Won here')
    await writeFile(join(files, 'v4.vcf'), (cards[4] ?? '').replace('TEL:4', 'TEL:444'))
    await world.sync().catch(() => world.sync())
    const local = new Map((await world.cards()).map(([name, card]) => [name, card]))
    const remote = await phone.list()
    assert.equal(local.size, 18)
    assert.equal(remote.size, 18)
    const texts = [...local.values()]
    assert.ok(texts.some((card) => card.includes('FN:Person 0') && card.includes('TITLE:CEO')))
    assert.deepEqual((await findConnection(db, ids.get('Person 1') ?? 0))?.phones, ['111'])
    assert.ok((await findConnection(db, ids.get('Person 2') ?? 0))?.deletedAt)
    assert.ok(texts.some((card) => card.includes('FN:Person 4') && card.includes('TITLE:Won here')))
    const before = await phone.sync()
    await world.sync()
    assert.deepEqual((await phone.sync(before.token)).changed, [])
    assert.equal((await world.cards()).length, 18)
  },
)

test(
  'khard reads a synced book and edits a person, and nothing else changes on the way back',
  {
    skip:
      withoutVdirsyncer.skip || (spawnSync('khard', ['--version']).status !== 0 && 'needs khard'),
  },
  async () => {
    await using world = await openVdirsyncer()
    const { db, service, ada, files, folder } = world
    const phone = await openDevice(service, ada)
    const photo = `PHOTO;ENCODING=b;TYPE=PNG:${PIXEL}`
    const more = [
      'TEL;TYPE=CELL:+49 30 1',
      'X-KEEP;A=b:1',
      'NOTE:a\\, b\\nc',
      'CATEGORIES:met',
      photo,
    ]
    const card = phoneCard('k1', 'Ann Lee', ...more)
    await phone.put('k1.vcf', card)
    await phone.put('k2.vcf', phoneCard('k2', 'Ben Ray'))
    const untouched = (await phone.list()).get('k2.vcf')
    await world.vdirsyncer('discover')
    await world.sync()
    const config = join(folder, 'khard.conf')
    await writeFile(
      config,
      `[addressbooks]\n[[weft]]\npath = ${files}\n[general]\neditor = /bin/true\nmerge_editor = /bin/true\n`,
    )
    const khard = (...args: string[]) => {
      const options = {
        env: { ...process.env, HOME: folder },
        input: 'y\n',
        encoding: 'utf8',
      } as const
      const { stdout, stderr, status } = spawnSync('khard', ['-c', config, ...args], options)
      assert.equal(status, 0, stderr)
      return stdout
    }
    assert.match(khard('list', '--parsable'), /k1\tAnn Lee\tweft/)
    assert.match(khard('phone', '--parsable'), /\+49 30 1\tAnn Lee/)
    const listed = khard('show', '--format=yaml', 'uid:k1')
    const edited = join(folder, 'edited.yaml')
    await writeFile(edited, listed.replace(/^Title *:.*$/m, 'Title : CTO'))
    khard('edit', '--input-file', edited, 'uid:k1')
    await world.sync()
    assert.equal((await findConnection(db, 1))?.title, 'CTO')
    const person = await findConnection(db, 1)
    assert.deepEqual([person?.name, person?.phones], ['Ann Lee', ['+49 30 1']])
    assert.equal(person?.details.photo !== undefined, true)
    const served = (await phone.get('k1.vcf')).text.replaceAll('\r\n ', '')
    for (const kept of ['X-KEEP', 'NOTE:a\\, b\\nc', 'CATEGORIES:met', PIXEL])
      assert.ok(served.includes(kept), `${kept}: ${served}`)
    assert.equal((await phone.list()).get('k2.vcf'), untouched)
    const { token } = await phone.sync()
    await world.sync()
    assert.deepEqual((await phone.sync(token)).changed, [])
    await db.write(async (tx) => {
      const before = await findConnection(tx, 1)
      if (before)
        await changeConnection(
          tx,
          before,
          { values: { title: 'CEO' }, lists: {} },
          service.clock.now(),
        )
    })
    await world.sync()
    assert.match(khard('show', '--format=yaml', 'uid:k1'), /^Title *: CEO$/m)
  },
)

/** A PNG of one pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNkYPhfDwAChwGA60e6kgAAAABJRU5ErkJggg=='

/** Requests as the clients write them; hosts and names are invented. */
const REQUESTS: readonly {
  client: string
  method: string
  path: (book: string) => string
  depth: string
  body: string
  expected: RegExp
}[] = [
  {
    client: 'iOS 19: account',
    method: 'PROPFIND',
    path: () => '/',
    depth: '0',
    body: '<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><A:current-user-principal/><A:principal-URL/><A:resourcetype/></A:prop></A:propfind>',
    expected: /<D:current-user-principal><D:href>\/dav\/\d+\/<\/D:href>/,
  },
  {
    client: 'iOS 19: home',
    method: 'PROPFIND',
    path: (book) => book.replace('contacts/', ''),
    depth: '0',
    body: '<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><B:addressbook-home-set xmlns:B="urn:ietf:params:xml:ns:carddav"/><B:directory-gateway xmlns:B="urn:ietf:params:xml:ns:carddav"/><A:displayname/><C:email-address-set xmlns:C="http://calendarserver.org/ns/"/><A:principal-collection-set/><A:principal-URL/><A:resource-id/><A:supported-report-set/></A:prop></A:propfind>',
    expected: /addressbook-home-set><D:href>.*directory-gateway.*404 Not Found/s,
  },
  {
    client: 'macOS 15: books',
    method: 'PROPFIND',
    path: (book) => book.replace('contacts/', ''),
    depth: '1',
    body: '<?xml version="1.0" encoding="UTF-8"?><A:propfind xmlns:A="DAV:"><A:prop><A:add-member/><E:bulk-requests xmlns:E="http://me.com/_namespace/"/><A:current-user-privilege-set/><A:displayname/><D:max-image-size xmlns:D="urn:ietf:params:xml:ns:carddav"/><D:max-resource-size xmlns:D="urn:ietf:params:xml:ns:carddav"/><C:me-card xmlns:C="http://calendarserver.org/ns/"/><A:owner/><C:push-transports xmlns:C="http://calendarserver.org/ns/"/><C:pushkey xmlns:C="http://calendarserver.org/ns/"/><A:quota-available-bytes/><A:quota-used-bytes/><A:resource-id/><A:resourcetype/><A:supported-report-set/><A:sync-token/></A:prop></A:propfind>',
    expected: /<C:addressbook\/>.*<D:sync-token>urn:weft:sync:/s,
  },
  {
    client: 'macOS 15: me card',
    method: 'PROPPATCH',
    path: (book) => book.replace('contacts/', ''),
    depth: '0',
    body: '<?xml version="1.0" encoding="UTF-8"?><A:propertyupdate xmlns:A="DAV:"><A:set><A:prop><B:me-card xmlns:B="http://calendarserver.org/ns/"><A:href>/x.vcf</A:href></B:me-card></A:prop></A:set></A:propertyupdate>',
    expected: /me-card.*HTTP\/1.1 200 OK/s,
  },
  {
    client: 'old iOS: sync with Depth 1',
    method: 'REPORT',
    path: (book) => book,
    depth: '1',
    body: '<?xml version="1.0" encoding="UTF-8"?><A:sync-collection xmlns:A="DAV:"><A:sync-token></A:sync-token><A:sync-level>1</A:sync-level><A:prop><A:getetag/></A:prop></A:sync-collection>',
    expected: /a\.vcf<\/D:href>.*<D:getetag>&quot;.*<D:sync-token>/s,
  },
  {
    client: 'iOS 19: cards',
    method: 'REPORT',
    path: (book) => book,
    depth: '1',
    body: '<?xml version="1.0" encoding="UTF-8"?><B:addressbook-multiget xmlns:B="urn:ietf:params:xml:ns:carddav"><A:prop xmlns:A="DAV:"><A:getetag/><B:address-data/></A:prop><A:href xmlns:A="DAV:">BOOKa.vcf</A:href></B:addressbook-multiget>',
    expected: /a\.vcf<\/D:href>.*<D:getetag>&quot;.*NOTE:n&#13;/s,
  },
  {
    client: 'macOS 15: principal',
    method: 'REPORT',
    path: (book) => book.replace('contacts/', ''),
    depth: '0',
    body: '<?xml version="1.0" encoding="UTF-8"?><A:expand-property xmlns:A="DAV:"><A:property name="addressbook-home-set" namespace="urn:ietf:params:xml:ns:carddav"><A:property name="displayname"/></A:property><A:property name="delegates" namespace="http://calendarserver.org/ns/"/></A:expand-property>',
    expected: /addressbook-home-set><D:href>\/dav\/\d+\/<.*delegates.*404 Not Found/s,
  },
  {
    client: 'DAVx5 4.5: account',
    method: 'PROPFIND',
    path: () => '/',
    depth: '0',
    body: '<?xml version=\'1.0\' encoding=\'UTF-8\' ?><propfind xmlns="DAV:" xmlns:CAL="urn:ietf:params:xml:ns:caldav" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><resourcetype /><displayname /><CARD:addressbook-description /><current-user-privilege-set /><CARD:addressbook-home-set /><current-user-principal /></prop></propfind>',
    expected: /addressbook-home-set><D:href>\/dav\/\d+\/<.*current-user-principal/s,
  },
  {
    client: 'DAVx5 4.5: cards',
    method: 'REPORT',
    path: (book) => book,
    depth: '0',
    body: '<?xml version=\'1.0\' encoding=\'UTF-8\' ?><CARD:addressbook-multiget xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><getcontenttype /><getetag /><CARD:address-data content-type="text/vcard" version="3.0" /></prop><href>BOOKa.vcf</href></CARD:addressbook-multiget>',
    expected: /getcontenttype>text\/vcard.*VERSION:3\.0/s,
  },
  {
    client: 'Thunderbird 140: books',
    method: 'PROPFIND',
    path: (book) => book.replace('contacts/', ''),
    depth: '1',
    body: '<propfind xmlns="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><prop><resourcetype/><displayname/><current-user-privilege-set/></prop></propfind>',
    expected: /<C:addressbook\/>.*<D:displayname>Weft<.*<D:write-content\/>/s,
  },
  {
    client: 'Thunderbird 140: changes with their cards',
    method: 'REPORT',
    path: (book) => book,
    depth: '0',
    body: '<sync-collection xmlns="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><sync-token></sync-token><sync-level>1</sync-level><prop><getetag/><card:address-data/></prop></sync-collection>',
    expected: /<C:address-data>BEGIN:VCARD.*<D:sync-token>urn:weft:sync:/s,
  },
  {
    client: 'DAVx5 4.5: book',
    method: 'PROPFIND',
    path: (book) => book,
    depth: '0',
    body: '<?xml version=\'1.0\' encoding=\'UTF-8\' ?><propfind xmlns="DAV:" xmlns:CARD="urn:ietf:params:xml:ns:carddav"><prop><CARD:max-resource-size/><CARD:supported-address-data/><supported-report-set/><n0:getctag xmlns:n0="http://calendarserver.org/ns/"/><sync-token/></prop></propfind>',
    expected: /version="3.0"\/><\/C:supported-address-data>.*sync-collection.*getctag>urn:/s,
  },
  {
    client: 'DAVx5 4.5: changes',
    method: 'REPORT',
    path: (book) => book,
    depth: '0',
    body: "<?xml version='1.0' encoding='UTF-8' ?><sync-collection xmlns=\"DAV:\"><sync-token></sync-token><sync-level>1</sync-level><limit><nresults>500</nresults></limit><prop><getetag/></prop></sync-collection>",
    expected: /<D:status>HTTP\/1.1 200 OK<\/D:status>/,
  },
  {
    client: 'Thunderbird 140: cards',
    method: 'REPORT',
    path: (book) => book,
    depth: '1',
    body: '<card:addressbook-multiget xmlns="DAV:" xmlns:card="urn:ietf:params:xml:ns:carddav"><prop><getetag/><card:address-data/></prop><href>BOOKa.vcf</href></card:addressbook-multiget>',
    expected: /<C:address-data>BEGIN:VCARD/,
  },
  {
    client: 'Evolution: query',
    method: 'REPORT',
    path: (book) => book,
    depth: '1',
    body: '<C:addressbook-query xmlns="DAV:" xmlns:C="urn:ietf:params:xml:ns:carddav"><prop><getetag/><C:address-data><C:prop name="VERSION"/><C:prop name="UID"/><C:prop name="EMAIL"/></C:address-data></prop><C:filter><C:prop-filter name="EMAIL"><C:text-match match-type="contains">ann</C:text-match></C:prop-filter></C:filter></C:addressbook-query>',
    expected: /EMAIL:ann@example.org(?![^]*NOTE)/,
  },
]

test('requests of iOS, macOS, DAVx5, Thunderbird and Evolution get what these read', async () => {
  await using service = await startTestService()
  const phone = await openDevice(service, await service.addMember())
  await phone.put('a.vcf', phoneCard('u1', 'Ann Lee', 'EMAIL:ann@example.org', 'NOTE:n'))
  for (const { client, method, path, depth, body, expected } of REQUESTS) {
    const answer = await phone.send(method, path(phone.book), body.replaceAll('BOOK', phone.book), {
      depth,
      'content-type': 'text/xml',
    })
    assert.equal(answer.status, 207, client)
    assert.match(answer.text, expected, client)
    assert.ok(responsesIn(answer.text).length > 0, client)
  }
  const me = await phone.send(
    'PROPFIND',
    phone.book.replace('contacts/', ''),
    '<propfind xmlns="DAV:"><prop><me-card xmlns="http://calendarserver.org/ns/"/></prop></propfind>',
    { depth: '0' },
  )
  assert.match(me.text, /<D:href>\/x\.vcf</)
  const denied = await phone.send(
    'PROPPATCH',
    phone.book,
    '<propertyupdate xmlns="DAV:"><set><prop><displayname>x</displayname></prop></set></propertyupdate>',
  )
  assert.match(denied.text, /403 Forbidden.*cannot-modify-protected-property/s)
})
