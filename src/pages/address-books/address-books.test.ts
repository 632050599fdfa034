import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openCardServer, PASSWORD } from '../../../test/fixtures/card-server.ts'
import { phoneCard } from '../../../test/fixtures/dav-device.ts'
import { bookDeps, bookSubscriber } from '../../../test/fixtures/subscribed-books.ts'
import { startTestService } from '../../../test/support/service.ts'
import { openSignedIn } from '../../../test/support/visitor.ts'
import { ADDRESS_BOOKS_PATH, CONTACT_DEVICES_PATH, IMPORT_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

async function openPage() {
  const server = await openCardServer()
  const service = await startTestService({
    secretKey: 'k'.repeat(32),
    webhookHosts: [server.host],
    jobConcurrency: 0,
  })
  const ada = await service.addMember()
  const visitor = await openSignedIn(service, ada)
  const deps = bookDeps(service, [server.host])
  return {
    server,
    service,
    visitor,
    subscriber: bookSubscriber(deps, service.database.member(ada.memberId)),
    show: () => visitor.get(ADDRESS_BOOKS_PATH),
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]()
      await service[Symbol.asyncDispose]()
    },
  }
}

test('a known service fills in its server and says where to get a password', async () => {
  await using world = await openPage()
  const page = await world.visitor.get(`${ADDRESS_BOOKS_PATH}?service=icloud`)
  const form = page.forms.find(({ action }) => action.endsWith(ADDRESS_BOOKS_PATH))
  assert.equal(form?.fields['address'], 'contacts.icloud.com')
  assert.match(page.text, /create an app-specific password/)
  const unknown = await world.visitor.get(`${ADDRESS_BOOKS_PATH}?service=%3Cb%3E`)
  assert.equal(
    unknown.forms.find(({ action }) => action.endsWith(ADDRESS_BOOKS_PATH))?.fields['address'],
    '',
  )
})

test('a member subscribes to an address book, pulls it, and removes it', async () => {
  await using world = await openPage()
  const { server, visitor, subscriber } = world
  server.put('a.vcf', phoneCard('a', 'Ann Ames'))
  const form = { address: server.address, username: 'ada', password: PASSWORD }
  for (const path of [IMPORT_PATH, CONTACT_DEVICES_PATH])
    assert.ok((await visitor.get(path)).html.includes(`href="${ADDRESS_BOOKS_PATH}"`))
  const added = await visitor.follow(await visitor.submit(await world.show(), form))
  assert.match(added.text, /Subscribed\. .* Friends 127\.0\.0\.1:\d+ Being read for the first time/)
  await subscriber.pullDue()
  const waiting = await world.show()
  assert.match(waiting.text, /Nothing is imported until you confirm it: Preview the import/)
  const { previewId } = (await subscriber.books())[0] ?? {}
  const preview = await visitor.get(`${IMPORT_PATH}/${previewId}`)
  assert.ok(waiting.html.includes(`href="${IMPORT_PATH}/${previewId}"`))
  assert.match(preview.text, /Friends \(127.*\.vcf vCard, .* 1 row\..* New 1 Import .*no credits/)
  assert.match(preview.text, /Ann Ames/)
  const started = await visitor.follow(await visitor.submit(preview, {}, 'Import'))
  assert.match(started.text, /Import started/)
  const [book] = await subscriber.books()
  assert.equal((await subscriber.job(book?.jobId ?? 0))?.credits, 0)
  assert.equal((await subscriber.runJob(book?.jobId ?? 0)).created, 1)
  const pulled = await world.show()
  assert.match(pulled.text, /Next pull within 31 minutes last pulled just now , last import/)
  const again = await visitor.follow(await visitor.submit(pulled, {}, 'Pull now Friends'))
  assert.match(again.text, /Weft reads the address book within a minute/)
  server.intercept((_, response) => {
    response.writeHead(500).end(HOSTILE)
    return true
  })
  await subscriber.pullDue()
  const failed = await world.show()
  assert.match(failed.text, /its server answered 500: .*The next attempt is within 31 minutes/)
  assert.ok(!failed.html.includes('<img'))
  const removed = await visitor.follow(await visitor.submit(failed, {}, 'Remove'))
  assert.match(removed.text, /Address book removed/)
  assert.doesNotMatch(removed.text, /Your address books/)
  assert.equal((await visitor.submit(failed, {}, 'Pull now Friends')).status, 404)
})

test('the page says what is wrong, and never shows the password', async () => {
  await using world = await openPage()
  const { server, visitor, service } = world
  const wrong = { address: server.address, username: 'ada', password: 'not-the-password' }
  const rejected = await visitor.submit(await world.show(), wrong)
  assert.equal(rejected.status, 422)
  assert.match(rejected.text, /does not accept the user name and password: Wrong password Basic …/)
  assert.ok(!rejected.html.includes('not-the-password'))
  assert.ok(rejected.html.includes(server.host))
  const local = await visitor.submit(await world.show(), { ...wrong, address: 'http://127.0.0.1/' })
  assert.match(local.text, /must be the https address of a server/)
  const empty = await visitor.submit(await world.show(), { ...wrong, username: '' })
  assert.match(empty.text, /Username must have 1 to 500 characters/)
  const everything = await service.everything()
  for (const secret of ['not-the-password', PASSWORD]) assert.ok(!everything.includes(secret))
})
