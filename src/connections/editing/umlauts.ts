/** Names with umlauts and without: Müller and Mueller. */

import { normalForm } from '../../base/normal-form.ts'

/** In the spelling of keyboards without umlauts. */
export function withoutUmlauts(text: string): string {
  return normalForm(text.toLowerCase(), 'NFC').replace(
    /[äæöøœüå]/g,
    (letter) => DIGRAPHS[letter] ?? letter,
  )
}

const DIGRAPHS: Readonly<Record<string, string>> = {
  ä: 'ae',
  æ: 'ae',
  ö: 'oe',
  ø: 'oe',
  œ: 'oe',
  ü: 'ue',
  å: 'aa',
}

/** A text whose umlauts are written as two letters, and one in which two letters are the vowel of an umlaut. */
export function otherSpellings(text: string): string[] {
  const lower = text.toLowerCase()
  const long = withoutUmlauts(text)
  const short = long.replace(/([aou])e|a(a)/g, '$1$2')
  return [...new Set([long, short])].filter((one) => one !== lower)
}
