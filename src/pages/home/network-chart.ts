/** Small charts of a network: the people met in each year, and the companies of most. Each bar links to its people. */

import { html, NOTHING, type Html } from '../../html/html.ts'
import { NETWORK_PATH } from '../../html/site-map.ts'
import { barList } from '../ui/charts.ts'
import { listPath } from '../ui/list-path.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

const MAX_COMPANIES = 8

/** Empty if there is nothing to show. */
export function networkChart(years: readonly ValueCount[], companies: readonly ValueCount[]): Html {
  if (years.length + companies.length === 0) return NOTHING
  const met = years.map(({ value, count }) => ({
    label: value,
    count,
    path: listPath({ met: value }),
  }))
  const work = companies
    .slice(0, MAX_COMPANIES)
    .map(({ value, count }) => ({ label: value, count, path: listPath({ company: value }) }))
  return html`${met.length === 0 ? '' : html`<h3>When you met</h3>`} ${barList(met)}
    ${work.length === 0 ? '' : html`<h3>Companies</h3>`} ${barList(work)}
    <p><a href="${NETWORK_PATH}">More charts</a></p>`
}
