// Reads the JSON export of Monica 2 to 4: one object with the whole account.

import { fieldsOf } from '../apps/reported-fields.ts'
import { fileOfRecords } from '../file/contact-record.ts'
import { readWholeJson } from '../file/json-values.ts'
import { accountIn } from './monica-account.ts'
import { recordOfContact } from './monica-contact.ts'
import type { ContactFile } from '../file/contact-file.ts'

/** @throws {UnreadableFile} when the file is damaged, or has no contacts. */
export async function monicaFile(blocks: AsyncIterable<string>): Promise<ContactFile> {
  const account = accountIn(await readWholeJson(blocks, 'Monica'))
  return fileOfRecords({
    format: 'monica',
    program: 'Monica',
    people: account.contacts,
    recordOf: (contact) => recordOfContact(contact, account),
    sections: account.sections,
    fields: fieldsOf('monica'),
  })
}
