/**
 * Checks that comments, messages and documents use the project's words: `node scripts/lint-prose.ts [files]`.
 * It prints each place with the reason and exits with 1 if there is one. Part of `npm test`.
 *
 * A line that must contain a listed phrase, such as a quotation from a standard, ends with `prose-ok`.
 */

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
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
  { pattern: /\bnobody\b/i, advice: 'write "no one", or say what happens' },
  { pattern: /\bsomebody\b/i, advice: 'write "someone", or a noun' },
  { pattern: /\b(?:is|are|was|were|be) told\b/i, advice: 'say who gets which message' },
  { pattern: /\bby hand\b/i, advice: 'write "manually" or "typed"' },
  { pattern: /\bno more\b(?! than)/i, advice: 'write "no longer", or "at most"' },
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

process.exitCode = main(process.argv.slice(2))

function main(args: readonly string[]): number {
  const files = args.length > 0 ? args : trackedFiles()
  const findings = files.flatMap((file) => checkFile(file))
  for (const finding of findings) process.stdout.write(`${finding}\n`)
  if (findings.length > 0) process.stdout.write(`${findings.length} phrases to rewrite\n`)
  return findings.length === 0 ? 0 : 1
}

function trackedFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  return output.split('\0').filter((file) => INCLUDED.test(file) && !EXCLUDED.test(file))
}

function checkFile(file: string): string[] {
  const lines = readFileSync(file, 'utf8').split('\n')
  return lines.flatMap((line, index) =>
    line.includes('prose-ok')
      ? []
      : RULES.flatMap(({ pattern, advice }) => {
          const match = pattern.exec(line)
          return match ? [`${file}:${index + 1}: "${match[0]}": ${advice}`] : []
        }),
  )
}
