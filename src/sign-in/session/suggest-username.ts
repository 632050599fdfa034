/** Suggests an available username that is close to a person's name. */

import { randomInt } from 'node:crypto'
import { latinNameOf } from '../../identity/latin-name.ts'
import { findMemberByUsername } from '../../members/member.ts'
import { checkUsername, MAX_USERNAME_LENGTH, MIN_USERNAME_LENGTH } from '../../members/usernames.ts'
import type { Reader } from '../../db/database.ts'

/** Leaves room for a hyphen and six digits. */
const MAX_STEM_LENGTH = MAX_USERNAME_LENGTH - 7
const MAX_NUMBERED = 9

/**
 * Uses the first candidate that makes a valid username, with a number if it is taken. `candidates` are names, usernames
 * elsewhere, or emails, of which the part before the @ is used.
 */
export async function suggestUsername(
  reader: Reader,
  candidates: readonly string[],
): Promise<string> {
  const stem = candidates.map(stemOf).find(isUsable) ?? 'member'
  const numbered = Array.from({ length: MAX_NUMBERED - 1 }, (_, index) => `${stem}-${index + 2}`)
  for (const username of [stem, ...numbered])
    if (isUsable(username) && !(await findMemberByUsername(reader, username))) return username
  // Not checked: a collision among 900,000 numbers is unlikely, and creating the member would detect it.
  return `${stem}-${randomInt(100_000, 1_000_000)}`
}

function stemOf(candidate: string): string {
  const [text = ''] = candidate.split('@', 1)
  return latinNameOf(text)
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
