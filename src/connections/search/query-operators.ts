/** What people type from habit of other searches: `tag:retail`, `professor -japan`, `engineer NOT london`. */

/** Before a value; the value is searched for in every field. */
const LABEL =
  /(?<![\p{L}\p{N}:])(?:tag|title|company|location|city|name|notes?): *(?=[\p{L}\p{N}"'])/giu

/** Without labels of fields. */
export function withoutFieldLabels(query: string): string {
  return query.includes(':') ? query.replace(LABEL, '') : query
}

const MINUS = /(?<=^|\s)(?:NOT +|-)(?=\p{L})/gu

/** With words for the operators that exclude; undefined if there are none. */
export function withExclusionsInWords(query: string): string | undefined {
  const worded = query.replace(MINUS, 'excluding ')
  return worded === query ? undefined : worded
}
