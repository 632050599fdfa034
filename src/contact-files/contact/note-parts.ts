// Divides a text that is longer than a note into several notes.

import { MAX_NOTE_LENGTH } from '../../base/limits.ts'

/** The notes for a text, numbered if there are several: `(1/3)`. */
export function notePartsOf(text: string): readonly string[] {
  if (text.length <= MAX_NOTE_LENGTH) return [text]
  const parts: string[] = []
  let rest = text
  while (rest.length > MAX_PART_LENGTH) {
    const end = endOfPart(rest)
    parts.push(rest.slice(0, end).trimEnd())
    rest = rest.slice(end).trimStart()
  }
  if (rest !== '') parts.push(rest)
  return parts.map((part, at) => `(${at + 1}/${parts.length})\n${part}`)
}

const MAX_NUMBER_LENGTH = 20 // characters
const MAX_PART_LENGTH = MAX_NOTE_LENGTH - MAX_NUMBER_LENGTH

/** Where a paragraph, a line or a word ends, if the part does not become much shorter. */
function endOfPart(text: string): number {
  for (const separator of ['\n\n', '\n', ' ']) {
    const end = text.lastIndexOf(separator, MAX_PART_LENGTH)
    if (end > MAX_PART_LENGTH / 2) return end
  }
  const splitsPair = (text.charCodeAt(MAX_PART_LENGTH - 1) & 0xfc00) === 0xd800
  return splitsPair ? MAX_PART_LENGTH - 1 : MAX_PART_LENGTH
}
