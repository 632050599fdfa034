/** The cards of an address book that the member has subscribed to, whose people are known by their UIDs. */

import { bookCardKey } from '../contact-files/contact/contact-keys.ts'
import { memberStatement, WHOLE_NETWORK } from '../db/statement.ts'
import type { ImportRow } from '../contact-files/contact/contact.ts'
import type { MemberReader } from '../db/database.ts'

/** Returns the ID of the book that an import reads; undefined if it reads another file. */
export async function findImportedBook(
  reader: MemberReader,
  jobId: number,
): Promise<number | undefined> {
  return (await reader.get(BOOK, { job_id: jobId }))?.book_id
}

export function ofBook(row: ImportRow, bookId: number): ImportRow {
  if (!('contact' in row) || row.card?.key === undefined) return row
  return { ...row, card: { ...row.card, bookKey: bookCardKey(bookId, row.card.key) } }
}

const BOOK = memberStatement<{ job_id: number }, { book_id: number }>()(
  `select book_id from subscribed_books where member_id = :member_id and job_id = :job_id ${WHOLE_NETWORK}`,
)
