/** The static rank of a member in the directory: known without any query, so that a page is a walk and not a sort. */

interface Ranked {
  readonly headline: string | null
  readonly about: string | null
  readonly organization: string | null
  readonly title: string | null
  readonly location: string | null
  readonly skills: readonly unknown[]
  readonly links: readonly unknown[]
  readonly avatarUrl: string | null
  readonly joinedAt: number
}

/** 16 levels of completeness over 256 months of membership: 0 to 4095, greater comes first. */
const MONTHS = 256
/** Weft's first month; who joined before counts as having joined in it. */
const FIRST_YEAR = 2026

/**
 * A profile that says more is more useful to whoever searches, so it stands higher; among equals the older
 * membership does. Nothing in it can be bought or voted for, and it changes only when the profile does.
 */
export function rankOf(member: Ranked): number {
  const joined = new Date(member.joinedAt)
  const months = (joined.getUTCFullYear() - FIRST_YEAR) * 12 + joined.getUTCMonth()
  const age = MONTHS - 1 - Math.min(Math.max(months, 0), MONTHS - 1)
  return completeness(member) * MONTHS + age
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
    (member.avatarUrl === null ? 0 : 1)
  )
}
