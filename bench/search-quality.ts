/**
 * Search quality of search_connections compared with MiniSearch, Fuse.js and PostgreSQL with pg_trgm, on the sets of
 * `search/sets.ts`. Weft is queried through its tool, as by an agent. The figures are independent of time and load.
 * Run `node bench/search-quality.ts`; `-v` prints every tuning question that Weft does not answer completely, and `--weft`
 * measures only Weft.
 */

import { print, printFigures, type Figure } from './support/figures.ts'
import { openFuse, openMiniSearch, openTrigrams, openWeft, type Engine } from './search/engines.ts'
import { scoreOf, type Score, type SearchQuestion, type SearchSet } from './search/score.ts'
import { SETS } from './search/sets.ts'

export const title =
  'Search quality: recall@5 and nDCG@10, or the share of negative questions without results'

type Open = (set: SearchSet) => Promise<Engine>

export async function measure(): Promise<Figure[]> {
  return measureSets([openWeft, openMiniSearch, openFuse, openTrigrams])
}

async function measureSets(opens: readonly Open[]): Promise<Figure[]> {
  const figures: Figure[] = []
  for (const set of SETS) figures.push(...(await measureSet(set, opens)))
  return figures
}

async function measureSet(set: SearchSet, opens: readonly Open[]): Promise<Figure[]> {
  const columns: Column[] = []
  for (const open of opens) columns.push(await measureEngine(set, open))
  const names = columns.map(({ name }) => name.padEnd(CELL)).join('')
  const size = `${set.people.length} people, ${set.questions.length} questions`
  return [
    { name: `${set.name}: ${size}`, value: names },
    ...rowsOf(set).map((row) => figureOf(row, columns)),
  ]
}

interface Column {
  readonly name: string
  readonly answers: ReadonlyMap<SearchQuestion, readonly string[]>
  /** Set if the search is not available on this machine. */
  readonly problem?: string
}

async function measureEngine(set: SearchSet, open: Open): Promise<Column> {
  const answers = new Map<SearchQuestion, readonly string[]>()
  try {
    await using engine = await open(set)
    for (const question of set.questions) answers.set(question, await engine.search(question.query))
    return { name: engine.name, answers }
  } catch (error) {
    print(`${open.name}: ${String(error)}`)
    return { name: open.name, answers, problem: String(error) }
  }
}

interface Row {
  readonly name: string
  readonly questions: readonly SearchQuestion[]
}

function rowsOf({ questions, categories }: SearchSet): Row[] {
  const answerable = questions.filter(({ category }) => category !== 'negatives')
  return [
    ...categories.map((name) => ({
      name,
      questions: questions.filter(({ category }) => category === name),
    })),
    { name: 'all but negatives', questions: answerable },
    { name: '  tuning', questions: answerable.filter(({ isHeldOut }) => !isHeldOut) },
    { name: '  held out', questions: answerable.filter(({ isHeldOut }) => isHeldOut) },
  ].filter((row) => row.questions.length > 0)
}

const CELL = 20

function figureOf({ name, questions }: Row, columns: readonly Column[]): Figure {
  const cells = columns.map((column) => cellOf(questions, column).padEnd(CELL))
  return { name: `${name} (${questions.length})`, value: cells.join('') }
}

function cellOf(questions: readonly SearchQuestion[], { answers, problem }: Column): string {
  if (problem !== undefined) return 'not measured'
  const scores = questions.map((question) => scoreOf(question, answers.get(question) ?? []))
  const mean = (of: (score: Score) => number) =>
    (scores.reduce((sum, score) => sum + of(score), 0) / scores.length).toFixed(3)
  const recall = mean(({ recallAt5 }) => recallAt5)
  return questions[0]?.category === 'negatives'
    ? recall
    : `${recall} ${mean(({ ndcgAt10 }) => ndcgAt10)}`
}

/** Held-out questions are not printed, because inspecting them would lead to tuning for them. */
async function printMisses(set: SearchSet): Promise<void> {
  await using weft = await openWeft(set)
  for (const question of set.questions.filter(({ isHeldOut }) => !isHeldOut)) {
    const found = await weft.search(question.query)
    const { recallAt5, ndcgAt10 } = scoreOf(question, found)
    if (recallAt5 === 1 && ndcgAt10 === 1) continue
    print(
      `${question.category} | ${question.query} | ${recallAt5.toFixed(2)} ${ndcgAt10.toFixed(2)}`,
    )
    print(`  found: ${found.join(' ')}`)
    print(`  asked: ${[...question.relevant].map((pair) => pair.join(':')).join(' ')}`)
  }
}

if (import.meta.main) {
  if (process.argv.includes('-v')) for (const set of SETS) await printMisses(set)
  const isAlone = process.argv.includes('--weft')
  printFigures(title, isAlone ? await measureSets([openWeft]) : await measure())
}
