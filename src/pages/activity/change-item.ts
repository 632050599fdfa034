/** One change in a list: what was done, by whom, when, from what to what, with the button that takes it back. */

import { html } from '../../html/html.ts'
import { countOf } from '../ui/count-of.ts'
import { undoButton, type UndoButton } from './change-notice.ts'
import type { Times } from '../ui/time.ts'
import type { ChangedValues } from './changed-values.ts'

export interface ChangeItem extends UndoButton {
  /** Of the heading. */
  readonly level: 2 | 3
  readonly times: Times
}

export function changeItem({ level, times, ...button }: ChangeItem): string {
  const { told } = button
  const { actor, at, undoneBy } = told.change
  const undone = undoneBy === undefined ? '' : html`<span class="badge">undone</span>`
  const title = html`!${told.title} !${undone}`
  return html`<li>
    <div>
      !${level === 2 ? html`<h2>!${title}</h2>` : html`<h3>!${title}</h3>`}
      <small>By <bdi>${actor}</bdi> · !${times.ago(at)}</small>
      !${details(told.changed)}
    </div>
    !${undoButton(button)}
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
