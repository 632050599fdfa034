// The columns of LinkedIn's Connections.csv.

import type { ColumnReading } from './columns.ts'
import { cell, columnNamed } from './columns.ts'
import { dayIn } from './dates.ts'

export function linkedinColumns(header: readonly string[]): ColumnReading | null {
  const at = {
    first: columnNamed(header, ['first name']),
    last: columnNamed(header, ['last name']),
    url: columnNamed(header, ['url', 'profile url', 'linkedin url', 'linkedin profile']),
    email: columnNamed(header, ['email address', 'email']),
    company: columnNamed(header, ['company']),
    position: columnNamed(header, ['position', 'title']),
    connected: columnNamed(header, ['connected on']),
  }
  const score = Object.values(at).filter((index) => index !== -1).length
  if (at.first === -1 || at.last === -1 || score < 3) return null
  const dateOf = memoized((text) => dayIn(recent(text)))
  return {
    score,
    draftOf: (cells) => ({
      fullName: '',
      givenName: cell(cells, at.first),
      familyName: cell(cells, at.last),
      company: cell(cells, at.company),
      title: cell(cells, at.position),
      location: '',
      emails: [cell(cells, at.email)],
      phones: [],
      urls: [cell(cells, at.url)],
      birthday: null,
      connectedOn: dateOf(cell(cells, at.connected)),
      note: '',
      labels: [],
    }),
  }
}

/** LinkedIn launched in 2003, so a two-digit year is always 20xx. */
function recent(text: string): string {
  return text
    .trim()
    .replace(/^(\d{1,2}[-/. ]\p{L}+[-/. ]|\d{1,2}[-/.]\d{1,2}[-/.])(\d\d)$/u, '$120$2')
}

const MAX_CACHED_DATES = 5000 // about thirteen years

/** Parses each date once: a network of 30,000 people has only a few thousand distinct dates. */
function memoized(read: (text: string) => string | null): (text: string) => string | null {
  const known = new Map<string, string | null>()
  return (text) => {
    if (text === '') return null
    const before = known.get(text)
    if (before !== undefined) return before
    const day = read(text)
    if (known.size < MAX_CACHED_DATES && text.length < 40) known.set(text, day)
    return day
  }
}
