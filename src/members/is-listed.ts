/** Who is in the directory and has a public page. */

import type { Member } from './member-row.ts'

/** True if the member made the profile public and is not disabled. */
export function isListed({ isPublic, disabledAt }: Member): boolean {
  return isPublic && disabledAt === null
}
