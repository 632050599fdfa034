import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { zipOf } from '../../../test/support/zip.ts'
import { DAY } from '../../base/clock.ts'
import { memberStatement } from '../../db/statement.ts'
import { MAX_UPLOAD_BYTES } from '../../jobs/uploads.ts'
import { encodeText } from '../../../test/support/legacy-text.ts'
import { addJob } from '../../../test/fixtures/added-job.ts'
import {
  createTestWorld,
  remainingCredits,
  type Person,
  type World,
} from '../../../test/fixtures/member.ts'
import { jobPath, IMPORT_PATH } from '../../html/site-map.ts'
import {
  connectionsCsv,
  formTokenOf,
  importFile,
  planOf,
  readEvents,
  sendFile,
  sendForm,
} from '../../../test/fixtures/import.ts'
import { onOneEngine } from '../../../test/support/engine-options.ts'

const HOSTILE = '<script>alert(1)</script> & co'

const GRACE = ['Grace', 'Hopper', 'Navy']
const ALAN = ['Alan', 'Turing', 'Bletchley Park']

test('the page lists formats, cost and how to get a file', onOneEngine, async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const { status, text, html } = await visitor.get(IMPORT_PATH)
  assert.equal(status, 200)
  assert.match(text, /up to 50 MB/)
  assert.match(text, /Previewing is free\./)
  assert.match(html, /enctype="multipart\/form-data"/)
  for (const name of ['csv', 'xlsx', 'vcf', 'zip', 'json', 'ldif'])
    assert.match(html, new RegExp(`accept="[^"]*\\.${name},`))
})

test("the preview of LinkedIn's archive says of how many people the last message is known", async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const grace = 'https://www.linkedin.com/in/grace'
  const archive = zipOf([
    {
      name: 'Connections.csv',
      content: `First Name,Last Name,URL\r\nGrace,Hopper,${grace}\r\nAlan,Turing,\r\n`,
    },
    {
      name: 'messages.csv',
      content: `DATE,SENDER PROFILE URL,CONTENT\r\n2026-03-04 10:00:00 UTC,${grace},Secret\r\n`,
    },
  ])
  const sent = await sendFile(ada, new Uint8Array(archive), 'archive.zip')
  const plan = await ada.visitor.get(sent.location ?? '')
  assert.match(plan.text, /The day of the last message or invitation is known for 1 person;/)
  assert.doesNotMatch(plan.text, /Secret/)
})

test('the preview counts the changes of an import without writing anything', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  const before = await remainingCredits(ada)
  const file = connectionsCsv([GRACE, ALAN, ALAN, ['', '', ''], ['', '', '']])
  const path = await planOf(ada, `${file},,\r\n`)
  const plan = await ada.visitor.get(path)
  assert.match(plan.text, /Connections\.csv LinkedIn connections, 117.bytes, 6.rows\./)
  assert.match(plan.text, /New 1 Updated 1 Unchanged 1 Skipped 3 [^0-9]/)
  assert.match(
    plan.text,
    /3.columns Column Import as First Name Grace · Alan Given name Name Middle name/,
  )
  assert.match(plan.text, /Alan Turing Bletchley Park/)
  assert.match(
    plan.text,
    /You can undo it later\. It costs 5.credits of your 999\. Credits limit what .* 1 December/,
  )
  assert.deepEqual(await remainingCredits(ada), before)
  assert.equal((await ada.ask('get_network_summary'))['connections'], 1)
})

test('the import makes the changes that the preview showed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', company: 'Navy' })
  const jobId = await importFile(ada, connectionsCsv([GRACE, ALAN, ALAN]))
  const { text } = await ada.visitor.get(jobPath(jobId))
  assert.match(text, /Created 1 Updated 1 Unchanged 1 [^0-9SR]/)
  assert.match(text, /· 5.credits/)
  assert.equal(await remainingCredits(ada), 1000 - 1 - 5)
  const again = await ada.visitor.get(await planOf(ada, connectionsCsv([GRACE, ALAN])))
  assert.match(again.text, /New 0 Unchanged 2/)
  assert.match(again.text, /contains nothing new/)
  assert.doesNotMatch(again.html, /value="import"/)
})

test('the report names the first new people, and those whose row is not kept in full', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const rows = [
    '<b>Julia,j@x.example,Boss',
    'Ben Poe,b@x.example,Baker',
    '<b>Julia,j@x.example,Chief',
  ]
  const jobId = await importFile(ada, ['Name,Email,Title', ...rows].join('\n'))
  const report = await ada.visitor.get(jobPath(jobId))
  assert.match(report.text, /New people 2 .*Julia .*Ben Poe .*View people/)
  assert.match(report.text, /1.row not kept in full .*Row Name Fields 3 <b>Julia Title/)
  assert.ok(!report.html.includes('<b>Julia'))
  await ada.ask('delete_connections', { connection_ids: ['c_1'] })
  const later = await ada.visitor.get(jobPath(jobId))
  assert.match(later.text, /Row Name Fields 3 Title/)
  assert.doesNotMatch(later.text, /Julia/)
})

test('the page lists the latest imports', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  assert.doesNotMatch((await ada.visitor.get(IMPORT_PATH)).text, /Recent imports/)
  for (let count = 1; count <= 6; count += 1) {
    await addJob(world, ada, 'failed', { kind: 'file_import', filename: `${count}.csv` })
    world.service.clock.advance(DAY)
  }
  await addJob(world, ada, 'succeeded', { kind: 'purge_deleted' })
  const { text, links } = await ada.visitor.get(IMPORT_PATH)
  assert.deepEqual(
    [...text.matchAll(/Import of (\d)\.csv failed/g)].map(([, name]) => name),
    ['6', '5', '4', '3', '2'],
  )
  assert.match((await ada.visitor.get(links['Import of 6.csv'] ?? '')).text, /Import of 6\.csv/)
})

test('while another file is imported, the preview says so, and importing returns to it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await addJob(world, ada, 'running', { kind: 'file_import', filename: 'big.csv' })
  const path = await planOf(ada, connectionsCsv([GRACE]))
  const preview = await ada.visitor.get(path)
  assert.match(preview.text, /An import is running: Import of big\.csv \. Import this file when/)
  assert.equal(preview.links['Import of big.csv'], world.service.url + jobPath(jobId))
  const before = await remainingCredits(ada)
  const refused = await ada.visitor.submit(preview, { 'column.0': 'name' }, 'Import')
  assert.equal(refused.location, path)
  assert.match((await ada.visitor.follow(refused)).text, /An import is running/)
  assert.deepEqual(await remainingCredits(ada), before)
})

test('an import appears in the activity with the name of who started it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const startedBy = async () => {
    const { activity } = await ada.ask('list_activity')
    const [last] = activity as { action: string; by: string }[]
    return `${last?.action} ${last?.by}`
  }
  await importFile(ada, connectionsCsv([GRACE]))
  assert.equal(await startedBy(), 'connections.import Member ada')
  const asked = await ada.ask('import_connections', { content: connectionsCsv([ALAN]) })
  await readEvents(ada, Number(asked['task_id']))
  assert.equal(await startedBy(), 'connections.import Claude')
})

test('rejected rows are listed with reasons and downloaded, all of them while the file is kept', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  const nameless = Array.from({ length: 120 }, () => ['', '', ' ', 'Captain'])
  const file = ['First Name,Last Name,Company,Position', 'Grace,Hopper,Navy,Admiral']
  const jobId = await importFile(ada, [...file, ...nameless.map(String), ''].join('\r\n'))
  const page = await ada.visitor.get(jobPath(jobId))
  assert.match(page.text, /Import of Connections\.csv .* LinkedIn connections, 121.rows/)
  assert.match(page.text, /120.rows rejected Showing the first 100\./)
  assert.match(page.text, /Row Line Reason 2 3 No name, email address or phone number 3 4 No name/)
  const path = page.links['Download as CSV'] ?? ''
  const csv = await ada.visitor.get(path)
  assert.match(csv.headers.get('content-type') ?? '', /^text\/csv/)
  assert.match(
    csv.headers.get('content-disposition') ?? '',
    /^attachment; filename="rejected\.csv"/,
  )
  const lines = csv.html.split('\r\n')
  assert.deepEqual(
    [lines[0], lines[1], lines[120], lines.length],
    [
      'Row,Line,Reason',
      '2,3,"No name, email address or phone number"',
      '121,122,"No name, email address or phone number"',
      122,
    ],
  )
  world.service.clock.advance(DAY + 1)
  assert.equal((await ada.visitor.get(path)).html.split('\r\n').length, 102)
  assert.equal((await eve.visitor.get(path)).status, 404)
  for (const id of ['0', 'x', '%00', '99999'])
    assert.equal((await ada.visitor.get(`/user/jobs/${id}/rejected.csv`)).status, 404, id)
})

test('no file is parsed on the main thread', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const nameless = Array.from({ length: 120 }, () => ['', '', ' ', 'Captain'].join())
  const header = 'First Name,Last Name,Company,Position'
  const file = [header, 'Grace,Hopper,Navy,Admiral', ...nameless, ''].join('\r\n')
  using calls = await countCalls()
  const path = await planOf(ada, file) // uploads it
  const preview = await ada.visitor.get(path)
  await ada.visitor.submit(preview, { 'column.0': 'name' }, 'Preview again')
  const jobId = await importFile(ada, file)
  await ada.visitor.get(`/user/jobs/${jobId}/rejected.csv`)
  await ada.ask('import_connections', { content: 'Name\nGrace Hopper\n', preview: true })
  assert.ok((await calls.of('openInThread')) > 0, 'calls are counted')
  assert.equal(await calls.of('openContactFile'), 0)
})

/** Counts the calls of functions on this thread, by name. */
async function countCalls() {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const counts = new Map<string, number>()
  return {
    async of(name: string) {
      const { result } = await session.post('Profiler.takePreciseCoverage')
      for (const { functionName, ranges } of result.flatMap(({ functions }) => functions))
        counts.set(functionName, (counts.get(functionName) ?? 0) + (ranges[0]?.count ?? 0))
      return counts.get(name) ?? 0
    },
    [Symbol.dispose]: () => session.disconnect(),
  }
}

test('a file that is not a contact list shows an error and is not kept', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const refused: readonly (readonly [string, string, number, RegExp])[] = [
    ['%PDF-1.7 …', 'cv.pdf', 422, /This is a PDF, not a list of contacts\. Export your contacts/],
    ['no table\n', 'x.csv', 422, /The file has no header row/],
    [
      '{\n  "name": "x",\n  "a": 1\n}\n',
      'x.json',
      422,
      /This JSON file has no list of people with names, email addresses or phone numbers\. Import a CSV file/,
    ],
    ['<!doctype html>\n<p>a, b</p>\n', 'x.csv', 422, /This is a web page or an XML file/],
    ['', 'empty.csv', 400, /The file is empty\./],
    ['', '', 400, /Choose a file first\./],
  ]
  for (const [content, name, expected, error] of refused) {
    const { status, html } = await sendFile(ada, content, name)
    assert.equal(status, expected, html)
    assert.match(/id="file-error"[^>]*>([^<]*)</.exec(html)?.[1] ?? html, error)
  }
  assert.equal(await countUploads(world, ada), 0)
})

test('the member says what unknown columns are, and the next file with this header is read like that', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const file = 'Kopf,Klub,Bemerk\ngrace hopper,chess,likes ships\n'
  const first = await ada.visitor.get(await planOf(ada, file))
  assert.match(first.text, /No row of this file names a person/)
  const chosen = { 'column.0': 'name', 'column.1': 'tags', 'column.2': 'note' }
  const again = await ada.visitor.submit(first, chosen, 'Preview again')
  assert.equal(again.status, 303)
  const preview = await ada.visitor.get(again.location ?? '')
  assert.match(preview.text, /New 1/)
  assert.match(preview.text, /Kopf grace hopper Name/)
  assert.match(preview.text, /Klub chess Tags/)
  await importFile(ada, file)
  const { connections } = await ada.ask('search_connections', { query: 'Grace Hopper' })
  assert.equal((connections as { name: string }[])[0]?.name, 'grace hopper')
})

test('the preview shows values of each column and warns if none is imported as a name', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const file = 'Kopf,Mailadresse,Leer\n12,grace@navy.example,\n<b>&,alan@bp.example,\n'
  const first = await ada.visitor.get(await planOf(ada, file))
  assert.match(first.text, /No column is imported as a name/)
  assert.match(first.text, /Kopf 12 · <b>& Custom field /)
  assert.match(first.text, /Leer Empty Custom field /)
  assert.doesNotMatch(first.text, /Updated people already exist/)
  const again = await ada.visitor.submit(first, { 'column.0': 'name' }, 'Preview again')
  const named = await ada.visitor.get(again.location ?? '')
  assert.doesNotMatch(named.text, /No column is imported as a name/)
})

test(
  'asks for the text encoding of a file when two are about equally likely',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    const file = encodeText('Name,Email\nNoè Greco,noe@greco.example\n', 'windows-1252')
    const { status, text, html } = await sendFile(ada, new Uint8Array(file), 'x.csv')
    assert.equal(status, 422)
    assert.match(
      text,
      /The text encoding of this file is not certain: as windows-125\d it reads "No/,
    )
    assert.match(html, /<select id="encoding"/)
    const page = await sendForm(ada, [
      ['form_token', await formTokenOf(ada)],
      ['encoding', 'windows-1252'],
      ['file', new File([new Uint8Array(file)], 'x.csv', { type: 'text/csv' })],
    ])
    assert.equal(page.status, 303)
    const preview = await ada.visitor.get(page.location ?? '')
    assert.match(preview.text, /Noè Greco/)
    const started = await ada.visitor.submit(preview, {}, 'Import')
    const jobId = Number(/jobs\/(\d+)/.exec(started.location ?? '')?.[1])
    await readEvents(ada, jobId)
    const { connections } = await ada.ask('search_connections', { query: 'Greco' })
    assert.equal((connections as { name: string }[])[0]?.name, 'Noè Greco')
  },
)

test(
  'a file that is too large is rejected, with or without a Content-Length',
  onOneEngine,
  async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    const [within, over] = [MAX_UPLOAD_BYTES + 1, MAX_UPLOAD_BYTES + 100 * 1024]
    for (const [bytes, said] of [
      [within, /id="file-error">This file is larger than 50\u00A0MB/],
      [over, /<h1>This file is too large<\/h1>/],
    ] as const) {
      const { status, html } = await sendFile(ada, new Uint8Array(bytes).fill(97))
      assert.equal(status, 413)
      assert.match(html, said)
    }
    assert.equal(await countUploads(world, ada), 0)
  },
)

test('cross-site forms, and forms without a token before the file, store nothing', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  const token = ['form_token', await formTokenOf(ada)] as const
  const file = ['file', new File([connectionsCsv([ALAN])], 'a.csv')] as const
  const forged = [
    await sendForm(ada, [file]),
    await sendForm(ada, [file, token]),
    await sendForm(ada, [['form_token', await formTokenOf(eve)], file]),
    await sendForm(ada, [token, file], { 'sec-fetch-site': 'cross-site' }),
    await sendForm(ada, [token, file], { origin: 'https://evil.example' }),
  ]
  for (const { status } of forged) assert.equal(status, 403)
  const fields = { form_token: token[1] }
  assert.equal((await ada.visitor.post(IMPORT_PATH, fields, SAME_ORIGIN)).status, 415)
  assert.equal((await sendForm(ada, [token, file, file])).status, 400)
  assert.equal(await countUploads(world, ada), 0)
  assert.equal((await sendForm(ada, [token, file])).status, 303)
})

test('files of other members and expired files are not accessible', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  const path = await planOf(ada, connectionsCsv([ALAN]))
  const own = await ada.visitor.get(path)
  const theirs = await eve.visitor.get(path)
  assert.equal(theirs.status, 404)
  assert.doesNotMatch(theirs.text, /Turing/)
  const form_token = await formTokenOf(eve)
  assert.equal((await eve.visitor.post(path, { form_token }, SAME_ORIGIN)).status, 404)
  world.service.clock.advance(DAY + 1)
  assert.equal((await ada.visitor.get(path)).status, 404)
  const late = await ada.visitor.submit(own, {}, 'Import')
  assert.equal(late.status, 404)
  assert.equal(late.links['Upload the file again'], world.service.url + IMPORT_PATH)
})

test('without enough credits no import starts', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('search_connections')
  const path = await planOf(ada, connectionsCsv([ALAN]))
  const page = await ada.visitor.get(path)
  await world.service.database.member(ada.memberId).write((tx) => tx.run(EMPTY_ACCOUNT, {}))
  const poor = await ada.visitor.get(path)
  assert.match(poor.text, /An import costs 5.credits, and you have 3 left\. .* 1 December 2026/)
  const refused = await ada.visitor.submit(page, {}, 'Import')
  assert.equal(refused.status, 402)
  assert.deepEqual((await ada.ask('get_jobs'))['jobs'], [])
})

test('file contents are escaped', onOneEngine, async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const file = connectionsCsv([[HOSTILE, HOSTILE, HOSTILE]]).replace(
    'Company',
    'Company,<script>alert(2)</script>',
  )
  const { location } = await sendFile(ada, file, `${HOSTILE}.csv`)
  const { html, text } = await ada.visitor.get(location ?? '')
  assert.ok(!html.includes('<script>alert'))
  assert.ok(text.includes(HOSTILE))
  assert.ok(text.includes('<script>alert(2)</script>'))
})

async function countUploads({ service }: World, { memberId }: Person): Promise<number> {
  const found = await service.database.member(memberId).get(UPLOADS, {})
  return found?.count ?? 0
}

const UPLOADS = memberStatement<object, { count: number }>()(
  'select count(*) as count from uploads where member_id = :member_id',
)

const EMPTY_ACCOUNT = memberStatement()(
  'update credit_accounts set remaining = 3 where member_id = :member_id',
)

test('the report of an import names empty columns in one line', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await importFile(ada, 'Name,Fax,Telex,Pager\nGrace Hopper,,,\n')
  const { text, html } = await ada.visitor.get(jobPath(jobId))
  assert.match(text, /Name Name 1 3.empty columns Fax ?, Telex ?, Pager/)
  assert.equal(html.match(/<td><bdi>(?:Fax|Telex|Pager)/g), null)
})

test('home and the list say the same about possible duplicates: pairs and people', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', {
    name: 'Jon Lovelace',
    company: 'Acme',
    phones: ['+1 212 555 0100'],
  })
  await importFile(ada, 'Name,Company,Phone\nJohnny Lovelace,Acme,+1 212 555 0100\n')
  const home = await ada.visitor.get('/user')
  assert.match(home.text, /1 possible duplicate can wait/)
  assert.match((await ada.visitor.get('/user')).text, /Tidy up 1 Activity/)
  const tidy = await ada.visitor.get('/user/connections/duplicates')
  assert.match(tidy.text, /1 of 1 to review/)
  const list = await ada.visitor.get('/user/connections?duplicates=possible')
  assert.match(list.text, /People 2 of 2/)
  // Another write keeps the last known number.
  await ada.ask('add_connections', { name: 'Mary Somerville' })
  assert.match((await ada.visitor.get('/user/network')).text, /Tidy up 1 Activity/)
})
