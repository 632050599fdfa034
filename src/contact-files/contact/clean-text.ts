// Cleans text from files before it is stored: trims it, limits its length and removes invisible characters.

/** One line of at most `maxLength` UTF-16 units; runs of white space become one space. */
export function oneLine(text: string, maxLength: number): string {
  if (text === '') return ''
  return cut(PLAIN.test(text) ? text : inOneLine(text), maxLength)
}

/** Text of at most `maxLength` UTF-16 units that keeps line breaks (as \n) and tabs. */
export function manyLines(text: string, maxLength: number): string {
  if (text === '') return ''
  const kept = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(INVISIBLE_IN_LINES, '')
  return cut(kept.trim(), maxLength)
}

/** Empty text as `null`, as the database stores it. */
export function textOrNull(text: string): string | null {
  return text === '' ? null : text
}

// Most values are visible Latin text with single spaces. Testing for that avoids three replacements.
const PLAIN = /^[!-~\u00a1-\u02ff]+(?: [!-~\u00a1-\u02ff]+)*$/

// Controls, lone surrogates, byte order marks, and the marks that reorder text around a name or a
// phone number (phones paste them around every number).
const INVISIBLE = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const INVISIBLE_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

function inOneLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(INVISIBLE, '').replace(/ {2,}/g, ' ').trim()
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text
  const splitsPair = (text.charCodeAt(maxLength - 1) & 0xfc00) === 0xd800
  return text.slice(0, splitsPair ? maxLength - 1 : maxLength).trimEnd()
}
