/** References between vCards of several files: related people, and members of groups. */

import type { ContactDetails, Relation } from '../model/details.ts'
import { addHolder, NO_PEOPLE } from './matched-people.ts'
import { takeLabels } from './refresh-person.ts'
import type { MergeContext, MergedPerson, Network } from './matched-people.ts'
import type {
  CardLinks,
  CardReference,
  ContactGroup,
  ImportedContact,
  ImportRow,
} from '../model/contact.ts'

export function contactGroupsOf(rows: readonly ImportRow[]): readonly ContactGroup[] {
  return rows.flatMap((row) => ('group' in row && row.group ? [row.group] : []))
}

/** The keys of the people that contacts and groups refer to, and of the contacts. */
export function linkKeysOf(
  cards: readonly (CardLinks | undefined)[],
  groups: readonly ContactGroup[],
): readonly string[] {
  const keys = cards.flatMap((card) =>
    card === undefined
      ? []
      : [...(card.key === undefined ? [] : [card.key]), ...card.references.map(({ key }) => key)],
  )
  return [...keys, ...groups.flatMap(({ members }) => members)]
}

/** The details of a contact, in which the people of its references are relations. */
export function linkedDetails(
  { byKey }: Network,
  contact: ImportedContact,
  { card, context }: { readonly card: CardLinks | undefined; readonly context: MergeContext },
): ContactDetails | undefined {
  const { details } = contact
  if (card === undefined || card.references.length === 0) return details
  const named = card.references.flatMap((reference) => {
    const name = nameOf(byKey.get(reference.key))
    return name === undefined ? [] : [{ name, reference }]
  })
  if (named.length === 0) return details
  const found = named.map(({ reference }) => reference)
  context.found?.set(contact, found)
  const { custom = [], relations = [], ...others } = details ?? {}
  const rest = custom.filter(({ field, value }) => !isAmong(found, field, value))
  return {
    ...others,
    relations: [...relations, ...named.map(({ name, reference }) => relationTo(name, reference))],
    ...(rest.length > 0 && { custom: rest }),
  }
}

function relationTo(name: string, { relation }: CardReference): Relation {
  return relation === '' ? { name } : { name, relation }
}

/** Undefined unless it is certain who is meant. */
function nameOf(holders: readonly MergedPerson[] = NO_PEOPLE): string | undefined {
  const [person, ...others] = holders.filter(({ now }) => now.deletedAt === null)
  return others.length === 0 ? person?.now.name : undefined
}

export function isAmong(
  references: readonly Pick<CardReference, 'column' | 'value'>[],
  column: string,
  value: string,
): boolean {
  return references.some((one) => one.column === column && one.value === value)
}

/** Remembers the UID of a person's card. */
export function takeCard(
  network: Network,
  person: MergedPerson,
  card: CardLinks | undefined,
): void {
  const key = card?.key
  if (key === undefined || person.ownKeys.has(key) || person.otherKeys.includes(key)) return
  person.otherKeys.push(key)
  addHolder(network, key, person)
}

/** Adds the tag of a group to its members. */
export function tagGroup(
  { byKey }: Network,
  { name, members }: ContactGroup,
  { jobId, now }: MergeContext,
): void {
  for (const person of new Set(members.flatMap((key) => byKey.get(key) ?? NO_PEOPLE))) {
    if (person.now.deletedAt !== null || !takeLabels(person, [name], () => {})) continue
    if (person.before === undefined) continue
    const { version } = person.now
    person.now = { ...person.now, importJobId: jobId, version: version + 1, updatedAt: now }
  }
}
