/**
 * Checks that no regular expression takes more than linear time: members and their files choose the text. `npm test` runs
 * it.
 *
 * `recheck` analyzes every expression of `src/`, except where only the operator's text and our own SQL arrive. That takes
 * 100 s of CPU time, so verdicts are kept: `scripts/regex-verdicts.json` has the project's, which `npm run lint:regex --
 * --record` writes, and node_modules/.cache those on newer expressions. `npm run test:all` reads neither.
 *
 * An expression that it does not call safe needs a comment `regex-ok: <reason>` on its line or on one of the three lines
 * above it, which says what bounds the text. So does `new RegExp(…)`, which is not analyzed. A comment that is no longer
 * needed is an error.
 *
 * It sees one match at a time: where a pattern with the flag `g` fails at one place and continues at the next, only
 * test/linear-time.test.ts finds out that all matches together take quadratic time.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { availableParallelism } from 'node:os'
import process from 'node:process'
import { isMainThread, parentPort, Worker } from 'node:worker_threads'
import { parse, tokTypes, type Comment, type Token } from 'acorn'
import { checkSync, type Diagnostics } from 'recheck'

/** One expression of a file, or one call. */
interface Found {
  readonly line: number
  /** As in the source; undefined for one that is built when it runs. */
  readonly literal: Literal | undefined
}

interface Literal {
  readonly pattern: string
  readonly flags: string
}

/** Why an expression is not accepted; empty for one that is safe. */
type Verdict = string

const CACHE_FOLDER = 'node_modules/.cache/weft'
const CACHE = `${CACHE_FOLDER}/regex.json`
const RECORD = 'scripts/regex-verdicts.json'
/** Verdicts of other versions of the analyzer or of these settings do not count. */
const CACHE_KEY = 'recheck 4.5.0, 1'

/**
 * Limits are counts, so that results do not depend on how busy the machine is. The analysis ends when this many characters
 * were read in texts of at most this length, which is hundreds of times what a linear expression needs.
 */
const LIMITS = {
  attackTimeout: null,
  incubationTimeout: null,
  attackLimit: 15_000_000,
  maxAttackStringSize: 30_000,
} as const
/** By the clock. */
const TIMEOUT_MS = 30_000
/** CPU time. Safe expressions take at most five seconds, most of them none. */
const MIN_CPU_MS = 10_000

/** The text is the operator's, or our own SQL. */
const EXCLUDED = /^src\/(?:cli|config|db|operate|service)\//

const ALLOWED = /^\s*regex-ok: \S/
/** The lines below a comment that it is about. */
const REACH = 3
/** The only file that calls `String.normalize`. */
const NORMALIZES = /^export function normalForm\(/m

if (isMainThread) process.exitCode = await main()
else analyzeMessages()

async function main(): Promise<number> {
  process.removeAllListeners('warning') // stripTypeScriptTypes is experimental
  const files = execFileSync('git', ['ls-files', '-z', 'src'], { encoding: 'utf8' })
    .split('\0')
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !EXCLUDED.test(file))
    .filter((file) => existsSync(file))
    .map((file) => readSource(file, readFileSync(file, 'utf8')))
  const literals = files.flatMap(({ found }) => found.flatMap(({ literal }) => literal ?? []))
  const verdicts = await verdictsOn(literals)
  const errors = files.flatMap((file) => errorsIn(file, verdicts))
  for (const error of errors) process.stdout.write(`${error}\n`)
  return errors.length === 0 ? 0 : 1
}

interface Source {
  readonly file: string
  readonly found: readonly Found[]
  readonly comments: readonly Comment[]
  /** The lines that call `String.normalize`. */
  readonly normalized: readonly number[]
}

function readSource(file: string, source: string): Source {
  const tokens: Token[] = []
  const comments: Comment[] = []
  parse(stripTypeScriptTypes(source), {
    ecmaVersion: 'latest',
    sourceType: 'module',
    locations: true,
    onToken: tokens,
    onComment: comments,
  })
  const textOf = (token: Token) => source.slice(token.start, token.end)
  const linesOf = (wanted: (token: Token, at: number) => boolean) =>
    tokens.filter(wanted).map((token) => token.loc?.start.line ?? 0)
  const literals = tokens.filter(({ type }) => type === tokTypes.regexp)
  const isBuilt = (token: Token, at: number) =>
    textOf(token) === 'RegExp' && tokens[at + 1]?.type === tokTypes.parenL
  const normalizes = (token: Token, at: number) =>
    textOf(token) === 'normalize' && tokens[at - 1]?.type === tokTypes.dot
  return {
    file,
    comments: comments.filter(({ value }) => ALLOWED.test(value)),
    found: [
      ...literals.map((token) => ({
        line: token.loc?.start.line ?? 0,
        literal: literalIn(textOf(token)),
      })),
      ...linesOf(isBuilt).map((line) => ({ line, literal: undefined })),
    ],
    normalized: NORMALIZES.test(source) ? [] : linesOf(normalizes),
  }
}

function literalIn(text: string): Literal {
  const end = text.lastIndexOf('/')
  return { pattern: text.slice(1, end), flags: text.slice(end + 1) }
}

/** With the file and the line before each. */
function errorsIn(
  { file, found, comments, normalized }: Source,
  verdicts: ReadonlyMap<string, Verdict>,
): string[] {
  const needed = new Set<Comment>()
  const errors = found.flatMap(({ line, literal }) => {
    if (literal !== undefined && isBounded(literal)) return []
    const verdict = literal === undefined ? 'is not analyzed' : verdicts.get(keyOf(literal))
    if (verdict === '') return []
    const comment = comments.find(
      ({ loc }) => loc !== undefined && line >= lineOf(loc) && line <= lineOf(loc) + REACH,
    )
    if (comment) needed.add(comment)
    const text = literal === undefined ? 'RegExp(…)' : `/${literal.pattern}/${literal.flags}`
    return comment ? [] : [`${line}: ${text} ${verdict ?? ''}`]
  })
  const unneeded = comments
    .filter((comment) => !needed.has(comment))
    .map(({ loc }) => `${loc ? lineOf(loc) : 0}: this regex-ok is not needed`)
  const calls = normalized.map((line) => `${line}: use normalForm, which takes linear time`)
  return [...errors, ...unneeded, ...calls].map((error) => `${file}:${error}`)
}

function lineOf(loc: NonNullable<Comment['loc']>): number {
  return loc.start.line
}

function keyOf({ pattern, flags }: Literal): string {
  return `/${pattern}/${flags}`
}

/** Returns the verdicts on all expressions that are not bounded, by their text. */
async function verdictsOn(literals: readonly Literal[]): Promise<ReadonlyMap<string, Verdict>> {
  const known =
    process.env['WEFT_TEST_ALL'] === undefined ? { ...read(CACHE), ...read(RECORD) } : {}
  const verdicts = new Map<string, Verdict>()
  const waiting: Literal[] = []
  const unbounded = literals.filter((literal) => !isBounded(literal))
  for (const [key, literal] of new Map(unbounded.map((one) => [keyOf(one), one]))) {
    const verdict = known[key]
    if (verdict === undefined) waiting.push(literal)
    else verdicts.set(key, verdict)
  }
  const workers = Math.min(waiting.length, availableParallelism())
  await Promise.all(
    Array.from({ length: workers }, () =>
      runWorker(waiting, (literal, verdict) => verdicts.set(keyOf(literal), verdict)),
    ),
  )
  mkdirSync(CACHE_FOLDER, { recursive: true })
  write(process.argv.includes('--record') ? RECORD : CACHE, verdicts)
  return verdicts
}

function read(file: string): Readonly<Record<string, Verdict>> {
  if (!existsSync(file)) return {}
  const kept = JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, Verdict>>
  return kept[CACHE_KEY] ?? {}
}

/** Sorted, so that a change of one expression is a change of one line. */
function write(file: string, verdicts: ReadonlyMap<string, Verdict>): void {
  const sorted = [...verdicts].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const kept = { [CACHE_KEY]: Object.fromEntries(sorted) }
  writeFileSync(file, `${JSON.stringify(kept, null, 2)}\n`)
}

/** Without an unbounded repetition, each start takes bounded time. */
function isBounded({ pattern }: Literal): boolean {
  const plain = pattern.replace(/\\.|\[(?:\\.|[^\]\\])*\]/g, '')
  return !/[*+]|\{\d+,\}/.test(plain)
}

/** A thread that analyzes one after another until none is waiting. */
function runWorker(
  waiting: Literal[],
  onVerdict: (literal: Literal, verdict: Verdict) => void,
): Promise<void> {
  const worker = new Worker(new URL(import.meta.url), {
    env: { ...process.env, RECHECK_SYNC_BACKEND: 'pure' },
  })
  return new Promise((resolve, reject) => {
    let current = waiting.shift()
    const next = () => {
      if (current) worker.postMessage(current)
      else void worker.terminate().then(() => resolve())
    }
    worker.on('error', reject)
    worker.on('message', (verdict: Verdict) => {
      if (current) onVerdict(current, verdict)
      current = waiting.shift()
      next()
    })
    next()
  })
}

function analyzeMessages(): void {
  parentPort?.on('message', (literal: Literal) => parentPort?.postMessage(analyze(literal)))
}

/** The analyzer measures time by the clock, which is repeated with more time where other processes had the CPU. */
function analyze({ pattern, flags }: Literal): Verdict {
  for (let timeout = TIMEOUT_MS; ; timeout *= 2) {
    const before = process.threadCpuUsage()
    const result = checkSync(pattern, flags, { ...LIMITS, timeout })
    const { user } = process.threadCpuUsage(before)
    const isInterrupted = result.status === 'unknown' && result.error.kind === 'timeout'
    if (!isInterrupted || user / 1000 > MIN_CPU_MS) return verdictOf(result)
  }
}

function verdictOf(result: Diagnostics): Verdict {
  if (result.status === 'safe') return ''
  if (result.status === 'unknown') return `cannot be analyzed (${result.error.kind})`
  return `takes ${result.complexity.summary} time, as for ${result.attack.pattern.slice(0, 100)}`
}
