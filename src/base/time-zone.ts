/** Names of time zones in the IANA database. */

/**
 * The canonical name, such as `Europe/Berlin`; undefined for a name that is not in the database. Rejects offsets such as
 * `+05:17`: Intl accepts them, but there are too many to cache.
 */
export function canonicalTimeZone(name: string): string | undefined {
  if (!/^[A-Za-z]/.test(name)) return undefined
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
