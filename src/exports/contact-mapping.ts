/**
 * The part of a connection that fits into a contact file, cleaned like imported text: an import reads the same values
 * back, and no text can end its row or card.
 */

import { manyLines, oneLine, textOrNull } from '../connections/model/clean-text.ts'
import { MAX_NOTE_LENGTH } from '../connections/model/limits.ts'
import { portableLabels, portableUrls } from '../connections/model/portable-values.ts'
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
    urls: portableUrls(connection),
    labels: tags.flatMap(portableLabels),
    note: noteOf(notes.map(({ text }) => manyLines(text, Infinity))),
  }
}

function cleaned(text: string | null): string | null {
  return text === null ? null : textOrNull(oneLine(text, Infinity))
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
