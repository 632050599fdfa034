/**
 * Checks that comments, messages and documents use the project's words. `npm test` runs it.
 *
 * - `node scripts/lint-prose.ts`: fails when a file has more listed phrases than `prose-baseline.json` allows.
 * - `node scripts/lint-prose.ts FILES`: also prints every phrase in these files.
 * - `node scripts/lint-prose.ts --update-baseline`: lowers the baseline to what is left. It never raises a count.
 *
 * A line that must contain a listed phrase, such as a quotation from a standard, ends with `prose-ok`.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import process from 'node:process'

interface Rule {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly advice: string
}

/** Phrases that read like a private dialect, and the plain term for each. docs/contributing/glossary.md explains. */
const RULES: readonly Rule[] = [
  { pattern: /\bwho(?:m)?ever\b/i, advice: 'name the actor: "the caller", "anyone who"' },
  { pattern: /\bwhom\b/i, advice: 'rewrite with "who" or a noun' },
  { pattern: /(?<!['/=])\bnobody\b/i, advice: 'write "no one", or say what happens' },
  { pattern: /\bsomebody\b/i, advice: 'write "someone", or a noun' },
  { pattern: /\b(?:is|are|was|were|be) told\b/i, advice: 'say who gets which message' },
  { pattern: /\bby hand\b/i, advice: 'write "manually" or "typed"' },
  { pattern: /\bno more\b(?! (?:than|results))/i, advice: 'write "no longer", or "at most"' },
  { pattern: /\bc[ao]me[s]? of\b/i, advice: 'write "result"' },
  { pattern: /\bE-?mail\b(?<!email|Email)|\be-mails?\b/i, advice: 'write "email"' },
  { pattern: /\bgood (?:once|for one use)\b/i, advice: 'write "single-use"' },
  { pattern: /\b(?:is|are|was|were) dear\b|\bdear to\b/i, advice: 'write "expensive"' },
  { pattern: /\bthe house\b/i, advice: 'write "the architecture" or "Weft"' },
  { pattern: /\btaken back\b|\btakes? back\b/i, advice: 'write "undo"' },
  { pattern: /\bfor good\b/i, advice: 'write "permanently"' },
  { pattern: /\b(?:looked|looks?|looking) again\b/i, advice: 'write "checked again"' },
  { pattern: /\bthere is no such\b/i, advice: 'write "unknown" or "not found"' },
  { pattern: /\bhow often (?:it|they|a path) may be asked\b/i, advice: 'write "rate limit"' },
  { pattern: /\bin (?:its|the) place\b/i, advice: 'write "instead"' },
  { pattern: /\bpicture(?:s|d)?\b(?! (?:of|element))/i, advice: 'write "snapshot", or "image"' },
  { pattern: /\bdeeds?\b/i, advice: 'write "action"' },
  { pattern: /\brefusals?\b/i, advice: 'write "error"' },
  {
    pattern: /\bcolour|behaviour|normalis|serialis|recognis|organis\b/i,
    advice: 'use American spelling',
  },
]

/** Files that quote others, or list the phrases themselves. */
const EXCLUDED =
  /^(?:scripts\/lint-prose\.ts|docs\/contributing\/glossary\.md|LICENSE|.*package-lock\.json|.*\.bin|bench\/peers\/|src\/db\/migrations\/)/
const INCLUDED = /\.(?:ts|md|sql|css|yml|yaml)$/

/** The number of phrases each file may have. A file that is not listed may have none. */
type Baseline = Readonly<Record<string, number>>

interface Checked {
  readonly file: string
  readonly findings: readonly string[]
}

const BASELINE_FILE = new URL('./prose-baseline.json', import.meta.url)

process.exitCode = main(process.argv.slice(2))

function main(args: readonly string[]): number {
  const updating = args.includes('--update-baseline')
  const named = updating ? [] : args
  const checked = (named.length > 0 ? named : trackedFiles()).map((file) => checkFile(file))
  const baseline = readBaseline()
  const worse = checked.filter(({ file, findings }) => findings.length > (baseline?.[file] ?? 0))
  if (updating && (baseline === undefined || worse.length === 0)) return writeBaseline(checked)
  for (const { findings } of named.length > 0 ? checked : worse)
    for (const finding of findings) say(finding)
  for (const { file, findings } of worse)
    say(
      `${file}: ${findings.length} phrases to rewrite; the baseline allows ${baseline?.[file] ?? 0}`,
    )
  say(`${total(checked)} phrases left to rewrite, ${worse.length} files over the baseline`)
  return worse.length === 0 ? 0 : 1
}

function readBaseline(): Baseline | undefined {
  if (!existsSync(BASELINE_FILE)) return undefined
  return JSON.parse(readFileSync(BASELINE_FILE, 'utf8')) as Baseline
}

function writeBaseline(checked: readonly Checked[]): number {
  const counts = checked
    .filter(({ findings }) => findings.length > 0)
    .map(({ file, findings }) => [file, findings.length] as const)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
  writeFileSync(BASELINE_FILE, `${JSON.stringify(Object.fromEntries(counts), undefined, 2)}\n`)
  say(`The baseline allows ${total(checked)} phrases in ${counts.length} files.`)
  return 0
}

function total(checked: readonly Checked[]): number {
  return checked.reduce((sum, { findings }) => sum + findings.length, 0)
}

function trackedFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  return output
    .split('\0')
    .filter((file) => INCLUDED.test(file) && !EXCLUDED.test(file) && existsSync(file))
}

function checkFile(file: string): Checked {
  const lines = readFileSync(file, 'utf8').split('\n')
  const findings = lines.flatMap((line, index) =>
    line.includes('prose-ok') ? [] : checkLine(line, `${file}:${index + 1}`),
  )
  return { file, findings }
}

function checkLine(line: string, place: string): string[] {
  return RULES.flatMap(({ pattern, advice }) => {
    const match = pattern.exec(line)
    return match ? [`${place}: "${match[0]}": ${advice}`] : []
  })
}

function say(line: string): void {
  process.stdout.write(`${line}\n`)
}
