/** The static rank of a member in the directory. It does not depend on the query, so a page needs no sorting. */

interface Ranked {
  readonly headline: string | null
  readonly about: string | null
  readonly organization: string | null
  readonly title: string | null
  readonly location: string | null
  readonly skills: readonly unknown[]
  readonly links: readonly unknown[]
  readonly avatarUrl: string | null
  readonly photo: string | null
  readonly joinedAt: number
}

/** 16 levels of completeness, then 256 months of membership: 0 to 4095. Higher ranks come first. */
const MONTHS = 256
/** Lower ranks are those of profiles that have nothing but a name. */
export const RANKS_OF_EMPTY = MONTHS
/** Weft's first month. Earlier members count as having joined in it. */
const FIRST_YEAR = 2026

/**
 * More complete profiles rank higher, because they are more useful to people who search; then older memberships do. The
 * rank cannot be bought or voted for, and changes only with the profile.
 */
export function rankOf(member: Ranked): number {
  const joined = new Date(member.joinedAt)
  const months = (joined.getUTCFullYear() - FIRST_YEAR) * 12 + joined.getUTCMonth()
  const age = MONTHS - 1 - Math.min(Math.max(months, 0), MONTHS - 1)
  return completeness(member) * MONTHS + age
}

/** Whether the profile has nothing but a name: a search finds it, and the directory does not list it. */
export function hasOnlyName(member: Ranked): boolean {
  return completeness(member) === 0
}

/** 0 to 15. */
function completeness(member: Ranked): number {
  return (
    (member.headline === null ? 0 : 3) +
    (member.about === null ? 0 : 3) +
    (member.organization === null ? 0 : 2) +
    (member.title === null ? 0 : 2) +
    (member.location === null ? 0 : 2) +
    (member.skills.length === 0 ? 0 : 1) +
    (member.links.length === 0 ? 0 : 1) +
    (member.photo === null && member.avatarUrl === null ? 0 : 1)
  )
}
