/** A connection or an imported contact, prepared for comparison. */

import { NO_NAME, parsePersonName, type PersonName, type WrittenName } from './person-name.ts'
import { companyKey } from './company-name.ts'
import { mailboxKindOf, mailboxOf } from './email-address.ts'
import { tokenize } from '../base/tokenize.ts'

/** What a network, a contact file and the search index know of each person. */
export interface PersonFields {
  /** Never empty: full name, else company, else first email, else first phone number. */
  readonly name: string
  readonly givenName: string | null
  readonly familyName: string | null
  readonly company: string | null
  /** Job title, not an honorific. */
  readonly title: string | null
  /** One line: city, region and country, as far as known. */
  readonly location: string | null
  /** Lower-case, distinct, preferred first. */
  readonly emails: readonly string[]
  /** As written, without `tel:`, distinct, preferred first. */
  readonly phones: readonly string[]
  /** https://www.linkedin.com/in/<slug> */
  readonly profileUrl: string | null
  /** Other http(s) URLs, distinct. */
  readonly links: readonly string[]
  /** YYYY-MM-DD, or --MM-DD when the year is unknown. */
  readonly birthday: string | null
  /** YYYY-MM-DD */
  readonly connectedOn: string | null
}

/** The fields that matching compares, of a connection or an imported contact. */
export interface Matchable extends Omit<PersonFields, 'links'> {
  /** Also the labels of phone numbers, by number. */
  readonly details?:
    | (WrittenName['details'] & { readonly labels?: Readonly<Record<string, string>> })
    | undefined
}

export interface MatchPerson {
  readonly fields: Matchable
  readonly name: PersonName
  readonly mailboxes: ReadonlySet<string>
  /** Mailboxes of a role or a family. */
  readonly sharedMailboxes: ReadonlySet<string>
  /** Empty for none. */
  readonly companyKey: string
  readonly locationWords: readonly string[]
}

/** The parts of the name. */
export function personNameOf(fields: Matchable): PersonName {
  return matchPersonOf(fields).name
}

const prepared = new WeakMap<Matchable, MatchPerson>()

/** Prepares a record; the result is cached per object. */
export function matchPersonOf(fields: Matchable): MatchPerson {
  const known = prepared.get(fields)
  if (known) return known
  const person = prepare(fields)
  prepared.set(fields, person)
  return person
}

function prepare(fields: Matchable): MatchPerson {
  const [mailboxes, sharedMailboxes] = [new Set<string>(), new Set<string>()]
  for (const email of fields.emails)
    (mailboxKindOf(email) === 'personal' ? mailboxes : sharedMailboxes).add(mailboxOf(email))
  return {
    fields,
    name: isNamed(fields) ? parsePersonName(fields) : NO_NAME,
    mailboxes,
    sharedMailboxes,
    companyKey: fields.company === null ? '' : companyKey(fields.company),
    locationWords: fields.location === null ? [] : tokenize(fields.location),
  }
}

/** Whether the name is that of a person. A contact without a name is named after its company, email or phone number. */
function isNamed({ name, givenName, familyName, company, emails, phones }: Matchable): boolean {
  if (givenName !== null || familyName !== null) return true
  return name !== company && !emails.includes(name.toLowerCase()) && !phones.includes(name)
}
