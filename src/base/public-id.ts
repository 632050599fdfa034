/**
 * Public IDs: a prefix and the number of a record within the member's data, such as `c_12`. They are short, because
 * models read and repeat them.
 */

/** At most nine digits, so that every number fits in 32 bits. */
const DIGITS = '[1-9][0-9]{0,8}'

/** The JSON Schema pattern of an ID with this prefix. */
export function publicIdPattern(prefix: string): string {
  return `^${prefix}_${DIGITS}$`
}

/** The inverse of `parsePublicId`. */
export function formatPublicId<Prefix extends string>(
  prefix: Prefix,
  id: number,
): `${Prefix}_${number}` {
  return `${prefix}_${id}`
}

/** The number in a public ID, or undefined if the text is not one. */
export function parsePublicId(prefix: string, text: string | null): number | undefined {
  const digits = text?.startsWith(`${prefix}_`) ? text.slice(prefix.length + 1) : ''
  return NUMBER.test(digits) ? Number(digits) : undefined
}

// regex-ok: digits of bounded number
const NUMBER = new RegExp(`^${DIGITS}$`)
