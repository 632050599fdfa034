// Names of months that mean another one in Croatian than in Polish or Czech: listopad is October or November.

import { plainMonth } from './date-names.ts'

/** The languages that decide what the contested names mean. */
export type MonthLanguage = 'croatian' | 'polish_or_czech'

/** With the English names of contested months; unchanged, and not readable, if the language is not known. */
export function withSettledMonths(text: string, language: MonthLanguage | undefined): string {
  if (!CONTESTED.test(text)) return text
  return text.replace(WORD, (word) => {
    const months = CONTESTED_MONTHS.get(plainMonth(word))
    return months === undefined || language === undefined ? word : months[language]
  })
}

/** The language of a column's dates, by their other months, or else by the names of columns; undefined if unclear. */
export function monthLanguageIn(
  dates: readonly string[],
  headers: readonly string[],
): MonthLanguage | undefined {
  if (!dates.some((text) => CONTESTED.test(text))) return undefined
  const words = dates.flatMap((text) => text.match(WORD) ?? []).map(plainMonth)
  const isCroatian = words.some((word) => CROATIAN.has(word)) || dates.some(hasCroatianOrdinal)
  const isOther = words.some((word) => POLISH_AND_CZECH.has(word))
  if (isCroatian !== isOther) return isCroatian ? 'croatian' : 'polish_or_czech'
  return isCroatian ? undefined : languageOfHeader(headers)
}

/** `3. listopada`: Polish has no period, and Czech another ending. */
function hasCroatianOrdinal(text: string): boolean {
  return /^\s*\d{1,2}\. *listopada/i.test(text)
}

function languageOfHeader(headers: readonly string[]): MonthLanguage | undefined {
  const words = new Set(headers.flatMap((name) => name.toLowerCase().match(WORD) ?? []))
  const has = (names: ReadonlySet<string>) => [...words].some((word) => names.has(word))
  const isCroatian = has(CROATIAN_HEADERS)
  return isCroatian === has(OTHER_HEADERS) ? undefined : isCroatian ? 'croatian' : 'polish_or_czech'
}

const CONTESTED = /(?<!\p{L})(?:listopada?|lis|lip|srp)(?!\p{L})/iu
const WORD = /\p{L}+/gu

const CONTESTED_MONTHS: ReadonlyMap<string, Readonly<Record<MonthLanguage, string>>> = new Map([
  ['listopad', { croatian: 'October', polish_or_czech: 'November' }],
  ['listopada', { croatian: 'October', polish_or_czech: 'November' }],
  ['lis', { croatian: 'October', polish_or_czech: 'November' }],
  ['lip', { croatian: 'June', polish_or_czech: 'July' }],
  ['srp', { croatian: 'July', polish_or_czech: 'August' }],
])

/** Names that only one of the languages has, as `plainMonth` returns them. */
const CROATIAN = wordSet(
  `siječanj siječnja sij veljača veljače velj ožujak ožujka ožu travanj travnja svibanj svibnja svi lipanj lipnja
  srpanj srpnja kolovoz kolovoza kol rujan rujna ruj studeni studenog studenoga stu prosinac prosinca`,
)
const POLISH_AND_CZECH = wordSet(
  `styczeń stycznia sty luty lutego lut marzec marca kwiecień kwietnia kwi maj maja czerwiec czerwca cze lipiec lipca
  sierpień sierpnia sie wrzesień września wrz październik października paź grudzień grudnia gru
  leden ledna led únor února úno březen března bře duben dubna dub květen května kvě červen června čvn červenec července
  čvc srpen srpna září zář říjen října říj listopadu prosinec prosince`,
)

const CROATIAN_HEADERS = headerSet('ime prezime rođendan rođenja tvrtka poduzeće mobitel bilješke')
const OTHER_HEADERS = headerSet(
  `imię nazwisko urodziny urodzin urodzenia komórkowy stanowisko notatki
  jméno příjmení narozeniny narození společnost poznámky`,
)

function wordSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(plainMonth))
}

function headerSet(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/))
}
