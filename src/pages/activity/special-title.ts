/** Titles of changes that their action does not describe well: what was snoozed, related or tagged. */

import { isDeepStrictEqual } from 'node:util'
import { rfc3339 } from '../../base/clock.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { relationText } from '../../connections/person/label-words.ts'
import { calendarDate } from '../../ui/calendar-date.ts'
import { listed } from '../../ui/listed.ts'
import { recordedIn, type Recorded } from './change-subjects.ts'
import { ofRoot, type Root } from './change-root.ts'
import type { Relation } from '../../contact-files/contact/details.ts'
import type { ListedChange } from '../../tools/activity-log/read-activity.ts'

/** The title of a change that its action does not describe well; undefined for others. */
export function specialTitle(root: Root, subjects: readonly Html[]): Html | undefined {
  const what = snoozed(root.change, subjects) ?? relationAdded(root.change, subjects)
  return what && ofRoot(root, what)
}

/** Whether the title says all of the change. */
export function isSpecial(change: ListedChange): boolean {
  return (snoozed(change, []) ?? relationAdded(change, [])) !== undefined
}

/** The recorded states of the people of a change. */
function statesIn(part: object | null): readonly Recorded[] {
  const recorded = recordedIn(part)
  return recorded.connections ?? [recorded]
}

/** As `Snoozed Grace Hopper until 6 Dec`, if nothing else of the cadence changed. */
function snoozed(change: ListedChange, subjects: readonly Html[]): Html | undefined {
  if (change.action !== 'cadence.set') return undefined
  const [was, is] = [statesIn(change.before), statesIn(change.after)]
  const day = is[0]?.['paused_until']
  const isOnly = is.every((one, at) =>
    isDeepStrictEqual({ ...was[at], paused_until: day }, { ...one }),
  )
  if (typeof day !== 'string' || !isOnly || isDeepStrictEqual(was, is)) return undefined
  // Without the year if it is the same.
  const isSameYear = day.startsWith(rfc3339(change.at).slice(0, 4))
  const until = calendarDate(isSameYear ? `-${day.slice(4)}` : day)
  return subjects.length === 0
    ? html`Snoozed until ${until}`
    : html`Snoozed ${listed(subjects)} until ${until}`
}

/** As `Added a relation of Grace Hopper: Alan Turing (brother)`, also if it added the other person. */
function relationAdded(change: ListedChange, [subject]: readonly Html[]): Html | undefined {
  if (!change.action.endsWith('.update')) return undefined
  const [was = {}, ...others] = statesIn(change.before)
  const [is = {}, added] = statesIn(change.after)
  const one = relationsIn(is).at(-1)
  const isOnly = isDeepStrictEqual(
    { ...is },
    { ...was, relations: [...relationsIn(was), one], sources: is['sources'] },
  )
  if (!one || !isOnly || others.length > 0 || (added && added['name'] !== one.name))
    return undefined
  const word =
    one.relation === undefined ? NOTHING : html` (<bdi>${relationText(one.relation)}</bdi>)`
  const who = html`<bdi>${one.name}</bdi>${word}`
  return subject ? html`Added a relation of ${subject}: ${who}` : html`Added a relation: ${who}`
}

function relationsIn({ relations }: Recorded): readonly Relation[] {
  return Array.isArray(relations) ? (relations as Relation[]) : []
}

/** More people than this are a number. */
const MAX_NAMED = 3

/** As `Added climate to 14 people`, for one tag of many people; undefined for other changes. */
export function taggedMany({ action, before, after }: ListedChange): Html | undefined {
  if (action !== 'connections.tag') return undefined
  const [was, is] = [recordedIn(before).connections ?? [], recordedIn(after).connections ?? []]
  if (is.length <= MAX_NAMED) return undefined
  const differing = (some: typeof was, others: typeof was) =>
    new Set(
      some.flatMap((one, at) => {
        const kept = new Set(tagsIn(others[at]))
        return tagsIn(one).filter((tag) => !kept.has(tag))
      }),
    )
  const [added, removed] = [[...differing(is, was)], [...differing(was, is)]]
  const people = html`${is.length} people`
  if (added.length === 1 && removed.length === 0)
    return html`Added <bdi>${added[0]}</bdi> to ${people}`
  if (removed.length === 1 && added.length === 0)
    return html`Removed <bdi>${removed[0]}</bdi> from ${people}`
  return undefined
}

function tagsIn(one: Recorded | undefined): string[] {
  const tags = one?.['tags']
  return Array.isArray(tags) ? tags.map(String) : []
}
