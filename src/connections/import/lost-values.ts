/** Values of a row that are not kept, because an earlier row of the file about the same person has others. */

import { isFullerName } from '../../names/compare-names.ts'
import { normalize } from '../../base/tokenize.ts'
import { TEXT_FIELDS, type Connection, type TextField } from '../model/connection.ts'
import {
  customFieldIn,
  customFieldKey,
  detailFieldsOf,
  detailOf,
  type DetailField,
} from '../model/details.ts'
import { personNameOf } from '../matching/match-person.ts'
import { cutterOf, isUnnamed } from './refresh-person.ts'
import type { FieldRegistry } from '../model/custom-field-registry.ts'
import type { ImportedContact } from '../model/contact.ts'
import type { IncomingContact, MergeContext, MergedPerson, Network } from './matched-people.ts'

/** Reports the values of a contact that its person does not have now. Returns whether there are any. */
export function reportLost(
  { fields }: Network,
  { now }: MergedPerson,
  { contact, details }: IncomingContact,
  context: MergeContext,
): boolean {
  const lost = [
    ...TEXT_FIELDS.filter((field) => isTextLost(field, contact, now)),
    ...detailFieldsOf(details)
      .filter((field) => isDetailLost(detailOf(details, field), detailOf(now.details, field)))
      .map((field) => reportedName(field, fields)),
  ]
  const cut = cutterOf(contact, context)
  for (const field of lost) cut(field)
  return lost.length > 0
}

/** The parts of the name belong to the name. */
function isTextLost(field: TextField, contact: ImportedContact, now: Connection): boolean {
  const [value, kept] = [contact[field], now[field]]
  if (value === null || value === kept || field === 'givenName' || field === 'familyName')
    return false
  if (field === 'name') return !isUnnamed(contact) && !isNameKept(contact, now)
  if (field === 'profileUrl') return !now.links.includes(value)
  return kept === null || normalize(value) !== normalize(kept)
}

function isNameKept(contact: ImportedContact, now: Connection): boolean {
  const [name, kept] = [personNameOf(contact), personNameOf(now)]
  return name.words.join(' ') === kept.words.join(' ') || isFullerName(kept, name)
}

/** Lists take in the values of every row. */
function isDetailLost(value: unknown, kept: unknown): boolean {
  return typeof value === 'string' && value !== kept
}

/** A custom field under its own name. */
function reportedName(field: DetailField, registry: FieldRegistry | undefined): string {
  const id = customFieldIn(field)
  if (id === undefined) return field
  const known = [...(registry?.known.values() ?? [])].find(({ fieldId }) => String(fieldId) === id)
  return customFieldKey(known?.name ?? id)
}
