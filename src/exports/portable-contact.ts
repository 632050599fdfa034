/** As much of a connection as a file of contacts holds; and nothing that would come back as something else. */

import { labelIn, LONGEST_NOTE } from '../connections/imports/contact.ts'
import { profileUrlIn } from '../connections/imports/urls.ts'
import { tagOf } from '../connections/store.ts'
import type { Connection } from '../connections/connection.ts'
import type { ExportedConnection } from './exported-connection.ts'

export interface PortableContact extends Pick<
  Connection,
  | 'name'
  | 'givenName'
  | 'familyName'
  | 'company'
  | 'title'
  | 'location'
  | 'emails'
  | 'phones'
  | 'birthday'
> {
  /** The profile first. */
  readonly urls: readonly string[]
  readonly labels: readonly string[]
  /** All notes as one text, with an empty line between. */
  readonly note: string
}

export function portableContact({ connection, tags, notes }: ExportedConnection): PortableContact {
  const { name, givenName, familyName, company, title, location, emails, phones, birthday } =
    connection
  return {
    name,
    givenName,
    familyName,
    company,
    title,
    location,
    emails,
    phones,
    birthday,
    urls: urlsOf(connection),
    labels: tags.filter(isLabel),
    note: noteOf(notes.map(({ text }) => text)),
  }
}

/** A LinkedIn profile among the links would be read as the profile itself. */
function urlsOf({ profileUrl, links }: Connection): string[] {
  const hasProfile = profileUrl !== null && profileUrlIn(profileUrl) === profileUrl
  const others = links.filter((link) => {
    const profile = profileUrlIn(link)
    return profile === null || (hasProfile && profile === link)
  })
  return profileUrl === null ? others : [profileUrl, ...others]
}

/** Some names of groups are every address book's own: they are never tags. */
function isLabel(tag: string): boolean {
  const { key } = tagOf(tag)
  return labelIn(tag).some((label) => tagOf(label).key === key)
}

/** As many as fit, the oldest first: the rest is in the JSON. */
function noteOf(texts: readonly string[]): string {
  let note = ''
  for (const text of texts) {
    const longer = note === '' ? text : `${note}\n\n${text}`
    if (longer.length > LONGEST_NOTE) break
    note = longer
  }
  return note
}
