/** Which links fit the words that were typed. Labels are matched in the language of the page and in English. */

import { t } from '../../languages/message.ts'
import { withoutSmallWords } from './small-words.ts'
import type { PaletteLink } from './palette.page.ts'

type Labeled = Pick<PaletteLink, 'label' | 'also'>

/** True if only words of the label were typed, and they are more than one of many. */
export function isCommand({ label }: Pick<PaletteLink, 'label'>, q: string): boolean {
  const [words, typed] = [spacedWords(label), spacedWords(q)]
  return typed.every((word) => words.includes(word)) && (typed.length > 1 || words.length < 3)
}

/** What is typed beside the words of an action: `mia` of `log contact mia`, and of `mia log`; undefined without one of these words. */
export function wordsBeside(action: Labeled, q: string): string | undefined {
  const known = wordsFor(action)
  const words = q.split(/\s+/)
  const isKnown = (word = '') => known.includes(word.toLowerCase())
  const first = words[0]?.toLowerCase() ?? ''
  let from = first.length > 1 && known.some((word) => word.startsWith(first)) ? 1 : 0
  while (from > 0 && from < words.length - 1 && isKnown(words[from])) from += 1
  const to = from === 0 && isKnown(words.at(-1)) ? words.length - 1 : words.length
  const rest = words.slice(from, to)
  return rest.length === 0 || rest.length === words.length ? undefined : rest.join(' ')
}

/** The links in the language of the page that fit what was typed. Their words in English find them too. */
export function matching(
  links: readonly PaletteLink[],
  query: string,
  typed = saidIn(query),
): readonly PaletteLink[] {
  return links
    .filter((link) => isFitting(typed, wordsFor(link)))
    .map((link) => Object.assign({}, link, { label: t(link.label) }))
}

/** Links whose labels are data, such as tags, of which each word that was typed begins a word. */
export function matchingAsTheyAre(
  links: readonly PaletteLink[],
  query: string,
): readonly PaletteLink[] {
  const typed = saidIn(query)
  return links.filter(({ label }) => isFitting(typed, spacedWords(label)))
}

function isFitting(typed: readonly string[], words: readonly string[]): boolean {
  return typed.every((begun) => words.some((word) => word.startsWith(begun)))
}

export function wordsFor({ label, also = '' }: Labeled): string[] {
  return spacedWords(`${bothTexts(label)} ${bothTexts(also)}`)
}

/** In the language of the page and in English. */
export function bothTexts(text: string): string {
  return text === '' ? '' : `${t(text)} ${text}`
}

/** The words that were typed, without small ones: `change password` of `change my password`. */
function saidIn(query: string): readonly string[] {
  return withoutSmallWords(query.split(/[\s&]+/).filter((word) => word !== '')).flatMap(spacedWords)
}

export function spacedWords(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[\s&]+/)
    .filter((word) => word !== '')
}
