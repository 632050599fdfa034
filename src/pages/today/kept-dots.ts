/** How the people with a cadence stand: one dot for each. */

import { t } from '../../languages/message.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import type { KeptCounts } from '../../connections/cadence/kept-people.ts'

/** People who have a dot; of more, the sentence says the numbers. */
const MAX_DOTS = 80

/** Empty without any. */
export function keptDots({ onTime, due, late }: KeptCounts): Html {
  const all = onTime + due + late
  if (all === 0) return NOTHING
  const dots = [
    ...Array.from({ length: onTime }, () => html`<i></i>`),
    ...Array.from({ length: due }, () => html`<i class="due"></i>`),
    ...Array.from({ length: late }, () => html`<i class="over"></i>`),
  ]
  const texts = [
    onTime > 0 && html`${t('{count} on time', { count: onTime })}`,
    due > 0 && html`<a href="${listPath({ due: '0' })}">${t('{count} due', { count: due })}</a>`,
    late > 0 &&
      html`<a class="late" href="${listPath({ due: '0' })}"
        >${t('{count} late', { count: late })}</a
      >`,
  ].filter((text) => text !== false)
  return html`<section aria-labelledby="kept">
    <h2 id="kept">Keeping up</h2>
    ${all > MAX_DOTS ? NOTHING : html`<p class="dots" aria-hidden="true">${dots}</p>`}
    <p><small>${joinHtml(texts, ' · ')}</small></p>
  </section>`
}
