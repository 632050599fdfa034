/** Address books elsewhere, on a server of the test that also misbehaves. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  BOOK_PATH,
  found,
  multistatus,
  openCardServer,
  PASSWORD,
} from '../../test/fixtures/card-server.ts'
import { phoneCard } from '../../test/fixtures/dav-device.ts'
import { createWorld, rowsOf, type Acting, type World } from '../../test/fixtures/network.ts'
import { bookDeps, bookSubscriber } from '../../test/fixtures/subscribed-books.ts'
import { HOUR, MINUTE, SECOND } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { deleteConnectionsTool } from '../connections/deletion/delete-connections.tool.ts'
import { fileImportJob } from '../imports/file-import.job.ts'
import { previewImport } from '../imports/preview-import.ts'
import { sweepUploads } from '../jobs/uploads.ts'
import { listEmails } from '../outbox/outbox.ts'
import { requestCancel, startJob } from '../jobs/start-job.ts'
import { bookProblem } from './book-error.ts'
import { pullSoon, readBookState, removeBook, requireBook } from './book-store.ts'
import { startFirstImport } from './import-book.ts'
import { createBookPulls } from './pull-regularly.ts'
import { PULL_INTERVAL_MS } from './pull-book.ts'
import { createLog } from '../base/log.ts'

async function openBooks(outgoing?: OutgoingPool) {
  const server = await openCardServer()
  const world = await createWorld()
  const member = await world.join()
  const deps = { ...bookDeps(world, [server.host]), ...(outgoing && { outgoing }) }
  const subscriber = bookSubscriber(deps, member.db)
  return {
    server,
    world,
    member,
    ...subscriber,
    add: (password = PASSWORD) => subscriber.subscribe(server.address, 'ada', password),
    people: () => people(world, member),
    /** The only book. */
    async book() {
      const [book] = await subscriber.books()
      assert.ok(book)
      return { ...book, problem: book.error === null ? '' : bookProblem(book.error) }
    },
    /** Methods of the requests of some work. */
    async methodsOf(work: () => Promise<unknown>): Promise<string> {
      const before = server.requests.length
      await work()
      return server.requests
        .slice(before)
        .map(({ method }) => method)
        .join(' ')
    },
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]()
      await world[Symbol.asyncDispose]()
    },
  }
}

async function people(world: World, member: Acting): Promise<string[]> {
  const rows = await rowsOf(world, member, 'connections')
  return rows
    .filter((row) => row['deleted_at'] === null)
    .map((row) => String(row['name']))
    .toSorted()
}

const ANN = phoneCard('a', 'Ann Ames', 'TEL:+4930123')
const BEN = phoneCard('b', 'Ben Bird')

test('changed cards are imported once, and a pull without changes is one request', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  server.put('b.vcf', BEN)
  assert.equal(await books.add(), 1)
  assert.deepEqual(
    (await books.pull()).map(({ created }) => created),
    [2],
  )
  assert.deepEqual(await books.people(), ['Ann Ames', 'Ben Bird'])
  assert.equal(await books.methodsOf(() => books.pull()), 'REPORT')
  // The name has nothing in common with the former one: the card tells who it is.
  server.put('b.vcf', phoneCard('b', 'Cleo Crane'))
  server.remove('a.vcf')
  const [report] = await books.pull()
  assert.deepEqual([report?.created, report?.updated], [0, 1])
  assert.deepEqual(await books.people(), ['Ann Ames', 'Cleo Crane'])
  const { nextPullAt, pulledAt, name } = await books.book()
  assert.deepEqual([nextPullAt, name], [(pulledAt ?? 0) + PULL_INTERVAL_MS, 'Friends'])
})

test('tags of a book take the spelling that exists', async () => {
  await using books = await openBooks()
  const { server, world, member } = books
  await member.import([{ name: 'Zoe Zed', labels: ['Climate'] }])
  server.put('a.vcf', phoneCard('a', 'Ann Ames', 'CATEGORIES:climate,Golf'))
  server.put('b.vcf', phoneCard('b', 'Ben Bird', 'CATEGORIES:GOLF'))
  await books.add()
  await books.pull()
  const tags = await rowsOf(world, member, 'connection_tags')
  assert.deepEqual(
    tags.map(({ tag }) => tag),
    ['Climate', 'Climate', 'Golf', 'Golf'],
  )
})

test('the first import waits until the member confirms it; later ones start by themselves', async () => {
  await using books = await openBooks()
  const { server, world, member, db } = books
  const uploads = async () =>
    (await rowsOf(world, member, 'uploads')).filter((row) => row['is_inline'] === 0).length
  await assert.rejects(books.add('wrong'), /does not accept the user name/)
  server.put('a.vcf', ANN)
  await books.add()
  const confirm = async () => {
    const book = await requireBook(db, 1)
    return db.write((tx) => startFirstImport(tx, book, world.clock.now()))
  }
  await assert.rejects(confirm(), /No import of this address book waits/)
  assert.equal(await books.pullDue(), 1)
  const waiting = await books.book()
  assert.deepEqual([waiting.jobId, await books.people(), await uploads()], [null, [], 1])
  const reading = { format: 'vcard', encoding: 'utf-8' } as const
  const plan = { uploadId: waiting.previewId ?? '', now: world.clock.now(), reading }
  const { report } = await previewImport(db, plan, AbortSignal.timeout(MINUTE))
  assert.deepEqual([report.created, report.updated], [1, 0])
  // It is neither pulled nor waiting for the service, whatever the time.
  world.clock.advance(23 * HOUR)
  assert.equal(await books.pullDue(), 0)
  assert.equal((await readBookState(world.database, world.clock.now())).due, 0)
  // Another import of the member leaves the preview alone, and runs first.
  const start = { definition: fileImportJob, credentialId: null, charge: false, quota: 0 }
  const { job } = await db.write((tx) =>
    startJob(tx, { ...start, now: world.clock.now(), input: { content: 'Name\nZoe Zed\n' } }),
  )
  assert.equal((await confirm()).started, false)
  await books.runJob(job.job_id)
  // What the member did not confirm within a day is read again, with what has changed.
  world.clock.advance(HOUR)
  await sweepUploads(world.database, world.clock.now())
  await assert.rejects(confirm(), /No import of this address book waits/)
  server.put('b.vcf', BEN)
  assert.equal(await books.pullDue(), 1)
  // Pull now replaces the preview.
  await db.write((tx) => pullSoon(tx, 1, world.clock.now()))
  assert.equal(await uploads(), 0)
  assert.equal(await books.pullDue(), 1)
  assert.equal((await confirm()).started, true)
  await assert.rejects(confirm(), /No import of this address book waits/)
  const { jobId, previewId } = await books.book()
  assert.equal((await books.runJob(jobId ?? 0)).created, 2)
  assert.deepEqual([previewId, await books.people()], [null, ['Ann Ames', 'Ben Bird', 'Zoe Zed']])
  server.put('a.vcf', phoneCard('a', 'Anna Ames'))
  world.clock.advance(PULL_INTERVAL_MS)
  assert.equal(await books.pullDue(), 1)
  const next = await books.book()
  assert.notEqual(next.jobId, jobId)
  assert.equal((await books.runJob(next.jobId ?? 0)).updated, 1)
})

test('a book that is removed before its first import leaves no cards', async () => {
  await using books = await openBooks()
  books.server.put('a.vcf', ANN)
  await books.add()
  await books.pullDue()
  await books.db.write((tx) => removeBook(tx, 1))
  assert.deepEqual(await rowsOf(books.world, books.member, 'uploads'), [])
})

test('without sync-collection, ETags tell what has changed', async () => {
  await using books = await openBooks()
  const { server } = books
  server.state.offersSync = false
  server.put('a.vcf', ANN)
  server.put('b.vcf', BEN)
  await books.add()
  assert.equal((await books.pull())[0]?.created, 2)
  assert.equal(await books.methodsOf(() => books.pull()), 'PROPFIND PROPFIND')
  server.put('b.vcf', phoneCard('b', 'Ben Bird', 'TITLE:Pilot'))
  assert.equal((await books.pull())[0]?.updated, 1)
})

test('ETags that change without the card start no import', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  await books.add()
  await books.pull()
  server.put('a.vcf', ANN, '"other"')
  assert.deepEqual(await books.pull(), [])
  server.put('a.vcf', ANN, '')
  assert.deepEqual(await books.pull(), [])
  assert.equal((await books.book()).error, null)
})

test('an invalid token and cards that come back double no one', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  await books.add()
  await books.pull()
  server.intercept(({ body }, response) => {
    if (!body.includes('sync-collection')) return false
    response.writeHead(403).end('<D:error xmlns:D="DAV:"><D:valid-sync-token/></D:error>')
    return true
  })
  server.put('b.vcf', BEN)
  const [report] = await books.pull()
  assert.deepEqual([report?.created, report?.unchanged], [1, 0])
  server.remove('a.vcf')
  assert.deepEqual(await books.pull(), [])
  server.put('a.vcf', ANN)
  assert.deepEqual(await books.pull(), [])
  assert.deepEqual(await books.people(), ['Ann Ames', 'Ben Bird'])
})

test('cards that the answer omits are read one by one, and what cannot be read is tried again', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  server.put('ü @ b.vcf', BEN)
  let isBroken = true
  server.intercept(({ body, method }, response) => {
    if (body.includes('multiget')) response.writeHead(207).end(multistatus(''))
    else if (method === 'GET' && isBroken) response.writeHead(500).end('Disk full')
    else return false
    return true
  })
  await books.add()
  assert.deepEqual(await books.pull(), [])
  const { unread, error } = await books.book()
  assert.deepEqual([unread, error], [2, null])
  isBroken = false
  assert.equal((await books.pull())[0]?.created, 2)
  assert.equal((await books.book()).unread, 0)
  assert.equal(await books.methodsOf(() => books.pull()), 'REPORT')
})

test('a changed password stops the pulls and is stored nowhere; another one continues them', async () => {
  await using books = await openBooks()
  const { server, world } = books
  server.put('a.vcf', ANN)
  await books.add()
  await books.pull()
  server.state.password = 'another-one-8'
  await books.pull()
  const stopped = await books.book()
  assert.equal(stopped.nextPullAt, null)
  assert.match(
    stopped.problem,
    /does not accept the user name and password: Wrong password Basic …/,
  )
  // The member gets one email, also after another attempt.
  await books.pull()
  const emails = await listEmails(world.database, { kind: 'reading_stopped', limit: 5 })
  assert.deepEqual(
    emails.map(({ details }) => details),
    [{ source: 'address_book', name: 'Friends', error: stopped.error }],
  )
  const rows = await rowsOf(world, books.member, 'subscribed_books')
  const stored = JSON.stringify([rows, emails])
  for (const secret of [
    PASSWORD,
    Buffer.from(`ada:${PASSWORD}`).toString('base64'),
    server.address,
  ])
    assert.ok(!stored.includes(secret), secret)
  await assert.rejects(books.add('wrong'), /does not accept the user name/)
  assert.equal(await books.add('another-one-8'), 1)
  server.put('a.vcf', phoneCard('a', 'Anna Ames'))
  assert.equal((await books.pull())[0]?.updated, 1)
  assert.equal((await books.books()).length, 1)
})

test('a server that is busy gets the next request when it says, and no card is lost', async () => {
  await using books = await openBooks()
  const { server, world } = books
  for (let at = 0; at < 150; at += 1) server.put(`${at}.vcf`, phoneCard(`${at}`, `Ann No${at}`))
  let isBusy = true
  let multigets = 0
  server.intercept(({ body }, response) => {
    if (!body.includes('multiget')) return false
    multigets += 1
    if (multigets !== 2 || !isBusy) return false
    response.writeHead(429, { 'retry-after': '7200' }).end('Slow down')
    return true
  })
  await books.add()
  assert.equal((await books.pull())[0]?.created, 100)
  const waiting = await books.book()
  assert.deepEqual([waiting.failures, waiting.nextPullAt], [0, world.clock.now() + 2 * HOUR])
  assert.match(waiting.problem, /answered 429: Slow down/)
  isBusy = false
  world.clock.advance(2 * HOUR)
  assert.equal((await books.pull())[0]?.created, 50)
  assert.equal((await books.people()).length, 150)
})

test('a redirect to another server or into this network gets no password', async () => {
  await using books = await openBooks()
  await using other = await openBooks()
  const { server } = books
  for (const location of [
    'http://169.254.169.254/latest/meta-data',
    `http://localhost:${other.server.host.split(':')[1]}/`,
    'https://elsewhere.example/',
  ]) {
    server.intercept((_, response) => {
      response.writeHead(301, { location }).end()
      return true
    })
    await assert.rejects(books.add(), /redirects to another server/)
  }
  assert.deepEqual(other.server.requests, [])
  server.intercept((_, response) => {
    response.writeHead(301, { location: '/again' }).end()
    return true
  })
  await assert.rejects(books.add(), /redirects too often/)
  for (const address of ['http://127.0.0.1:1/', 'http://example.org/', 'https://10.0.0.1/', 'x y'])
    await assert.rejects(books.subscribe(address, 'ada', 'x'), /must be the https address/)
})

test('bombs, endless answers and servers that hang are errors of the address book', async () => {
  await using books = await openBooks(new OutgoingPool({ timeLimitMs: SECOND }))
  const { server } = books
  server.put('a.vcf', ANN)
  await books.add()
  const bomb = `<!DOCTYPE x [<!ENTITY a "${'a'.repeat(1000)}"><!ENTITY b "&a;&a;">]>${multistatus('&b;')}`
  const deep = multistatus('<a>'.repeat(100_000))
  const many = multistatus(`<D:response>${'<a/>'.repeat(100_000)}</D:response>`)
  for (const [body, problem] of [
    [bomb, /DTD/],
    [multistatus('&b;'), /not well-formed/],
    [deep, /too deep/],
    [many, /too deep or too large/],
    ['<html/>', /no multistatus/],
    ['', /no element/],
  ] as const) {
    server.intercept((_, response) => {
      response.writeHead(207).end(body)
      return true
    })
    assert.deepEqual(await books.pull(), [])
    assert.match((await books.book()).problem, problem)
  }
  server.intercept((_, response) => {
    response.writeHead(207)
    const part = Buffer.alloc(1024 * 1024, 32)
    const send = () => {
      while (!response.destroyed && response.write(part));
    }
    response.on('drain', send)
    send()
    return true
  })
  await books.pull()
  assert.match((await books.book()).problem, /sends more than 20\sMB at once|in time/)
  server.intercept(() => true)
  await books.pull()
  const hung = await books.book()
  assert.match(hung.problem, /did not answer in time/)
  assert.ok((hung.nextPullAt ?? 0) > books.world.clock.now())
  server.intercept(() => undefined)
  assert.equal((await books.pull())[0]?.created, 1)
})

test('after eight failures in a row, a book is no longer pulled', async () => {
  await using books = await openBooks()
  const { server, world } = books
  await books.add()
  server.intercept((_, response) => {
    response
      .writeHead(500)
      .end(`<s:message xmlns:s="x">Out\u0007 of ${PASSWORD} &amp; disk</s:message>`)
    return true
  })
  for (let failures = 1; failures <= 8; failures += 1) {
    assert.equal(await books.pullDue(), 1)
    const book = await books.book()
    assert.equal(book.failures, failures)
    assert.match(book.problem, /answered 500: Out of … &amp; disk/)
    const emails = await listEmails(world.database, { kind: 'reading_stopped', limit: 5 })
    assert.equal(emails.length, failures < 8 ? 0 : 1)
    if (failures < 8) world.clock.advance((book.nextPullAt ?? 0) - world.clock.now())
  }
  assert.equal((await books.book()).nextPullAt, null)
})

test('cards of an import that was canceled are read again', async () => {
  await using books = await openBooks()
  const { server, world, db } = books
  server.put('a.vcf', ANN)
  await books.add()
  await books.pullDue()
  await books.confirm()
  const { jobId } = await books.book()
  await db.write((tx) => requestCancel(tx, jobId ?? 0, world.clock.now()))
  world.clock.advance(PULL_INTERVAL_MS)
  assert.equal((await books.pull())[0]?.created, 1)
  assert.deepEqual(await books.pull(), [])
  assert.equal((await books.book()).error, null)
})

test('a pull waits for another import, and two processes pull a book once', async () => {
  await using books = await openBooks()
  const { server, world, db } = books
  server.put('a.vcf', ANN)
  await books.add()
  const start = { definition: fileImportJob, credentialId: null, charge: false, quota: 0 }
  const { job } = await db.write((tx) =>
    startJob(tx, { ...start, now: world.clock.now(), input: { content: 'Name\nZoe Zed\n' } }),
  )
  assert.equal(await books.methodsOf(() => books.pullDue()), '')
  assert.equal((await books.book()).nextPullAt, world.clock.now() + MINUTE)
  await books.runJob(job.job_id)
  world.clock.advance(MINUTE)
  const processes = Array.from({ length: 5 }, () =>
    createBookPulls({ ...books.deps, log: createLog('silent') }),
  )
  const methods = await books.methodsOf(() => Promise.all(processes.map((one) => one.runDue())))
  assert.equal(methods, 'PROPFIND PROPFIND REPORT')
})

test('people who were deleted here stay deleted, and a removed book keeps its people', async () => {
  await using books = await openBooks()
  const { server, member, db } = books
  server.put('a.vcf', ANN)
  server.put('b.vcf', BEN)
  await books.add()
  await books.pull()
  await member.ask(deleteConnectionsTool, { people: ['Ann Ames'] })
  server.put('a.vcf', phoneCard('a', 'Anna Ames'))
  assert.equal((await books.pull())[0]?.skipped, 1)
  const { bookId } = await books.book()
  await db.write((tx) => removeBook(tx, bookId))
  assert.deepEqual(await books.people(), ['Ben Bird'])
  assert.equal(await books.pullDue(), 0)
  // Subscribing again imports no one twice.
  await books.add()
  await books.pull()
  assert.deepEqual(await books.people(), ['Ben Bird'])
})

test('two cards that are exactly alike stay apart when one of them changes', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', phoneCard('a', 'Mom'))
  server.put('b.vcf', phoneCard('b', 'Mom'))
  await books.add()
  await books.pull()
  assert.deepEqual(await books.people(), ['Mom'])
  server.put('b.vcf', phoneCard('b', 'Dad'))
  await books.pull()
  assert.deepEqual(await books.people(), ['Dad', 'Mom'])
})

test('of several address books the member chooses, and a resource that is no card is counted', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  server.put('b.vcf', '<html>Not a card</html>')
  server.intercept(({ path, headers }, response) => {
    if (path !== '/dav/ada/' || headers['depth'] !== '1') return false
    const type = '<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>'
    response.writeHead(207).end(multistatus(found(BOOK_PATH, type) + found('/dav/ada/two/', type)))
    return true
  })
  assert.equal(await books.add(), 2)
  assert.equal(await books.pullDue(), 0)
  assert.equal((await books.pull())[0]?.created, 1)
  assert.deepEqual(
    (await books.books()).map(({ unread }) => unread),
    [1, 1],
  )
})

test('a large book comes in parts', async () => {
  await using books = await openBooks()
  const { server, world } = books
  const photo = (at: number) => `PHOTO;ENCODING=b;TYPE=JPEG:${String(at).repeat(3_000_000)}`
  for (let at = 1; at <= 6; at += 1)
    server.put(`${at}.vcf`, phoneCard(`${at}`, `Ann No${at}`, photo(at)))
  await books.add()
  const created: number[] = []
  for (let part = 1; part <= 3; part += 1) {
    for (const report of await books.pull()) created.push(report.created)
    world.clock.advance(MINUTE)
  }
  assert.deepEqual(created, [3, 3])
  assert.equal(await books.methodsOf(() => books.pull()), 'REPORT')
})

test('control characters in names, tokens and hrefs are no errors, and a card that is elsewhere is left out', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  server.put('n\u0000.vcf', BEN)
  const type = '<D:resourcetype><D:collection/><C:addressbook/></D:resourcetype>'
  server.intercept(({ path, method, headers, body }, response) => {
    if (path === '/dav/ada/' && headers['depth'] === '1')
      response
        .writeHead(207)
        .end(multistatus(found(BOOK_PATH, `${type}<D:displayname>A\u0000\u202e</D:displayname>`)))
    else if (path === BOOK_PATH && headers['depth'] === '0')
      response
        .writeHead(207)
        .end(multistatus(found(BOOK_PATH, '<D:sync-token>urn:t:0\u0000</D:sync-token>')))
    else if (body.includes('multiget')) response.writeHead(207).end(multistatus(''))
    else if (method === 'GET' && path.includes('a.vcf'))
      response.writeHead(302, { location: 'https://elsewhere.example/' }).end()
    else return false
    return true
  })
  await books.add()
  assert.deepEqual(
    (await books.pull()).map(({ created }) => created),
    [1],
  )
  const { unread, problem } = await books.book()
  assert.deepEqual([unread, problem], [1, ''])
})

test('a server that never ends its changes, or answers with countless resources, does not hold the service', async () => {
  await using books = await openBooks()
  const { server } = books
  server.put('a.vcf', ANN)
  await books.add()
  await books.pull()
  let pages = 0
  server.intercept(({ body }, response) => {
    if (!body.includes('sync-collection')) return false
    pages += 1
    const more = `<D:response><D:href>${BOOK_PATH}</D:href><D:status>HTTP/1.1 507 Full</D:status></D:response>`
    response.writeHead(207).end(multistatus(`${more}<D:sync-token>urn:x:${pages}</D:sync-token>`))
    return true
  })
  server.put('b.vcf', BEN)
  assert.equal((await books.pull())[0]?.created, 1)
  assert.equal(pages, 100)
  server.intercept((_, response) => {
    response.writeHead(207).end(multistatus('<D:response/>'.repeat(70_000)))
    return true
  })
  await books.pull()
  assert.match((await books.book()).problem, /too many responses/)
})
