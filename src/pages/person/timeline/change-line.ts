/** A change in the timeline of a person: one line with its values, and longer ones behind a summary. */

import { t } from '../../../languages/message.ts'
import { NOTHING, html, joinHtml, type Html } from '../../../html/html.ts'
import { nearDay } from '../../../ui/calendar-date.ts'
import { changeDetails } from '../../activity/change-details.ts'
import { recordedIn, type Recorded } from '../../activity/change-subjects.ts'
import { recordedCadenceText, type ChangedValue } from '../../activity/changed-values.ts'
import type { DescribedChange } from '../../activity/described-change.ts'

/** `by` is who made it, and when. */
export function changeLine(described: DescribedChange, today: string, by: Html): Html {
  const { heading, changed, also, isTold } = described
  const line = isTold ? undefined : (lineOf(described, today) ?? valueLine(described))
  const isWhole = line !== undefined || isTold || ADDED.has(described.change.action)
  return html`<h3>${line ?? heading}${ADDED.has(described.change.action) ? NOTHING : also}</h3>
    <small>${by}</small>
    ${isWhole ? NOTHING : changeDetails(changed)}`
}

/** The page itself shows what was added. */
const ADDED: ReadonlySet<string> = new Set(['connection.add', 'connections.add'])

/** Undefined for changes whose title is shown. */
function lineOf({ change, task, changed }: DescribedChange, today: string): Html | undefined {
  const [before, after] = [recordedIn(change.before), recordedIn(change.after)]
  if (change.action === 'follow_up.complete' && task !== undefined)
    return html`Completed: <b><bdi>${task}</bdi></b>`
  if (change.action === 'follow_up.set' && change.before === null) return planned(after)
  const [was = {}, is = {}] = [before.connections?.[0], after.connections?.[0]]
  if (change.action === 'cadence.set' && changed.values.every(({ field }) => field === 'cadence'))
    return html`${t('Cadence')}:
    ${becomes(recordedCadenceText(was), recordedCadenceText(is) ?? t('No cadence'))}`
  if (change.action === 'connections.tag') {
    const tags = tagsBetween(was, is)
    return tags.length === 0 ? undefined : html`${t('Tags')}: ${joinHtml(tags, ', ')}`
  }
  return undefined

  /** `Follow-up: Send the deck, in 6 days` */
  function planned({ text, due_on: day }: Recorded): Html | undefined {
    return typeof text === 'string' && typeof day === 'string'
      ? html`Follow-up: <b><bdi>${text}</bdi></b
          >, ${nearDay(day, today)}`
      : undefined
  }
}

/** Empty for a person who had the tags that a change of several people added. */
function tagsBetween({ tags: was }: Recorded, { tags: is }: Recorded): Html[] {
  const [before, after] = [was, is].map((tags) => (Array.isArray(tags) ? tags.map(String) : []))
  const added = (after ?? []).filter((tag) => !before?.includes(tag))
  const removed = (before ?? []).filter((tag) => !after?.includes(tag))
  return [
    ...added.map((tag) => html`<b>+ <bdi>${tag}</bdi></b>`),
    ...removed.map((tag) => html`<s><bdi>${tag}</bdi></s>`),
  ]
}

/** More values, or longer ones, are in a table that is closed at first. */
const MAX_VALUES = 3
const MAX_LENGTH = 120

/** `Company: Verdant Foods · Title: Founder → CTO`, for the fields of a person. */
function valueLine({ change, changed: { values: all, more } }: DescribedChange): Html | undefined {
  if (!/^connections?\.update$/.test(change.action)) return undefined
  const isWork = all.some(({ field }) => field === 'company' || field === 'title')
  // A new company or title also ends a position.
  const values = all.filter(({ field }) => !isWork || field !== 'organizations')
  const isShort = more === 0 && values.length > 0 && values.length <= MAX_VALUES
  return isShort && values.every(isShortValue)
    ? joinHtml(
        values.map(
          ({ label, before, after }) => html`<bdi>${label}</bdi>: ${becomes(before, after)}`,
        ),
        ' · ',
      )
    : undefined
}

function isShortValue({ before = '', after = '' }: ChangedValue): boolean {
  return before.length + after.length <= MAX_LENGTH && !`${before}${after}`.includes('\n')
}

/** `Founder → CTO` */
function becomes(before: string | undefined, after: string | undefined): Html {
  const was = before === undefined ? NOTHING : html`<s><bdi>${before}</bdi></s>`
  const is = after === undefined ? NOTHING : html`<b><bdi>${after}</bdi></b>`
  return before === undefined || after === undefined ? html`${was}${is}` : html`${was} → ${is}`
}
