/** The values of a change, behind a summary: the old ones struck through, the new ones beside them. */

import { NOTHING, html, type Html } from '../../html/html.ts'
import { countOf } from '../../ui/numbers.ts'
import type { ChangedValue, ChangedValues } from './changed-values.ts'

/** Closed at first; nothing without values. */
export function changeDetails(changed: ChangedValues): Html {
  if (changed.values.length === 0) return NOTHING
  return html`<details>
    <summary><small>Details</small></summary>
    ${valueList(changed)}
  </details>`
}

/** Nothing without values. At most `most` of them are shown. */
export function valueList({ values, more }: ChangedValues, most = values.length): Html {
  if (values.length === 0) return NOTHING
  const left = more + Math.max(values.length - most, 0)
  return html`<dl class="diff">${values.slice(0, most).map(valueItem)}</dl>
    ${left === 0 ? NOTHING : html`<small>And ${countOf(left, 'value')} more.</small>`}`
}

function valueItem({ whose, label, before, after }: ChangedValue): Html {
  const owner = whose === undefined ? NOTHING : html`<bdi>${whose}</bdi> · `
  const was = before === undefined ? NOTHING : html`<del><bdi>${before}</bdi></del>`
  const is = after === undefined ? NOTHING : html`<ins><bdi>${after}</bdi></ins>`
  const arrow =
    before === undefined || after === undefined
      ? NOTHING
      : html`<span class="unseen">becomes</span>`
  return html`<div>
    <dt>${owner}<bdi>${label}</bdi></dt>
    <dd>${was} ${arrow} ${is}</dd>
  </div>`
}
