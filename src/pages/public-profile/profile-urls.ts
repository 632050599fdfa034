/** Where a public profile is in its other forms. A username needs no encoding. */

import { profileUrl } from '../../members/profile.ts'

/** The page as markdown. */
export function markdownPageUrl(username: string, publicUrl: string): string {
  return `${profileUrl(username, publicUrl)}.md`
}

export function jsonUrl(username: string, publicUrl: string): string {
  return `${publicUrl}/api/human/${username}.json`
}
