// Names of months that mean another one in Croatian than in Polish or Czech: listopad is October or November.

import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { plainMonth } from './month-names.ts'

/** The languages that decide what the contested names mean. */
export type MonthLanguage = 'croatian' | 'polish_or_czech'

/** With the English names of contested months; unchanged, and not readable, if the language is not known. */
export function withSettledMonths(text: string, language: MonthLanguage | undefined): string {
  if (!CONTESTED.test(text)) return text
  return text.replace(WORD, (word) => {
    const months = contestedMonths().get(plainMonth(word))
    return months === undefined || language === undefined ? word : months[language]
  })
}

/** The language of a column's dates, by their other months, or else by the names of columns; undefined if unclear. */
export function monthLanguageIn(
  dates: readonly string[],
  headers: readonly string[],
): MonthLanguage | undefined {
  if (!dates.some((text) => CONTESTED.test(text))) return undefined
  const { croatian, other } = wordSets()
  const words = dates.flatMap((text) => text.match(WORD) ?? []).map(plainMonth)
  const isCroatian = words.some((word) => croatian.has(word)) || dates.some(hasCroatianOrdinal)
  const isOther = words.some((word) => other.has(word))
  if (isCroatian !== isOther) return isCroatian ? 'croatian' : 'polish_or_czech'
  return isCroatian ? undefined : languageOfHeader(headers)
}

/** `3. listopada`: Polish has no period, and Czech another ending. */
function hasCroatianOrdinal(text: string): boolean {
  return /^\s*\d{1,2}\. *listopada/i.test(text)
}

function languageOfHeader(headers: readonly string[]): MonthLanguage | undefined {
  const { croatianHeaders, otherHeaders } = wordSets()
  const words = new Set(headers.flatMap((name) => name.toLowerCase().match(WORD) ?? []))
  const has = (names: ReadonlySet<string>) => [...words].some((word) => names.has(word))
  const isCroatian = has(croatianHeaders)
  return isCroatian === has(otherHeaders) ? undefined : isCroatian ? 'croatian' : 'polish_or_czech'
}

const CONTESTED = /(?<!\p{L})(?:listopada?|lis|lip|srp)(?!\p{L})/iu
const WORD = /\p{L}+/gu

const linesOf = wordLinesOf(new URL('data/contested-months.txt', import.meta.url))

const contestedMonths = lazy(
  () =>
    new Map(
      linesOf('contested').map(([name = '', croatian = '', other = '']) => [
        name,
        { croatian, polish_or_czech: other },
      ]),
    ),
)

/** Names of months that only one of the languages has, as `plainMonth` returns them, and words of its headers. */
const wordSets = lazy(() => ({
  croatian: new Set(linesOf('croatian months').flat().map(plainMonth)),
  other: new Set(linesOf('other months').flat().map(plainMonth)),
  croatianHeaders: new Set(linesOf('croatian headers').flat()),
  otherHeaders: new Set(linesOf('other headers').flat()),
}))
