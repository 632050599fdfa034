// Reads the last day on which the member and a person exchanged messages on LinkedIn. Only dates are read, never the
// text.

import { profileUrlIn } from '../contact/urls.ts'
import { csvRecords } from './csv.ts'
import { dayIn } from '../../dates/date-notations.ts'
import { readBlocks } from '../bytes/blocks.ts'
import { decodeText } from '../bytes/text.ts'
import type { ZipEntry } from '../bytes/zip.ts'

/** Days by the URL of a profile. */
export interface LastContacts {
  readonly messages: ReadonlyMap<string, string>
  readonly invitations: ReadonlyMap<string, string>
}

interface Files {
  readonly messages: readonly ZipEntry[]
  readonly invitations: readonly ZipEntry[]
}

/** Returns the last day of contact with each person, by profile URL, from LinkedIn's messages and invitations. */
export async function readLastContacts({ messages, invitations }: Files): Promise<LastContacts> {
  return {
    messages: await latest(messages, 'date', ['sender profile url', 'recipient profile urls']),
    invitations: await latest(invitations, 'sent at', ['inviterprofileurl', 'inviteeprofileurl']),
  }
}

const MAX_PEOPLE = 100_000

async function latest(
  files: readonly ZipEntry[],
  dateColumn: string,
  urlColumns: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const days = new Map<string, string>()
  for (const file of files)
    for await (const record of recordsOf(decodeText(await readBlocks(file.open())))) {
      const day = dayIn(record.get(dateColumn) ?? '')
      if (day === null) continue
      for (const column of urlColumns)
        for (const text of (record.get(column) ?? '').split(/[\s,;]+/)) {
          const url = profileUrlIn(text)
          if (url === null || (days.size >= MAX_PEOPLE && !days.has(url))) continue
          const before = days.get(url)
          if (before === undefined || before < day) days.set(url, day)
        }
    }
  return days
}

/** The records of a CSV file by the names of its columns. */
async function* recordsOf(
  text: AsyncIterable<string>,
): AsyncGenerator<ReadonlyMap<string, string>> {
  let names: readonly string[] | null = null
  for await (const records of csvRecords(text))
    for (const { cells } of records)
      if (names === null) names = cells.map((cell) => cell.trim().toLowerCase())
      else yield new Map(names.map((name, at) => [name, cells[at] ?? '']))
}
