import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Page } from 'playwright-core'
import { HOUR } from '../../src/base/clock.ts'
import { memberStatement } from '../../src/db/statement.ts'
import { jobPath } from '../../src/html/site-map.ts'
import { browserMissing } from '../support/browser.ts'
import { complaintsOf, judge, PHONE } from './judge.ts'
import { openWindows, type Windows } from './windows.ts'

/** The size of the base font. */
const REM = 16
const WIDE = 'W'.repeat(120)
const COLUMNS = ['First Name', 'Last Name', 'Company', 'Position', 'Email Address', WIDE]
const FILE = [
  COLUMNS.join(','),
  'Grace,Hopper,Navy,Rear Admiral,grace@navy.example,x',
  `${WIDE},${WIDE},${WIDE},${WIDE},${WIDE}@x.example,x`,
  ',,,,,',
  ',,,Captain,,x',
  '',
].join('\r\n')

test(
  'an import fits every screen, from the file to its undo',
  { skip: browserMissing },
  async () => {
    await using world = await openWindows()
    const page = await world.open({ viewport: PHONE })
    const complaints = complaintsOf(page)
    await page.goto('/user/jobs')
    await judge(page, 'no jobs')
    await page.getByRole('link', { name: 'Import a file' }).click()
    for (const way of await page.locator('.ways summary').all()) await way.click()
    await judge(page, 'the form')
    await choose(page, '%PDF-1.7', 'cv.pdf')
    await page.getByText('This is a PDF').waitFor()
    await judge(page, 'the form rejected')
    await choose(page, FILE, `${WIDE}.csv`)
    await judge(page, 'before the import')
    await page.getByRole('button', { name: 'Import', exact: true }).click()
    await page.getByText('You can undo this import.').waitFor()
    await judge(page, 'after the import')
    await page.emulateMedia({ media: 'print' })
    for (const name of [/^Undo/, 'More'])
      assert.equal(await page.getByRole('button', { name }).isVisible(), false, String(name))
    await page.emulateMedia({ media: 'screen' })
    await page.getByRole('button', { name: /^Undo/ }).click()
    await page
      .getByText(/^Undid: Imported W{20,}/)
      .first()
      .waitFor()
    const notice = await page.locator('.toast').boundingBox()
    assert.ok(notice && notice.height <= 3.5 * REM, 'at most two lines')
    await judge(page, 'after the undo')
    await page.getByRole('link', { name: 'All background jobs' }).click()
    await judge(page, 'jobs')
    assert.deepEqual(complaints, [])
  },
)

test('the page follows a running job to its end', { skip: browserMissing }, async () => {
  await using world = await openWindows()
  await setJob(world, { state: 'running', done: 10, message: 'ten done' })
  const page = await world.open({ viewport: PHONE })
  const complaints = complaintsOf(page)
  await page.goto(jobPath(JOB_ID))
  await page.getByText('ten done').waitFor()
  await judge(page, 'running')
  await page.getByRole('button', { name: 'Stop' }).click()
  await judge(page, 'the question')
  await page.keyboard.press('Escape')
  await setJob(world, { state: 'running', done: 80, message: 'eighty done' })
  await page.getByText('eighty done').waitFor()
  assert.equal(await page.locator('progress').getAttribute('value'), '80')
  await setJob(world, { state: 'cancelled', done: 80, message: 'eighty done' })
  await page.getByText('Changes made before the cancellation are kept.').waitFor()
  assert.deepEqual(complaints, [])
})

for (const javaScriptEnabled of [true, false])
  test(
    `a file is previewed, imported and undone, ${javaScriptEnabled ? 'with a script' : 'without one'}`,
    { skip: browserMissing },
    async () => {
      await using world = await openWindows()
      const page = await world.open({ javaScriptEnabled })
      await page.goto('/user/import')
      await choose(page, FILE, 'Connections.csv')
      const found = page.getByRole('region', { name: 'Connections.csv' })
      // The columns of a known format need no choice.
      await found.getByText('6 columns', { exact: true }).click()
      await found.getByRole('row', { name: /^Position Rear Admiral .* Title$/ }).waitFor()
      await found.getByRole('row', { name: `${WIDE.slice(0, 60)} x Custom field` }).waitFor()
      await found.getByText('New', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Import', exact: true }).click()
      // Without a script the page reloads itself until the job has finished.
      await page.getByText('You can undo this import.').waitFor()
      const rejected = page.getByRole('region', { name: '1 row rejected' })
      await rejected.getByRole('row', { name: '4 5 No name, email address' }).waitFor()
      const waiting = page.waitForEvent('download')
      await rejected.getByRole('link', { name: 'Download as CSV' }).click()
      assert.equal((await waiting).suggestedFilename(), 'rejected.csv')
      await page.getByRole('link', { name: /^People( \d+)?$/ }).click()
      await page.getByRole('link', { name: 'Grace Hopper' }).click()
      const history = page.getByRole('region', { name: 'Timeline' })
      await history.getByRole('link', { name: 'Connections.csv' }).click()
      await page.getByRole('button', { name: /^Undo/ }).click()
      await page.getByText('Undid: Imported Connections.csv.').waitFor()
      await page.getByRole('link', { name: /^People( \d+)?$/ }).click()
      await page.getByText('No people yet').waitFor()
    },
  )

const JOB_ID = 7

async function choose(page: Page, content: string, name: string): Promise<void> {
  const file = { name, mimeType: 'text/csv', buffer: Buffer.from(content) }
  await page.getByLabel('Contact file').setInputFiles(file)
  await page.getByRole('button', { name: 'Preview import' }).click()
}

/** Sets the progress of a job leased by another worker. */
async function setJob(
  { service: { database, clock }, ada }: Windows,
  job: { state: string; done: number; message: string },
): Promise<void> {
  const now = clock.now()
  const lease_until = now + HOUR
  await database
    .member(ada.member.memberId)
    .write((tx) => tx.run(SET_JOB, { ...job, job_id: JOB_ID, lease_until, now }))
}

const SET_JOB = memberStatement<{
  job_id: number
  state: string
  done: number
  message: string
  lease_until: number
  now: number
}>()(`
  insert into jobs (job_id, member_id, kind, state, input, progress_done, progress_total, progress_message, worker,
    lease_until, created_at, started_at)
  values (:job_id, :member_id, 'purge_deleted', :state, '{}', :done, 100, :message, 'elsewhere', :lease_until, :now, :now)
  on conflict (job_id) do update
    set state = :state, progress_done = :done, progress_message = :message`)
