/** A username that is free, as near as can be to what a person is called. */

import { randomInt } from 'node:crypto'
import { normalize } from '../../base/tokenize.ts'
import { findMemberByUsername } from '../../members/member.ts'
import { checkUsername, MAX_USERNAME_LENGTH, MIN_USERNAME_LENGTH } from '../../members/usernames.ts'
import type { Reader } from '../../db/database.ts'

/** Room for a hyphen and six digits behind it. */
const MAX_STEM_LENGTH = MAX_USERNAME_LENGTH - 7
const MAX_NUMBERED = 9

/**
 * The first wish that makes a username: itself when it is free, else with a number. `wishes` are names, usernames
 * elsewhere, or e-mail addresses, of which the part before the @ counts.
 */
export async function suggestUsername(reader: Reader, wishes: readonly string[]): Promise<string> {
  const stem = wishes.map(stemOf).find(isUsable) ?? 'member'
  const numbered = Array.from({ length: MAX_NUMBERED - 1 }, (_, index) => `${stem}-${index + 2}`)
  for (const username of [stem, ...numbered])
    if (isUsable(username) && !(await findMemberByUsername(reader, username))) return username
  // A million of them: whoever makes it a member finds out whether it is free.
  return `${stem}-${randomInt(100_000, 1_000_000)}`
}

function stemOf(wish: string): string {
  const bare = normalize(wish.split('@', 1)[0] ?? '')
  return bare
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_STEM_LENGTH)
    .replaceAll(/^-|-$/g, '')
}

function isUsable(username: string): boolean {
  if (username.length < MIN_USERNAME_LENGTH) return false
  try {
    return checkUsername(username, false) === username
  } catch {
    return false
  }
}
