/**
 * Checks that comments, messages and documents use the project's words. `npm test` runs it.
 *
 * - `node scripts/lint-prose.ts`: checks every tracked file.
 * - `node scripts/lint-prose.ts FILES`: checks these files.
 *
 * A line that must contain a listed phrase, such as a quotation, ends with a `prose-ok` comment. A line that is only such
 * a comment exempts the lines up to the next blank one, such as a word list.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import process from 'node:process'

interface Rule {
  readonly pattern: RegExp
  /** What to write instead. */
  readonly advice: string
}

/** Neither the German word `E-Mail`, nor columns of other programs' files: `E-mail 1 - Value`, `E-mail Address`. */
const EMAIL = /\b[Ee]-mails?\b(?! \d| Address)/

/** Phrases to avoid, and the plain term for each. docs/contributing/glossary.md explains. */
const RULES: readonly Rule[] = [
  { pattern: /\bwho(?:m)?ever\b/i, advice: 'name the actor: "the caller", "anyone who"' },
  { pattern: /\bwhom\b/i, advice: 'rewrite with "who" or a noun' },
  { pattern: /(?<!['/=])\bnobody\b/i, advice: 'write "no one", or say what happens' },
  { pattern: /\bsomebody\b/i, advice: 'write "someone", or a noun' },
  { pattern: /\b(?:is|are|was|were|be) told\b/i, advice: 'say who gets which message' },
  { pattern: /\bby hand\b/i, advice: 'write "manually" or "typed"' },
  { pattern: /\bno more\b(?! (?:than|results))/i, advice: 'write "no longer", or "at most"' },
  { pattern: /\bc[ao]me[s]? of\b/i, advice: 'write "result"' },
  { pattern: EMAIL, advice: 'write "email"' },
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
  { pattern: /\bfor want of\b/i, advice: 'write "because there is no"' },
  { pattern: /\btells? at once\b/i, advice: 'write "reports all"' },
  { pattern: /\b(?:does|do|is|are) not [a-z]+ any ?more\b/i, advice: 'write "no longer"' },
  {
    pattern: /colour|behaviour|(?:normal|serial|recogn|organ)is(?:e|ing|ation)/i,
    advice: 'use American spelling',
  },
]

/** Files that quote others, or list the phrases themselves. */
const EXCLUDED =
  /^(?:scripts\/lint-prose\.ts|docs\/contributing\/glossary\.md|LICENSE|.*package-lock\.json|.*\.gz|bench\/peers\/|src\/db\/migrations\/)/
const INCLUDED = /\.(?:ts|md|sql|css|yml|yaml)$/

/** URLs, and paths in this repository. */
const ADDRESS = /https?:\/\/\S+|\b(?:bench|docs|judges|scripts|src|test)\/\S+/g

/** A line that exempts the ones below it, up to the next blank line. */
const EXEMPTION = /^\s*\/\/ prose-ok/

process.exitCode = main(process.argv.slice(2))

function main(named: readonly string[]): number {
  const findings = (named.length > 0 ? named : trackedFiles()).flatMap((file) => checkFile(file))
  for (const finding of findings) process.stdout.write(`${finding}\n`)
  return findings.length === 0 ? 0 : 1
}

function trackedFiles(): string[] {
  const output = execFileSync('git', ['ls-files', '-z'], { encoding: 'utf8' })
  return output
    .split('\0')
    .filter((file) => INCLUDED.test(file) && !EXCLUDED.test(file) && existsSync(file))
}

function checkFile(file: string): string[] {
  let isExempt = false
  return readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((line, index) => {
      isExempt = EXEMPTION.test(line) || (isExempt && line.trim() !== '')
      if (isExempt || line.includes('prose-ok')) return []
      return checkLine(line.replaceAll(ADDRESS, ''), `${file}:${index + 1}`)
    })
}

function checkLine(line: string, location: string): string[] {
  return RULES.flatMap(({ pattern, advice }) => {
    const match = pattern.exec(line)
    return match ? [`${location}: "${match[0]}": ${advice}`] : []
  })
}
