// Groups: KIND:group of vCard 4.0 (RFC 6350 section 6.6.5), and what Apple writes in vCard 3.0.

import { MEMBER_PROPERTIES, partsIn, textIn } from './vcard-card.ts'
import { labelIn, type ContactGroup } from '../contact/contact.ts'
import { emailsIn } from '../contact/emails-and-phones.ts'
import { cardKey, emailKey } from '../contact/contact-keys.ts'
import { textOf, type Properties } from './vcard-property.ts'

/** Undefined for a group without a name or members, and for one that every contact is in. */
export function groupOf(properties: Properties): ContactGroup | undefined {
  const [name] = labelIn(textIn(properties, 'FN') || partsIn(properties, 'N').join(' '))
  const members = MEMBER_PROPERTIES.flatMap((property) =>
    (properties.get(property) ?? []).flatMap(({ value }) => memberKeys(textOf(value).trim())),
  )
  return name === undefined || members.length === 0 ? undefined : { name, members }
}

/** A member is the UID of a card, or an address. */
function memberKeys(member: string): readonly string[] {
  const [, email] = /^mailto:([^?]+)/i.exec(member) ?? []
  if (email !== undefined) return emailsIn(email).map(emailKey)
  return /^(?:tel|https?):/i.test(member) ? [] : [cardKey(member)]
}
