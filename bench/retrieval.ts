/**
 * Search quality of search_connections in keyword, semantic and auto mode: 64 questions about the 200 people of the demo
 * account, with manual relevance grades (`retrieval-set.ts`). It measures neither load nor time, so the figures are the
 * same on every machine. Run `node bench/retrieval.ts`; `-v` also prints the first results for every tuning question.
 */

import { createLog } from '../src/base/log.ts'
import { DEMO_MEMBER } from '../src/connections/demo/member.ts'
import { embedObjectsJob } from '../src/connections/search/embed-objects.job.ts'
import { searchInMode } from '../src/connections/search/search.ts'
import type { SearchMode } from '../src/connections/search/answer-with-meaning.ts'
import { JobWorker } from '../src/jobs/worker.ts'
import { startJob } from '../src/jobs/start-job.ts'
import { openEmbedder, type Embedder } from '../src/embeddings/embedder.ts'
import { requireMemberByUsername } from '../src/members/member.ts'
import { seedDemo } from '../src/service/seed-demo.ts'
import { createStore, type TestStore } from '../test/support/store.ts'
import { HELD_OUT, TUNING, type RetrievalQuestion } from './retrieval-set.ts'
import { print, printFigures, type Figure } from './support/figures.ts'
import type { Listed } from '../src/connections/model/connection.ts'
import type { MemberDatabase } from '../src/db/database.ts'

export const title = 'Search quality: 200 people, 32 tuning questions and 32 held-out questions'

export interface Quality {
  /** The share of relevant people (grade 2 or 3; at most five count) among the first five results. */
  readonly recallAt5: number
  /** Normalized discounted cumulative gain of the first ten results. */
  readonly ndcgAt10: number
}

export const MODES: readonly SearchMode[] = ['keyword', 'semantic', 'auto']

export async function measure(): Promise<Figure[]> {
  await using store = await createStore()
  const search = await prepareSearch(store)
  const figures: Figure[] = []
  for (const [name, questions] of [
    ['tuning', TUNING],
    ['held out', HELD_OUT],
  ] as const)
    for (const mode of MODES) {
      const { recallAt5, ndcgAt10 } = await measureQuality(search, questions, mode)
      const value = `recall@5 ${recallAt5.toFixed(3)}  nDCG@10 ${ndcgAt10.toFixed(3)}`
      figures.push({ name: `${name}, ${mode}`, value })
    }
  return figures
}

/** Returns the first ten results of a mode. */
export type Search = (query: string, mode: SearchMode) => Promise<readonly Listed[]>

/** The demo account with all its people embedded. */
export async function prepareSearch({ database, clock }: TestStore): Promise<Search> {
  await seedDemo(database, clock.now())
  const { memberId } = await requireMemberByUsername(database, DEMO_MEMBER.username)
  const db = database.member(memberId)
  const embedder = openEmbedder(null)
  await embedAll(db, embedder, { database, clock })
  const deps = { embedder, now: clock.now(), signal: new AbortController().signal }
  return async (query, mode) =>
    (await searchInMode(db, { query: { query }, mode, limit: 10 }, deps)).connections
}

async function embedAll(
  db: MemberDatabase,
  embedder: Embedder,
  { database, clock }: Pick<TestStore, 'database' | 'clock'>,
): Promise<void> {
  const definition = embedObjectsJob(embedder)
  const start = { definition, input: {}, credentialId: null, charge: false, quota: 0 }
  const { job } = await db.write((tx) => startJob(tx, { ...start, now: clock.now() }))
  await using worker = new JobWorker({
    database,
    jobs: [definition],
    clock,
    log: createLog('silent'),
  })
  const ended = await worker.runToEnd(db.memberId, job.job_id)
  if (ended.state !== 'succeeded') throw new Error(`the job ended ${ended.state}`)
}

/** The mean over the questions. */
export async function measureQuality(
  search: Search,
  questions: readonly RetrievalQuestion[],
  mode: SearchMode,
): Promise<Quality> {
  let [recall, gain] = [0, 0]
  for (const question of questions) {
    const grades = gradesOf(question, await search(question.query, mode))
    recall += recallOf(question, grades)
    gain += gainOf(grades) / gainOf(Object.values(question.relevant).toSorted((a, b) => b - a))
  }
  return { recallAt5: recall / questions.length, ndcgAt10: gain / questions.length }
}

function gradesOf({ relevant }: RetrievalQuestion, found: readonly Listed[]): number[] {
  return found.map(({ name, title: held }) => relevant[name] ?? relevant[`${name}, ${held}`] ?? 0)
}

function recallOf({ relevant }: RetrievalQuestion, grades: readonly number[]): number {
  const helping = Object.values(relevant).filter((grade) => grade >= HELPS).length
  return grades.slice(0, 5).filter((grade) => grade >= HELPS).length / Math.min(5, helping)
}

const HELPS = 2

function gainOf(grades: readonly number[]): number {
  return grades
    .slice(0, 10)
    .reduce((sum, grade, rank) => sum + (2 ** grade - 1) / Math.log2(rank + 2), 0)
}

async function printAnswers(): Promise<void> {
  await using store = await createStore()
  const search = await prepareSearch(store)
  for (const question of TUNING) {
    print(`\n${question.query}`)
    for (const mode of MODES) {
      const found = (await search(question.query, mode)).slice(0, 5)
      const grades = gradesOf(question, found)
      print(`  ${mode}: ${found.map(({ name }, rank) => `${name} ${grades[rank]}`).join(' · ')}`)
    }
  }
}

if (import.meta.main) {
  if (process.argv.includes('-v')) await printAnswers()
  printFigures(title, await measure())
}
