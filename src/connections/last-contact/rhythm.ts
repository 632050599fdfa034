/**
 * The rhythm of a person without a cadence: the usual days between contacts. A person slips away when the silence has
 * lasted three times as long.
 */

/** Contacts of a person that are looked at for a rhythm. */
export const RHYTHM_CONTACTS = 12

/** Days of contact that make a rhythm. */
const MIN_RHYTHM_DAYS = 4

/** A pause of this many usual gaps breaks a rhythm, if it is longer than a month. */
const BROKEN_AFTER = 3
const MIN_BROKEN_DAYS = 30

/** The median days between contacts; null for fewer than four days. `days`: the days since 1970, in any order. */
export function rhythmOf(days: readonly number[]): number | null {
  const distinct = [...new Set(days)].sort((one, other) => one - other)
  if (distinct.length < MIN_RHYTHM_DAYS) return null
  const gaps = distinct.slice(1).map((day, index) => day - (distinct[index] ?? 0))
  return gaps.sort((one, other) => one - other)[Math.floor(gaps.length / 2)] ?? null
}

/** The days after the last contact by which a rhythm is broken. */
export function daysUntilBroken(rhythmDays: number): number {
  return Math.max(BROKEN_AFTER * rhythmDays, MIN_BROKEN_DAYS)
}
