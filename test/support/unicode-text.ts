/** Any text, without the table of all code points that `unit: 'binary'` of fast-check builds in a second and keeps. */

import fc, { type Arbitrary, type StringConstraints } from 'fast-check'

/** Any code points except surrogates. They shrink towards `a`. */
export function unicodeText(constraints: Omit<StringConstraints, 'unit'> = {}): Arbitrary<string> {
  return fc.string({ ...constraints, unit: unicodeCharacter })
}

const FIRST_SURROGATE = 0xd800
const SURROGATES = 0x800
const COUNT = 0x110000 - SURROGATES
const SIMPLEST = 'a'.charCodeAt(0)

/** One code point that is no surrogate, for the units of strings. */
export const unicodeCharacter: Arbitrary<string> = fc.nat(COUNT - 1).map(
  (index) => {
    const place = (index + SIMPLEST) % COUNT
    return String.fromCodePoint(place < FIRST_SURROGATE ? place : place + SURROGATES)
  },
  // Lets fast-check include names such as `__proto__`.
  (text) => {
    if (typeof text !== 'string' || !/^.$/su.test(text)) throw new Error('not one code point')
    const codePoint = text.codePointAt(0) ?? 0
    const place = codePoint < FIRST_SURROGATE ? codePoint : codePoint - SURROGATES
    return (place - SIMPLEST + COUNT) % COUNT
  },
)
