/** URLs of a public profile's other formats. Usernames need no encoding. */

import { profileUrl } from '../../members/profile.ts'

/** The page as Markdown. */
export function markdownPageUrl(username: string, publicUrl: string): string {
  return `${profileUrl(username, publicUrl)}.md`
}

export function jsonUrl(username: string, publicUrl: string): string {
  return `${publicUrl}/api/human/${username}.json`
}
