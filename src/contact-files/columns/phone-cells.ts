// The phone numbers in a cell, which can have labels: `home: 020 7946 0000 / mobile: 07700 900000`.

import { memoize } from '../../base/memoize.ts'
import { MAX_PHONE_LENGTH } from '../../base/limits.ts'
import { targetNamed } from '../fields/header-words.ts'

interface CellPhone {
  readonly number: string
  readonly label?: string
}

/** Returns the phone numbers of a cell, each with the label written beside it. */
export function phonesIn(text: string): readonly CellPhone[] {
  return ONE_NUMBER.test(text) ? [{ number: text }] : numbersIn(text).map(withLabel)
}

const ONE_NUMBER = /^[+\d ().-]*$/

/** Commas and slashes separate numbers, unless they are within one, as in `020 7946 0000, ext. 5` and `089/555123`. */
function numbersIn(text: string): readonly string[] {
  if (/[;|\n]/.test(text)) return text.split(/[;|\n]/)
  for (const separator of [',', '/', OR]) {
    const parts = text.split(separator)
    if (parts.length < 2) continue
    if (parts.every((part) => WHOLE_NUMBER.test(withLabel(part).number.trim()))) return parts
  }
  return [text]
}

const OR = / (?:or|oder|ou|oppure|of|lub|или|eller|and|und|et|y|e|i|и|og|och|&) /i

const WHOLE_NUMBER = /^\+?(?:[\s()./-]*\d){7,15}$/

/** Keeps a text whole if its words are no label that column names can have, or if it is too long for a number. */
function withLabel(whole: string): CellPhone {
  const text = whole.trim()
  if (text.length > MAX_LENGTH) return { number: whole }
  const [, before = '', after = ''] = LABEL_BEFORE.exec(text) ?? []
  const [, start = '', end = ''] = LABEL_AFTER.exec(text) ?? []
  const [number, word] = before === '' ? [start, end] : [after, before]
  if (word === '') return { number: whole }
  const label = labelNamed(word)
  if (label === null) return { number: whole }
  return label === '' ? { number } : { number, label }
}

/** Empty for a word that only says that it is a phone number; null for any other word. */
const labelNamed = memoize((word) => {
  const target = targetNamed(word) ?? targetNamed(`phone ${word}`)
  return target?.field === 'phone' ? (target.label ?? '') : null
})

/** Characters of a number and its label. */
const MAX_LENGTH = MAX_PHONE_LENGTH + 50

const LABEL_BEFORE = /^(\p{L}[\p{L}\p{M}. ]{0,20}?)\.?\s*:\s*([+(\d][\d\s()./+-]{5,})$/u
// regex-ok: texts of at most MAX_LENGTH characters
const LABEL_AFTER = /^([+(\d][\d\s()./+-]{5,}?)\s*\((\p{L}[\p{L}\p{M}. ]{0,20})\)$/u
