import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scoreOf, type Score, type SearchQuestion } from '../../../../bench/search/score.ts'
import { DEMO_SET } from '../../../../bench/search/sets.ts'
import { createStore, type TestStore } from '../../../../test/support/store.ts'
import { createLog } from '../../../base/log.ts'
import { openEmbedder } from '../../../embeddings/embedder.ts'
import { JobWorker } from '../../../jobs/worker.ts'
import { startJob } from '../../../jobs/start-job.ts'
import { requireMemberByUsername } from '../../../members/member.ts'
import { seedDemo } from '../../../acts/seed-demo.ts'
import { DEMO_MEMBER } from '../../demo/demo-member.ts'
import { embedObjectsJob } from './embed-objects.job.ts'
import { searchConnections } from '../search.ts'
import type { SearchMode } from '../ask.ts'

test('combined search finds more than keyword search and semantic search', async (t) => {
  await using store = await createStore()
  const search = await prepareSearch(store)
  const halves = Map.groupBy(DEMO_SET.questions, ({ isHeldOut }) => isHeldOut)
  for (const [isHeldOut, questions] of halves) {
    const keyword = await qualityOf(search, questions, 'keyword')
    const semantic = await qualityOf(search, questions, 'semantic')
    const auto = await qualityOf(search, questions, 'auto')
    const half = isHeldOut ? 'held out' : 'tuning'
    t.diagnostic(`${half}: ${JSON.stringify({ keyword, semantic, auto })}`)
    for (const measure of ['recallAt5', 'ndcgAt10'] as const) {
      assert.ok(auto[measure] > keyword[measure], `${half} ${measure}`)
      assert.ok(auto[measure] > semantic[measure], `${half} ${measure}`)
    }
    // The measured value, with some tolerance for changes to demo notes.
    if (isHeldOut) assert.ok(auto.recallAt5 > 0.7, String(auto.recallAt5))
  }
})

/** Returns the first ten results of a mode, as the set names people. */
type Search = (query: string, mode: SearchMode) => Promise<readonly string[]>

/** The demo account with all its people embedded. */
async function prepareSearch({ database, clock }: TestStore): Promise<Search> {
  await seedDemo(database, clock.now())
  const { memberId } = await requireMemberByUsername(database, DEMO_MEMBER.username)
  const db = database.member(memberId)
  const embedder = openEmbedder(null)
  const definition = embedObjectsJob(embedder)
  const start = { definition, input: {}, credentialId: null, charge: false, quota: 0 }
  const { job } = await db.write((tx) => startJob(tx, { ...start, now: clock.now() }))
  await using worker = new JobWorker({
    database,
    jobs: [definition],
    clock,
    log: createLog('silent'),
  })
  assert.equal((await worker.runToEnd(memberId, job.job_id)).state, 'succeeded')
  const handles = new Set(DEMO_SET.people.map(({ handle }) => handle))
  const deps = { embedder, now: clock.now(), signal: new AbortController().signal }
  return async (query, mode) => {
    const found = await searchConnections(db, { query: { query }, mode, limit: 10 }, deps)
    return found.connections.map(({ name, title }) =>
      handles.has(name) ? name : `${name}, ${title ?? ''}`,
    )
  }
}

/** The mean over the questions. */
async function qualityOf(
  search: Search,
  questions: readonly SearchQuestion[],
  mode: SearchMode,
): Promise<Score> {
  let [recallAt5, ndcgAt10] = [0, 0]
  for (const question of questions) {
    const score = scoreOf(question, await search(question.query, mode))
    recallAt5 += score.recallAt5 / questions.length
    ndcgAt10 += score.ndcgAt10 / questions.length
  }
  return { recallAt5, ndcgAt10 }
}
