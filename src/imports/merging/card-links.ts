/** References between vCards of several files: related people, and members of groups. */

import { isEntered } from '../../contact-files/contact/contact.ts'
import { addedDetails } from '../../connections/model/add-details.ts'
import {
  customFieldKey,
  withDetails,
  type ContactDetails,
  type DetailField,
  type Relation,
} from '../../contact-files/contact/details.ts'
import { fieldNumbered } from '../../connections/custom-fields/imported-custom-fields.ts'
import { awaitedCardKey, cardKey, emailKey } from '../../contact-files/contact/contact-keys.ts'
import { isCardReference } from '../../contact-files/vcard/vcard-relations.ts'
import { addHolder, markChanged, NO_PEOPLE } from './matched-people.ts'
import { takeLabels } from './take-tags-and-notes.ts'
import type { IncomingContact, MergeContext, MergedPerson, Network } from './matched-people.ts'
import type { NewFieldSources } from '../../connections/model/connection.ts'
import type {
  CardLinks,
  CardReference,
  ContactGroup,
  ImportedContact,
  ImportRow,
} from '../../contact-files/contact/contact.ts'

export function contactGroupsOf(rows: readonly ImportRow[]): readonly ContactGroup[] {
  return rows.flatMap((row) => ('group' in row && row.group ? [row.group] : []))
}

/** The keys of the people that contacts and groups refer to, and of the contacts. */
export function linkKeysOf(
  contacts: readonly { readonly card?: CardLinks }[],
  groups: readonly ContactGroup[],
): readonly string[] {
  const keys = contacts.flatMap(({ card }) => {
    if (card === undefined) return []
    const own = [card.key, card.bookKey].filter((key) => key !== undefined)
    return [...own, ...[...card.references, ...(card.relations ?? [])].map(({ key }) => key)]
  })
  const awaited = keys.map(awaitedCardKey)
  return [...keys, ...awaited, ...groups.flatMap(({ members }) => members)]
}

/** Whether people wait for one of these cards. */
export function areAwaited(
  { byKey }: Network,
  contacts: readonly { readonly card?: CardLinks }[],
): boolean {
  return contacts.some(({ card }) => card?.key !== undefined && byKey.has(awaitedCardKey(card.key)))
}

/** The details of a contact, in which the people of its references are relations. */
export function linkedDetails(
  { byKey, found }: Network,
  contact: ImportedContact,
  card: CardLinks | undefined,
): ContactDetails | undefined {
  const { details } = contact
  if (card === undefined || card.references.length === 0) return details
  const named = card.references.flatMap((reference) => {
    const name = nameOf(byKey.get(reference.key))
    return name === undefined ? [] : [{ name, reference }]
  })
  if (named.length === 0) return details
  const references = named.map(({ reference }) => reference)
  found.set(contact, references)
  const { custom = [], relations = [], ...others } = details ?? {}
  const rest = custom.filter(({ field, value }) => !isAmong(references, field, value))
  return {
    ...others,
    relations: [...relations, ...named.map(({ name, reference }) => relationTo(name, reference))],
    ...(rest.length > 0 && { custom: rest }),
  }
}

function relationTo(name: string, { relation }: Pick<CardReference, 'relation'>): Relation {
  return relation === '' ? { name } : { name, relation }
}

/** Undefined unless it is certain who is meant. */
function nameOf(holders: readonly MergedPerson[] = NO_PEOPLE): string | undefined {
  const [person, ...others] = holders.filter(({ now }) => now.deletedAt === null)
  return others.length === 0 ? person?.now.name : undefined
}

/** True if one of the references has this column and value. */
export function isAmong(
  references: readonly Pick<CardReference, 'column' | 'value'>[],
  column: string,
  value: string,
): boolean {
  return references.some((one) => one.column === column && one.value === value)
}

/**
 * Remembers the UID of a person's card, and the UIDs to which it refers and that no one has yet. Links people whose cards
 * wait for this one.
 */
export function takeCard(
  network: Network,
  person: MergedPerson,
  card: CardLinks | undefined,
): void {
  if (card === undefined || person.now.deletedAt !== null) return
  const { key, references, relations = [] } = card
  person.relations.push(...relations)
  if (key !== undefined && takeKey(network, person, key))
    for (const other of network.byKey.get(awaitedCardKey(key)) ?? NO_PEOPLE)
      linkToCard(network, other, key)
  for (const { key: wanted } of references) {
    if (waitsFor(network, person, wanted)) takeKey(network, person, awaitedCardKey(wanted))
    linkToCard(network, person, wanted)
  }
}

/** Remembers whose card of a subscribed address book it is. */
export function takeBookCard(network: Network, person: MergedPerson, card: CardLinks | undefined) {
  if (card?.bookKey !== undefined) takeKey(network, person, card.bookKey)
}

/** The person of a card in an address book that the member has subscribed to. */
export function bookCardOwner(
  { byKey }: Network,
  card: CardLinks | undefined,
): MergedPerson | undefined {
  return card?.bookKey === undefined ? undefined : byKey.get(card.bookKey)?.[0]
}

function takeKey(network: Network, person: MergedPerson, key: string): boolean {
  if (person.ownKeys.has(key) || person.otherKeys.includes(key)) return false
  person.otherKeys.push(key)
  addHolder(network, key, person)
  return true
}

/** Whether a person has a reference to a card as the value of a custom field, and it is not certain who is meant. */
function waitsFor({ byKey }: Network, { now }: MergedPerson, key: string): boolean {
  return (
    nameOf(byKey.get(key)) === undefined &&
    Object.values(now.details.custom ?? {}).some((text) =>
      text.split('\n').some((line) => isReferenceTo(line, key)),
    )
  )
}

function isReferenceTo(text: string, key: string): boolean {
  return isCardReference(text) && cardKey(text) === key
}

/** Turns references to a card into a relation, if it is certain who is meant. The import remains the one that it was. */
function linkToCard(network: Network, person: MergedPerson, key: string): void {
  const { context } = network
  const name = nameOf(network.byKey.get(key))
  const { fieldSources, deletedAt } = person.now
  if (name === undefined || deletedAt !== null || isEntered(fieldSources.relations)) return
  for (const [id, text] of Object.entries(person.now.details.custom ?? {})) {
    const lines = text.split('\n')
    const rest = lines.filter((line) => !isReferenceTo(line, key))
    if (rest.length === lines.length || isEntered(fieldSources[customFieldKey(id)])) continue
    const column = fieldNumbered(network.fields, id)?.name ?? ''
    const relation = relationTo(name, { relation: RELATION_IN_COLUMN.exec(column)?.[1] ?? '' })
    if (!linkTo(person, relation, [customFieldKey(id), rest.join('\n')], context)) continue
    const values = lines.filter((line) => !rest.includes(line))
    if (person.now.importJobId === context.jobId)
      network.linked.push(...values.map((value) => ({ column, value })))
  }
}

/** The name of a custom field with references: `RELATED (spouse)`. */
// regex-ok: names of custom fields have at most 100 characters
const RELATION_IN_COLUMN = / \((.+)\)$/

/** Returns false if the person has no room for the relation. */
function linkTo(
  person: MergedPerson,
  relation: Relation,
  rest: readonly [DetailField, string],
  { source, now: updatedAt }: MergeContext,
): boolean {
  const { now, before } = person
  let isFull = false
  const onCut = () => (isFull = true)
  const rules = { replaces: () => false, isClosed: () => false, onCut }
  const added = addedDetails(now.details, { relations: [relation] }, now, rules)
  if (isFull) return false
  const sources: NewFieldSources = added.length > 0 ? { relations: source } : {}
  person.now = {
    ...now,
    details: withDetails(now.details, [...added, rest]),
    fieldSources: { ...now.fieldSources, ...sources },
    ...(before && { version: now.version + 1, updatedAt }),
  }
  return true
}

/**
 * Lets the relations of people point at the connections that their file means, which all have numbers now. Records of later
 * batches are found by their names.
 */
export function pointRelations(network: Network): void {
  const { jobId } = network.context
  for (const person of network.people) {
    const { before, now } = person
    const isWritten = before === undefined || before.version !== now.version
    if (person.relations.length === 0 || !isWritten || now.deletedAt !== null) continue
    const relations = (now.details.relations ?? []).map((one) => {
      const record = person.relations.find((other) => isSameRelation(one, other))
      const connectionId = record && numberOf(network.byKey.get(record.key), jobId)
      const isNew = connectionId !== undefined && one.connectionId === undefined
      return isNew ? pointingAt(one, connectionId) : one
    })
    person.now = { ...now, details: withDetails(now.details, [['relations', relations]]) }
  }
}

function pointingAt(relation: Relation, connectionId: number): Relation {
  return { ...relation, connectionId }
}

function isSameRelation(one: Relation, other: Relation): boolean {
  return one.name === other.name && one.relation === other.relation
}

/** Undefined unless it is certain who is meant. People of this file come first: other exports can have the same IDs. */
function numberOf(holders: readonly MergedPerson[] = NO_PEOPLE, jobId: number): number | undefined {
  const live = holders.filter(({ now }) => now.deletedAt === null)
  const ofFile = live.filter(({ now }) => now.importJobId === jobId)
  const [person, ...others] = ofFile.length > 0 ? ofFile : live
  return others.length === 0 ? person?.now.connectionId : undefined
}

/** Adds the tag of a group to its members. Those who are not in the network yet get it when they arrive. */
export function tagGroup(
  { byKey, awaited, context }: Network,
  { name, members }: ContactGroup,
): void {
  for (const person of new Set(members.flatMap((key) => byKey.get(key) ?? NO_PEOPLE)))
    tagMember(person, [name], context)
  for (const key of new Set(members)) if (!byKey.has(key)) awaited.push({ key, tag: name })
}

/** The keys by which a group of an earlier file may name a contact as its member. */
export function memberKeysOf({ contact, card }: IncomingContact): readonly string[] {
  const emails = contact.emails.map(emailKey)
  return card?.key === undefined ? emails : [card.key, ...emails]
}

/** Adds the tags of groups of earlier files to a person that this batch has merged. */
export function tagArrived(network: Network, fingerprint: string, tags: readonly string[]): void {
  for (const person of network.byKey.get(fingerprint) ?? NO_PEOPLE)
    tagMember(person, tags, network.context)
}

function tagMember(person: MergedPerson, tags: readonly string[], context: MergeContext): void {
  if (person.now.deletedAt === null && takeLabels(person, tags, { cut: () => {} }))
    markChanged(person, context)
}
