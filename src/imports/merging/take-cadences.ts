/** Gives people the cadence of a contact: how often to keep in touch. One that the member set, or removed, stays. */

import { dayAt } from '../../dates/calendar-day.ts'
import { cadencesOf, storeCadences } from '../../connections/cadence/cadence-store.ts'
import {
  localNowOf,
  NO_CADENCE,
  type OwnCadence,
} from '../../connections/last-contact/contact-times.ts'
import { markChanged, type MergedPerson, type Network } from './matched-people.ts'
import type { MergedContacts } from './take-history.ts'
import type { ImportedCadence } from '../../contact-files/contact/contact.ts'
import type { MergeResult } from './merge-contact.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

/** The results, with `updated` for contacts of which only the cadence was new. */
export async function takeCadences(
  network: Network,
  reader: MemberReader,
  { incoming, results }: MergedContacts,
): Promise<MergeResult[]> {
  const wanted = incoming.map(({ cadence, fingerprint }, index) => {
    const [person] = network.byKey.get(fingerprint) ?? []
    const isNew = person && results[index] !== 'skipped' && !person.keysBefore.has(fingerprint)
    return cadence && isNew ? { cadence, person } : undefined
  })
  const known = wanted.flatMap((one) => one?.person.before?.connectionId ?? [])
  const present = await cadencesOf(reader, known)
  return results.map((result, index) => {
    const { cadence, person } = wanted[index] ?? {}
    if (!cadence || !person || person.cadence) return result
    const { setOn, isMuted } = present.get(person.now.connectionId) ?? NO_CADENCE
    if (setOn !== null || isMuted === 1) return result
    person.cadence = cadence
    markChanged(person, network.context)
    return result === 'unchanged' ? 'updated' : result
  })
}

/** Stores the cadences that people have taken. */
export async function saveCadences(
  tx: MemberTransaction,
  people: readonly MergedPerson[],
  now: number,
): Promise<void> {
  const taken = people.flatMap(({ now: { connectionId }, cadence }) =>
    cadence ? [{ connectionId, cadence }] : [],
  )
  await changeCadences(tx, taken, { isUndo: false, now })
}

/** Takes imported cadences from people, unless they have another one since, or gives them back. */
export async function changeCadences(
  tx: MemberTransaction,
  people: readonly { readonly connectionId: number; readonly cadence: ImportedCadence }[],
  { isUndo, now }: { readonly isUndo: boolean; readonly now: number },
): Promise<void> {
  if (people.length === 0) return
  const setOn = dayAt(await localNowOf(tx, now))
  const present = await cadencesOf(
    tx,
    people.map(({ connectionId }) => connectionId),
  )
  const changed = people.flatMap(({ connectionId, cadence }) => {
    const own = present.get(connectionId) ?? NO_CADENCE
    const isImported = own.every === cadence.every && own.unit === cadence.unit
    if (isUndo ? !isImported : own.every !== null) return []
    const after = isUndo
      ? withoutCadence(own, cadence)
      : { ...own, setOn: cadence.every === null ? null : setOn, ...cadence }
    return [[connectionId, after] as const]
  })
  await storeCadences(tx, new Map(changed))
}

/** What the member set since stays. */
function withoutCadence(own: OwnCadence, { pausedUntil, isMuted }: ImportedCadence): OwnCadence {
  return {
    ...NO_CADENCE,
    pausedUntil: own.pausedUntil === pausedUntil ? null : own.pausedUntil,
    isMuted: isMuted === 1 ? 0 : own.isMuted,
  }
}
