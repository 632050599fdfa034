/** Joins the lines that a calendar folds (RFC 5545 section 3.1). */

const [TAB, LINE_FEED, CARRIAGE_RETURN, SPACE] = [9, 10, 13, 32]

/** Works on bytes, because many programs fold after 75 bytes, also inside a character. */
export function unfold(bytes: Uint8Array): Uint8Array {
  const unfolded = new Uint8Array(bytes.length)
  let length = 0
  for (let at = 0; at < bytes.length; at += 1) {
    const next = bytes[at + 1]
    if (bytes[at] === LINE_FEED && (next === SPACE || next === TAB)) {
      if (unfolded[length - 1] === CARRIAGE_RETURN) length -= 1
      at += 1
    } else {
      unfolded[length] = bytes[at] ?? 0
      length += 1
    }
  }
  return unfolded.subarray(0, length)
}
