/** The language of a request. */

import { isLanguage, type Language } from './language.ts'

/** That which the member chose, else the first that the browser accepts and Weft has, else English. */
export function requestLanguage(
  chosen: string | null | undefined,
  accepted: readonly string[],
): Language {
  if (isLanguage(chosen)) return chosen
  return accepted.map((tag) => tag.split('-', 1)[0]).find(isLanguage) ?? 'en'
}
