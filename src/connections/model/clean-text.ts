// Turns a value as a file wrote it into text that is safe to keep: trimmed, capped, nothing invisible.

/** One line of at most `cap` UTF-16 units: runs of white space become one space. */
export function oneLine(text: string, cap: number): string {
  if (text === '') return ''
  return cut(PLAIN.test(text) ? text : inOneLine(text), cap)
}

/** Text of at most `cap` UTF-16 units that keeps its line breaks (as \n) and tabs. */
export function manyLines(text: string, cap: number): string {
  if (text === '') return ''
  const kept = text.replace(/\r\n?|[\u0085\u2028\u2029]/g, '\n').replace(UNSEEN_IN_LINES, '')
  return cut(kept.trim(), cap)
}

export function textOrNull(text: string): string | null {
  return text === '' ? null : text
}

// What most values are: visible Latin text with single spaces. Testing it spares three replacements.
const PLAIN = /^[!-~\u00a1-\u02ff]+(?: [!-~\u00a1-\u02ff]+)*$/

// Controls, lone surrogates, byte order marks, and the marks that reorder text around a name or a
// phone number (phones paste them around every number).
const UNSEEN = /[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu
const UNSEEN_IN_LINES = /(?![\n\t])[\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu

function inOneLine(text: string): string {
  return text.replace(/\s/g, ' ').replace(UNSEEN, '').replace(/ {2,}/g, ' ').trim()
}

function cut(text: string, cap: number): string {
  if (text.length <= cap) return text
  const splitsPair = (text.charCodeAt(cap - 1) & 0xfc00) === 0xd800
  return text.slice(0, splitsPair ? cap - 1 : cap).trimEnd()
}
