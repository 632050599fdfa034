/**
 * What a person keeps of a fuller name in another file. Matching needs it: Ann and Amy Lee both match A. Lee, and John A. Reed and
 * John B. Reed both match John Reed, but they must not become one person when they are imported one after the other.
 */

import { compareNames, isFullerName } from '../../identity/compare-names.ts'
import { isGeneration, type PersonName } from '../../identity/person-name.ts'
import { personNameOf } from '../../identity/match-person.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { IncomingContact } from './matched-people.ts'

type Contact = IncomingContact['contact']

/** Whether a contact has the whole name of a person whose name is one word or has an initial. */
export function completesName(contact: Contact, present: Connection): boolean {
  if (contact.givenName === null || contact.familyName === null) return false
  const short = personNameOf(present)
  const isShort = short.words.length === 1 || short.words.some((word) => word.length === 1)
  return isShort && isFullerName(personNameOf(contact), short)
}

/** The contact with the middle name and the suffix of its name apart, if the present name has none. */
export function withPartsOfName(present: Connection, incoming: IncomingContact): IncomingContact {
  const { contact, details } = incoming
  const [full, short] = [personNameOf(contact), personNameOf(present)]
  const middleName = middleNameIn(contact, full, short)
  const nameSuffix = short.generation === null ? generationIn(contact, full) : undefined
  if (middleName === undefined && nameSuffix === undefined) return incoming
  const parts = { ...(middleName && { middleName }), ...(nameSuffix && { nameSuffix }) }
  return { ...incoming, details: { ...parts, ...details } }
}

function middleNameIn(
  { givenName }: Contact,
  full: PersonName,
  short: PersonName,
): string | undefined {
  const words = givenName?.split(/\s+/) ?? []
  const { reasons } = compareNames(full, short)
  const isMiddle = reasons.includes('middle_name') && !reasons.includes('part_of_given_name')
  if (!isMiddle || !isFullerName(full, short) || words.length !== full.given.length)
    return undefined
  return words.slice(short.given.length).join(' ')
}

function generationIn({ name }: Contact, { generation }: PersonName): string | undefined {
  return generation === null ? undefined : name.split(/[\s,]+/).findLast(isGeneration)
}
