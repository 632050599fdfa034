/** Content lines of vCards (RFC 6350) and calendars (RFC 5545). */

/** RFC 6350 section 3.4, RFC 5545 section 3.3.11. */
export function escaped(text: string): string {
  return text.replace(/[\\,;\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
}

/** Octets without the line break. */
const MAX_LINE_LENGTH = 75

/**
 * The line with a line break. A long one continues after a line break and a space, never inside a character (RFC 6350
 * section 3.2, RFC 5545 section 3.1).
 */
export function folded(line: string, lineBreak = '\r\n'): string {
  if (Buffer.byteLength(line) <= MAX_LINE_LENGTH) return line + lineBreak
  const parts: string[] = []
  let [start, octets] = [0, 0]
  for (let at = 0; at < line.length;) {
    const codePoint = line.codePointAt(at) ?? 0
    const size = utf8Length(codePoint)
    if (octets + size > MAX_LINE_LENGTH) {
      parts.push(line.slice(start, at))
      start = at
      octets = 1
    }
    octets += size
    at += codePoint > 0xffff ? 2 : 1
  }
  return [...parts, line.slice(start)].join(`${lineBreak} `) + lineBreak
}

/** Octets of a code point in UTF-8 (RFC 3629 section 3). */
function utf8Length(codePoint: number): number {
  if (codePoint < 0x80) return 1
  if (codePoint < 0x800) return 2
  return codePoint < 0x10000 ? 3 : 4
}
