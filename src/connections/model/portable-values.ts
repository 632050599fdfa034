/** Values of a connection that an import of Weft's own export restores unchanged. */

import { tagOf } from './tag-store.ts'
import { labelIn } from '../../contact-files/contact/contact-draft.ts'
import { profileUrlIn } from '../../contact-files/contact/urls.ts'
import type { Connection } from './connection.ts'

/** The profile URL comes first. Omits LinkedIn profiles among the links, because an import reads them as the profile URL. */
export function portableUrls({
  profileUrl,
  links,
}: Pick<Connection, 'profileUrl' | 'links'>): string[] {
  const hasProfile = profileUrl !== null && profileUrlIn(profileUrl) === profileUrl
  const others = links.filter((link) => {
    const profile = profileUrlIn(link)
    return profile === null || (hasProfile && profile === link)
  })
  return profileUrl === null ? others : [profileUrl, ...others]
}

/** None for a tag that is named like a system group of an address book, because an import skips those. */
export function portableLabels(tag: string): string[] {
  const { key } = tagOf(tag)
  return labelIn(tag).filter((label) => tagOf(label).key === key)
}
