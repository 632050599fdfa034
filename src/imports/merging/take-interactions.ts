/** Gives people the interactions of a contact. Those that a person already has, or that the member deleted, are not added again. */

import { capitalized } from '../../languages/capitalized.ts'
import { startOfDay } from '../../dates/calendar-day.ts'
import { localTimeAt } from '../../dates/time-zone.ts'
import { DAY } from '../../base/clock.ts'
import {
  INTERACTION_KINDS,
  type InteractionKind,
} from '../../connections/interactions/interaction-store.ts'
import {
  interactionContents,
  type InteractionContent,
  type NewInteraction,
} from '../../connections/interactions/imported-interactions.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'
import type { ContactInteraction } from '../../contact-files/contact/details.ts'
import type { MemberReader } from '../../db/database.ts'
import type { MergedPerson } from './matched-people.ts'

/** Loads the interactions of those who were in the network before, if not loaded yet. */
export async function loadInteractions(
  people: readonly MergedPerson[],
  reader: MemberReader,
): Promise<void> {
  const missing = people.filter(({ interactions }) => !interactions)
  const known = await interactionContents(
    reader,
    missing.map(({ now }) => now.connectionId),
  )
  for (const person of missing)
    person.interactions = new Set((known.get(person.now.connectionId) ?? []).flatMap(keysOf))
}

/** Returns false if the person has all of them. */
export function takeInteractions(
  person: MergedPerson,
  given: readonly ContactInteraction[] | undefined,
): boolean {
  if (given === undefined) return false
  const known = (person.interactions ??= new Set())
  const before = person.newInteractions.length
  // The last contact comes last, because the other interactions may have its day.
  const inOrder = given.toSorted((a, b) => Number(isLastContact(a)) - Number(isLastContact(b)))
  for (const one of inOrder) {
    const interaction = interactionOf(one)
    const [content, day] = keysOf(interaction)
    if (known.has(isLastContact(one) ? day : content)) continue
    known.add(content).add(day)
    person.newInteractions.push(interaction)
  }
  return person.newInteractions.length > before
}

function interactionOf(one: ContactInteraction): NewInteraction {
  const { on, at, zone, direction = null, text = null, key: sourceKey = null } = one
  const happenedAt = at === undefined ? null : Date.parse(at)
  const time =
    happenedAt === null || zone === undefined
      ? { localAt: startOfDay(on), happenedAt: null, zone: null }
      : { localAt: localTimeAt(zone, happenedAt), happenedAt, zone }
  return { ...time, ...kindAndSubject(one), direction, text, source: 'import', sourceKey }
}

/** A word that is no kind is kept as the subject. */
function kindAndSubject({
  kind: word,
  subject,
}: ContactInteraction): Pick<NewInteraction, 'kind' | 'subject'> {
  const kind = KINDS.get(word.toLowerCase())
  if (kind) return { kind, subject: subject ?? null }
  const named = capitalized(word)
  const whole = subject === undefined ? named : `${named}: ${subject}`
  return { kind: 'other', subject: whole.slice(0, MAX_TEXT_LENGTH).toWellFormed() }
}

const KINDS: ReadonlyMap<string, InteractionKind> = new Map(
  INTERACTION_KINDS.map((kind) => [kind, kind]),
)

function isLastContact(one: ContactInteraction): boolean {
  return one.isLastContact === true
}

/** Its content, and its day alone. */
function keysOf({ localAt, kind, subject, text }: InteractionContent): [string, string] {
  return [JSON.stringify([localAt, kind, subject, text]), String(Math.floor(localAt / DAY))]
}
