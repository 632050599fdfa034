/** Values of a row that are not kept, because its person has others: typed, from another kind of file, or of an earlier row. */

import { isFullerName } from '../../identity/compare-names.ts'
import { normalize } from '../../base/tokenize.ts'
import { addsYear } from '../../dates/calendar-day.ts'
import { phoneKey } from '../../identity/phone-number.ts'
import { addedDetails } from '../../connections/model/add-details.ts'
import {
  LIST_FIELDS,
  TEXT_FIELDS,
  type Connection,
  type ListField,
  type TextField,
} from '../../connections/model/connection.ts'
import {
  customFieldIn,
  customFieldKey,
  type DetailField,
} from '../../contact-files/contact/details.ts'
import { personNameOf } from '../../identity/match-person.ts'
import { tagOf } from '../../connections/model/tag-store.ts'
import { isUnnamed } from './refresh-person.ts'
import { cutterOf } from './take-tags-and-notes.ts'
import {
  fieldNumbered,
  type FieldRegistry,
} from '../../connections/custom-fields/imported-custom-fields.ts'
import type { ImportedContact } from '../../contact-files/contact/contact.ts'
import type { IncomingContact, MergedPerson, Network } from './matched-people.ts'

/** Reports the values of a contact that its person does not have now. Returns whether there are any. */
export function reportLost(
  network: Network,
  person: MergedPerson,
  { contact, details }: IncomingContact,
): boolean {
  const { now } = person
  const lost = [
    ...TEXT_FIELDS.filter((field) => isTextLost(field, contact, now)),
    ...LIST_FIELDS.filter((field) => isListLost(field, contact, now)),
    ...(areTagsLost(contact, person) ? ['tags'] : []),
    ...addedDetails(now.details, details, now, ANY_VALUE).map(([field]) =>
      reportedName(field, network.fields),
    ),
  ]
  if (lost.length === 0) return false
  const cut = cutterOf(contact, network)
  for (const field of lost) cut(field)
  return true
}

/** The parts of the name belong to the name. */
function isTextLost(field: TextField, contact: ImportedContact, now: Connection): boolean {
  const [value, kept] = [contact[field], now[field]]
  if (value === null || value === kept || field === 'givenName' || field === 'familyName')
    return false
  if (field === 'name') return !isUnnamed(contact) && !isNameKept(contact, now)
  if (field === 'profileUrl') return !now.links.includes(value)
  if (field === 'birthday' && kept !== null && addsYear(kept, value)) return false
  if (field === 'company' || field === 'title') {
    const part = field === 'company' ? 'name' : 'title'
    const { organizations = [] } = now.details
    if (organizations.some((one) => normalize(one[part] ?? '') === normalize(value))) return false
  }
  return kept === null || normalize(value) !== normalize(kept)
}

function isNameKept(contact: ImportedContact, now: Connection): boolean {
  const [name, kept] = [personNameOf(contact), personNameOf(now)]
  return name.words.join(' ') === kept.words.join(' ') || isFullerName(kept, name)
}

/** A list that the member has edited takes in nothing, and an email of another person stays there. */
function isListLost(field: ListField, contact: ImportedContact, now: Connection): boolean {
  if (contact[field].every((value) => now[field].includes(value))) return false
  const spelling = field === 'phones' ? (value: string) => phoneKey(value) || value : String
  const kept = new Set(
    [...now[field], ...(now.profileUrl === null ? [] : [now.profileUrl])].map(spelling),
  )
  return contact[field].some((value) => !kept.has(spelling(value)))
}

/** Tags that the member has edited take in nothing. */
function areTagsLost({ labels }: ImportedContact, { tagsBefore, newTags }: MergedPerson): boolean {
  if (labels.length === 0) return false
  const kept = new Set([...tagsBefore, ...newTags].map(({ key }) => key))
  return labels.map(tagOf).some(({ key }) => !kept.has(key))
}

/** Applied to details, these rules change the fields whose value a person does not have. */
export const ANY_VALUE = { replaces: () => true, isClosed: () => false }

/** A custom field under its own name. */
function reportedName(field: DetailField, registry: FieldRegistry | undefined): string {
  const id = customFieldIn(field)
  if (id === undefined) return field
  return customFieldKey(fieldNumbered(registry, id)?.name ?? id)
}
