import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { SAME_ORIGIN } from '../../../test/support/visitor.ts'
import { DAY, HOUR } from '../../base/clock.ts'
import { emptyReport, type ImportReport } from '../../imports/import-report.ts'
import { connectionsCsv, importFile, planOf, readEvents } from '../../../test/fixtures/import.ts'
import { addJob } from '../../../test/fixtures/added-job.ts'
import { createTestWorld, type Person, type World } from '../../../test/fixtures/member.ts'
import { CANCEL_JOB_PATH, jobEventsPath, jobPath, JOBS_PATH } from '../../html/site-map.ts'
import { memberStatement } from '../../db/statement.ts'
import { recordChange } from '../../tools/activity.ts'

const HOSTILE = '<script>alert(1)</script> & co'
const PEOPLE = connectionsCsv([
  ['Grace', 'Hopper', 'Navy'],
  ['Alan', 'Turing', 'Bletchley Park'],
])

test('an empty page explains what will appear', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const { status, text, links } = await visitor.get(JOBS_PATH)
  assert.equal(status, 200)
  assert.match(text, /No background jobs yet\./)
  assert.equal(links['Import a file'], `${world.service.url}/user/import`)
})

test('an import is listed, and its page shows the result with rejected rows', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await importFile(ada, `${PEOPLE}"broken\r\n`)
  const list = await ada.visitor.get(JOBS_PATH)
  assert.match(list.text, /Import of Connections\.csv done just now/)
  assert.doesNotMatch(list.text, /rows read/)
  const page = await ada.visitor.get(list.links['Import of Connections.csv'] ?? '')
  assert.equal(page.address, world.service.url + jobPath(jobId))
  assert.match(page.text, /LinkedIn connections, 3.rows\. Created 2 Rejected 1/)
  assert.match(page.text, /1.row rejected .* Row Line Reason 3 4 \w+/)
  assert.doesNotMatch(page.html, /http-equiv|data-events/)
  assert.equal(await readEvents(ada, jobId), 'event: end\ndata: end\n\n')
})

test('an import is undone from its page, and the undo is undone', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await importFile(ada, PEOPLE)
  assert.equal(await countConnections(ada), 2)
  const undone = await ada.visitor.submit(await showJob(ada, jobId), { back: jobPath(jobId) })
  assert.match(undone.location ?? '', new RegExp(`${jobPath(jobId)}\\?change=a_`))
  assert.match((await ada.visitor.follow(undone)).text, /Undid: Imported Connections\.csv \. Undo/)
  assert.equal(await countConnections(ada), 0)
  const after = await showJob(ada, jobId)
  assert.equal(
    after.text.match(/This import was undone\. Started .+? · \d+.credits? Undo/g)?.length,
    1,
  )
  await ada.visitor.submit(after, { back: jobPath(jobId) })
  assert.equal(await countConnections(ada), 2)
  assert.match((await showJob(ada, jobId)).text, /You can undo this import\./)
})

test('relations that an earlier reader of Monica imported backwards are turned around from the page of the import', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const file = await readFile(new URL('../../../test/fixtures/monica/family.json', import.meta.url))
  const jobId = await importFile(
    ada,
    file
      .toString()
      .replaceAll('"contact_is"', '"x"')
      .replaceAll('"of_contact"', '"contact_is"')
      .replaceAll('"x"', '"of_contact"'),
  )
  assert.doesNotMatch((await showJob(ada, jobId)).text, /backwards/)
  const db = world.service.database.member(ada.memberId)
  await db.write((tx) => tx.run(FORGET_READER, { job_id: jobId }))
  const offer = await showJob(ada, jobId)
  assert.match(offer.text, /Relations are backwards/)
  const turned = await ada.visitor.submit(offer, {}, 'Turn relations around')
  const after = await ada.visitor.follow(turned)
  assert.match(after.text, /Changed .+ Undo/)
  assert.doesNotMatch(after.text, /backwards/)
  await ada.visitor.submit(offer, {}, 'Turn relations around')
  await ada.visitor.submit(after, { back: jobPath(jobId) })
  assert.match((await showJob(ada, jobId)).text, /Relations are backwards/)
})

const FORGET_READER = memberStatement<{ job_id: number }>()(`
  update jobs set result = replace(result, '"reader":2,', '')
  where member_id = :member_id and job_id = :job_id`)

test('a running job shows its progress, reloads without a script, and can be cancelled', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await addJob(world, ada, 'running', { message: HOSTILE, filename: '<b>.csv' })
  const page = await showJob(ada, jobId)
  assert.match(page.html, /<noscript><meta http-equiv="refresh" content="3" \/><\/noscript>/)
  assert.ok(page.html.includes(`data-events="${jobEventsPath(jobId)}"`))
  assert.match(page.html, /<progress [^>]*value="42"[^>]* max="100"/)
  assert.ok(page.text.includes(`running ${HOSTILE} · 42`))
  assert.match(page.html, /<title>Import of &#60;b&#62;\.csv \(running\)/)
  for (const { html, text } of [page, await ada.visitor.get(JOBS_PATH)]) {
    assert.ok(text.includes('<b>.csv'))
    assert.ok(!html.includes('<b>.csv'))
  }
  assert.ok(!page.html.includes('<script>alert'))
  const cancelled = await ada.visitor.submit(page, {}, String(jobId))
  const after = await ada.visitor.follow(cancelled)
  assert.match(after.text, /Stop requested.* stopping/)
  assert.ok(!after.forms.some(({ action }) => action.endsWith(CANCEL_JOB_PATH)))
})

test('a stopped import says what it imported, and continues with the same file', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const plan = await planOf(ada, PEOPLE)
  const uploadId = /upl_[\w-]+/.exec(plan)?.[0] ?? ''
  const jobId = await addJob(world, ada, 'cancelled', {
    kind: 'file_import',
    input: { upload_id: uploadId },
    filename: 'Connections.csv',
  })
  const before = await showJob(ada, jobId)
  assert.match(before.text, /Connections\.csv ?: stopped\./)
  assert.doesNotMatch(before.text, /Created/)
  await recordImport(world, ada, jobId, { created: 1, rows: 1 })
  const page = await showJob(ada, jobId)
  assert.match(page.text, /Created 1 Imported people are kept/)
  assert.equal(page.links['Import the file again'], world.service.url + new URL(plan).pathname)
  world.service.clock.advance(2 * DAY)
  const later = await showJob(ada, jobId)
  assert.equal(later.links['Import the file again'], `${world.service.url}/user/import`)
})

test('the undo of a large import says that it takes a while', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const [small, large] = [10_000, 10_001]
  for (const [created, expected] of [
    [small, false],
    [large, true],
  ] as const) {
    const jobId = await addJob(world, ada, 'cancelled', { kind: 'file_import' })
    await recordImport(world, ada, jobId, { created, rows: created })
    const { text } = await showJob(ada, jobId)
    assert.match(text, /You can undo this import\./)
    assert.equal(/Undo takes a while/.test(text), expected, String(created))
  }
})

test('cancelling a finished job changes nothing and shows no notice', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const jobId = await importFile(ada, PEOPLE)
  const form_token = (await showJob(ada, jobId)).formToken
  const fields = { form_token, job_id: String(jobId) }
  const late = await ada.visitor.post(CANCEL_JOB_PATH, fields, SAME_ORIGIN)
  assert.equal(late.location, world.service.url + jobPath(jobId))
  assert.match((await ada.visitor.follow(late)).text, /Import of Connections\.csv done/)
})

test('a failed job shows the reason', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const error = { code: 'unreadable_file', title: 'Unreadable file', detail: HOSTILE }
  const job = { error, filename: 'people.pdf' }
  const page = await showJob(ada, await addJob(world, ada, 'failed', job))
  assert.match(page.text, /failed Result people\.pdf ?: ?Unreadable file/)
  assert.ok(page.text.includes(HOSTILE))
  assert.ok(!page.html.includes('<script>alert'))
})

test('jobs of other members are not accessible', async () => {
  await using world = await createTestWorld()
  const [ada, eve] = [await world.join('ada'), await world.join('eve')]
  const jobId = await addJob(world, ada, 'running', { message: 'secret' })
  const { formToken, text } = await eve.visitor.get(JOBS_PATH)
  assert.match(text, /No background jobs yet/)
  const fields = { form_token: formToken, job_id: String(jobId) }
  const asked = [
    await eve.visitor.get(jobPath(jobId)),
    await eve.visitor.get(jobEventsPath(jobId)),
    await eve.visitor.post(CANCEL_JOB_PATH, fields, SAME_ORIGIN),
    await eve.visitor.get(`${JOBS_PATH}/x`),
  ]
  for (const { status, text: answer } of asked) {
    assert.equal(status, 404)
    assert.doesNotMatch(answer, /secret/)
  }
  assert.doesNotMatch((await showJob(ada, jobId)).text, /stopping/)
})

test('older jobs are paginated without gaps or duplicates', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  for (let count = 1; count <= 30; count += 1) {
    await addJob(world, ada, 'succeeded', { kind: 'file_import', filename: `file ${count}` })
    world.service.clock.advance(HOUR)
  }
  const first = await ada.visitor.get(JOBS_PATH)
  const second = await ada.visitor.get(first.links['Older'] ?? '')
  const seen = `${first.text} ${second.text}`.matchAll(/Import of file (\d+)/g)
  assert.deepEqual(
    [...seen].map(([, number]) => Number(number)),
    Array.from({ length: 30 }, (_, index) => 30 - index),
  )
  assert.ok(!('Older' in second.links))
  assert.equal(second.links['Newest'], world.service.url + JOBS_PATH)
  assert.equal((await ada.visitor.get(`${JOBS_PATH}?cursor=x`)).status, 400)
})

const showJob = ({ visitor }: Person, jobId: number) => visitor.get(jobPath(jobId))

async function countConnections(person: Person): Promise<unknown> {
  return (await person.ask('get_network_summary'))['connections']
}

/** As an import records what it did. */
async function recordImport(
  { service }: World,
  { memberId }: Person,
  jobId: number,
  counts: Partial<ImportReport>,
): Promise<void> {
  const { rejected: _rejected, ...after } = { ...emptyReport('linkedin', null), ...counts }
  const author = { credentialId: null, actor: 'Member ada', now: service.clock.now() }
  const subject = { subjectKind: 'job', subjectId: String(jobId) } as const
  await service.database
    .member(memberId)
    .write((tx) =>
      recordChange(tx, author, { action: 'connections.import', ...subject, before: null, after }),
    )
}
