/** Other names of well-known companies: `PwC` and PricewaterhouseCoopers, `J&J` and Johnson & Johnson. */

import { lazy } from '../../base/lazy.ts'
import { tokenize } from '../../base/tokenize.ts'
import { typedInitials } from './company-initials.ts'
import { readSections } from './thesaurus.ts'

/** All names of one company, by each of them. */
const companyNames = lazy(() => {
  const lines = [...readSections('companies.txt').values()].flat()
  return new Map(lines.flatMap((line) => line.map((name) => [name, line] as const)))
})

/** Words of the longest name. */
const MAX_WORDS = 7

/**
 * The words of the other names of the companies in a text, and of short ones the letters as one word: `jj`. Terms to index
 * with the words of the text.
 */
export function aliasTermsOf(company: string): readonly string[] {
  const words = tokenize(company)
  const abbreviations = typedInitials(company)
  // Tim Hortons is not TIM, but IBM Deutschland is IBM.
  const mayBeShort = (word: string) => words.length === 1 || abbreviations.has(word)
  const terms = new Set<string>()
  for (let at = 0; at < words.length;) {
    const longest = longestNameAt(words, at)
    const word = words[at] ?? ''
    const isShort = longest?.length === 1 && /^[a-z0-9]{1,4}$/.test(word)
    const found = isShort && !mayBeShort(word) ? undefined : longest
    for (const name of found?.others ?? []) {
      const tokens = name.split(' ')
      for (const token of tokens) terms.add(token)
      if (tokens.every((token) => token.length <= MAX_LETTERS)) terms.add(tokens.join(''))
    }
    at += found?.length ?? 1
  }
  return [...terms]
}

/** Letters of a word in `H&M` or `J.P. Morgan`. */
const MAX_LETTERS = 2

function longestNameAt(words: readonly string[], at: number) {
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length -= 1) {
    const name = words.slice(at, at + length).join(' ')
    const line = companyNames().get(name)
    if (line) return { length, others: line.filter((other) => other !== name) }
  }
  return undefined
}
