// The languages in format codes: `[$-407]mmmm` shows a month in German. The codes are Windows language identifiers
// (MS-LCID); the lower 10 bits are the language.

const LANGUAGE_BITS = 0x3ff

/** By the language of the identifier. */
const LANGUAGES: ReadonlyMap<number, string> = new Map(
  `1 ar, 2 bg, 3 ca, 4 zh, 5 cs, 6 da, 7 de, 8 el, 9 en, a es, b fi, c fr, d he, e hu, f is, 10 it, 11 ja, 12 ko, 13 nl, 14 nb,
  15 pl, 16 pt, 18 ro, 19 ru, 1a hr, 1b sk, 1d sv, 1e th, 1f tr, 20 ur, 21 id, 22 uk, 23 be, 24 sl, 25 et, 26 lv, 27 lt,
  29 fa, 2a vi, 2b hy, 2d eu, 2f mk, 36 af, 37 ka, 39 hi, 3e ms, 56 gl`
    .split(',')
    .map((line) => {
      const [id = '', language = ''] = line.trim().split(' ')
      return [Number.parseInt(id, 16), language]
    }),
)

/** `[$-407]`, or `[$-de-DE]` in new versions. */
// regex-ok: format codes have at most 255 characters
const LOCALE = /\[\$[^\]-]*-(?:([\da-f]{3,8})|([a-z]{2})-[\w-]+)\]/i

/** English without one, and for one that is not known, such as that of the system. */
export function languageIn(code: string): string {
  const [, id = '', language] = LOCALE.exec(code) ?? []
  if (language !== undefined) return language
  return LANGUAGES.get(Number.parseInt(id, 16) & LANGUAGE_BITS) ?? 'en'
}
