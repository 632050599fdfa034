/** Trims characters in linear time. */

/** Without these characters at the end. A pattern such as `;+$` would take quadratic time. */
export function withoutLast(text: string, characters: string): string {
  let end = text.length
  while (end > 0 && characters.includes(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
