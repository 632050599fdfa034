/**
 * The part of a connection that fits into a contact file, cleaned like imported text: an import reads the same values
 * back, and no text can end its row or card.
 */

import { manyLines, oneLine, textOrNull } from '../connections/model/clean-text.ts'
import { MAX_NOTE_LENGTH } from '../connections/model/limits.ts'
import { labelIn } from '../connections/model/contact.ts'
import { profileUrlIn } from '../connections/model/urls.ts'
import { tagOf } from '../connections/model/connection-store.ts'
import type { Connection } from '../connections/model/connection.ts'
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
  /** The profile URL comes first. */
  readonly urls: readonly string[]
  readonly labels: readonly string[]
  /** All notes as one text, with an empty line between. */
  readonly note: string
}

export function portableContact({ connection, tags, notes }: ExportedConnection): PortableContact {
  const { name, givenName, familyName, company, title, location, emails, phones, birthday } =
    connection
  return {
    name: oneLine(name, Infinity),
    givenName: cleaned(givenName),
    familyName: cleaned(familyName),
    company: cleaned(company),
    title: cleaned(title),
    location: cleaned(location),
    emails,
    phones,
    birthday,
    urls: urlsOf(connection),
    labels: tags.flatMap(labelsOf),
    note: noteOf(notes.map(({ text }) => manyLines(text, Infinity))),
  }
}

/** Omits LinkedIn profiles among the links, because an import would read them as the profile URL. */
function urlsOf({ profileUrl, links }: Connection): string[] {
  const hasProfile = profileUrl !== null && profileUrlIn(profileUrl) === profileUrl
  const others = links.filter((link) => {
    const profile = profileUrlIn(link)
    return profile === null || (hasProfile && profile === link)
  })
  return profileUrl === null ? others : [profileUrl, ...others]
}

function cleaned(text: string | null): string | null {
  return text === null ? null : textOrNull(oneLine(text, Infinity))
}

/** Omits tags that are named like a system group of an address book, because an import skips those. */
function labelsOf(tag: string): string[] {
  const { key } = tagOf(tag)
  return labelIn(tag).filter((label) => tagOf(label).key === key)
}

/** As many as fit, oldest first. The JSON has all of them. */
function noteOf(texts: readonly string[]): string {
  let note = ''
  for (const text of texts) {
    const longer = note === '' ? text : `${note}\n\n${text}`
    if (longer.length > MAX_NOTE_LENGTH) break
    note = longer
  }
  return note
}
