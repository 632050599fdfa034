/** The page "Activity": every change, newest first, by whom, before and after, with the button that takes it back. */

import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-page.ts'
import { countOf } from '../count-of.ts'
import { agoOf } from '../time.ts'
import { changeNotice, undoButton } from './change-notice.ts'
import { ACTIVITY_PATH } from './paths.ts'
import type { Answer } from '../../http/answer.ts'
import type { SignedInVisit } from '../../http/visit.ts'
import type { ChangedValues } from './changed-values.ts'
import type { ToldChange } from './told-change.ts'

export interface ActivityShown {
  readonly visit: SignedInVisit
  readonly now: number
  readonly changes: readonly ToldChange[]
  /** The cursor of the page before this one in time. */
  readonly older: string | undefined
  /** Whether it begins with the newest change. */
  readonly isNewest: boolean
  /** What was done just now. */
  readonly noticed: ToldChange | undefined
}

export function activityPage({ visit, now, changes, noticed, ...pages }: ActivityShown): Answer {
  const { member, formToken } = visit
  const items = changes.map((told) => item(told, formToken, now))
  const notice = noticed ? changeNotice({ told: noticed, back: 'activity', formToken }) : ''
  return memberPage({
    title: 'Activity',
    member,
    current: 'activity',
    formToken,
    body: html`!${notice}
      <section class="panel" aria-label="Changes">
        !${
          items.length === 0
            ? NONE
            : html`<ul class="items">
                !${items}
              </ul>`
        }
      </section>
      !${pageLinks(pages)}
      <p class="quiet">
        Reading is not listed, only what changed something: by an agent, under its name, or by hand.
        Undoing is free, and can be undone.
      </p>`,
  })
}

const NONE = html`<p class="empty">
  Nothing has been changed yet. What you or your agents change in your network or your profile is
  listed here, and can be undone.
</p>`

function item(told: ToldChange, formToken: string, now: number): string {
  const { actor, at, undoneBy } = told.change
  return html`<li>
    <div>
      <h2>
        !${told.title} !${undoneBy === undefined ? '' : html`<span class="badge">undone</span>`}
      </h2>
      <small>By <bdi>${actor}</bdi> · !${agoOf(at, now)}</small>
      !${details(told.changed)}
    </div>
    !${undoButton({ told, back: 'activity', formToken })}
  </li>`
}

/** A column in which nothing would stand is left out, as before what was added. */
function details({ values, more }: ChangedValues): string {
  const columns = COLUMNS.filter(({ field }) => values.some((value) => value[field] !== undefined))
  if (values.length === 0) return ''
  const head = columns.map(({ title }) => html`<th scope="col">${title}</th>`)
  const rows = values.map((value) => {
    const cells = columns.map(({ field }) => html`<td>!${valueOf(value[field])}</td>`)
    return html`<tr>
      !${cells}
    </tr>`
  })
  return html`<details>
    <summary><small>Details</small></summary>
    <table class="values">
      <thead>
        <tr>
          !${head}
        </tr>
      </thead>
      <tbody>
        !${rows}
      </tbody>
    </table>
    !${more === 0 ? '' : html`<small>And ${countOf(more, 'value')} more.</small>`}
  </details>`
}

const COLUMNS = [
  { field: 'whose', title: 'Whose' },
  { field: 'label', title: 'What' },
  { field: 'before', title: 'Before' },
  { field: 'after', title: 'After' },
] as const

function valueOf(text: string | undefined): string {
  return text === undefined ? html`<span class="quiet">nothing</span>` : html`<bdi>${text}</bdi>`
}

function pageLinks({ older, isNewest }: Pick<ActivityShown, 'older' | 'isNewest'>): string {
  if (older === undefined && isNewest) return ''
  const newest = isNewest ? '' : html`<a class="button plain" href="${ACTIVITY_PATH}">Newest</a>`
  const next = older === undefined ? '' : olderLink(older)
  return html`<div class="actions">!${newest} !${next}</div>`
}

function olderLink(cursor: string): string {
  const path = `${ACTIVITY_PATH}?cursor=${encodeURIComponent(cursor)}`
  return html`<a class="button plain" rel="next" href="${path}">Older</a>`
}
