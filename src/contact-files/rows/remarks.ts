// Rows of a table that sum up or comment on the people above them, and cells that say nothing, in the languages of most address books.

import { readDataLines } from '../../base/data-file.ts'
import { lazy } from '../../base/lazy.ts'

/** Whether a row is a total: a word for it, beside nothing but numbers and counts, such as `2 members`. */
export function isTotal([first = '', ...others]: readonly string[]): boolean {
  const text = first.trim()
  if (others.length === 0 && LABELED_COUNT.test(text)) return true
  if (!TOTAL.test(text) || !others.every((other) => NUMBER.test(other) || COUNT.test(other)))
    return false
  return others.length > 0 || !PLAIN_WORD.test(text) || CERTAIN.test(text)
}

/** Whether the only text of a row says when or by what the list was written, or who may read it. */
export function isRemark(text: string): boolean {
  return REMARK.test(text.trim())
}

/** Whether Outlook writes a text for every contact, as a type or a flag. */
export function isDefaultWord(text: string): boolean {
  const lower = text.toLowerCase()
  return defaults().has(lower) || /^неопределен\p{L}*$/u.test(lower)
}

const defaults = lazy(
  () => new Set(readDataLines(new URL('data/default-words.txt', import.meta.url))),
)

const TOTAL =
  /^(?:(?:grand|sub|overall)[ -]?)?(?:totals?|sum|count|average|summe|gesamt(?:summe)?|zwischensumme|insgesamt|anzahl|somme|sous-total|moyenne|suma|subtotal|promedio|totale|subtotale|soma|totaal|subtotaal|razem|łącznie|celkem|spolu|összesen|toplam|итого|всего|разом|усього|summa|yhteensä|i alt|合計|小計|总计|合计|小计|總計|합계|총계)(?: g[eé]n[eé]ra[ll]e?)?(?:(?: \p{L}+)?\s*[:=])?\s*(?:\([^()]*\)|[\d.,][\d\s.,]*)?$/iu
const CERTAIN = /total|gesamt|zwischensumme|itog|итого|всего|összesen|合計|总计|合计|總計|합계/iu
const PLAIN_WORD = /^[\p{L} -]+$/u
/** `davon Jugend: 1` */
const LABELED_COUNT = /^\p{L}[\p{L} -]{0,60}: *\d{1,6}$/u
const COUNT = /^\s*\d{1,6} \p{L}+\s*$/u
const NUMBER = /^[\s\d.,%$€£¥₽zł()+-]+$/u

/** At least two words, so that a person who has one of them as a name is kept. */
const REMARK =
  /^(?:exported|generated|printed|downloaded|last updated|confidential|copyright|©|end of (?:list|report|file)|exportiert|erstellt am|gedruckt am|vertraulich|exporté|généré|imprimé|confidentiel|exportado|generado|gerado|confidencial|esportato|generato|riservato|geëxporteerd|vertrouwelijk|wyeksportowano|wygenerowano|poufne|экспортировано|создано|конфиденциально)[\s:.,–—-]+\S/iu
