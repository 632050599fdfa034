/** Small charts of a network: the people met in each year, and the companies of most. Each bar links to its people. */

import { memberStatement } from '../../db/statement.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { listPath } from '../ui/list-path.ts'
import { numberText } from '../ui/numbers.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

const MAX_YEARS = 12
const MAX_COMPANIES = 8

/** The latest years, in order. */
export async function countYears(reader: MemberReader): Promise<ValueCount[]> {
  const rows = await reader.all(YEARS, { limit: MAX_YEARS })
  return rows.map(({ year, count }) => ({ value: year, count })).toReversed()
}

/** Reads the member's connections once. */
const YEARS = memberStatement<{ limit: number }, { year: string; count: number }>()(`
  select substr(connected_on, 1, 4) as year, count(*) as count from connections
  where member_id = :member_id and deleted_at is null and connected_on is not null
  group by substr(connected_on, 1, 4) order by year desc limit :limit`)

/** Empty if there is nothing to show. */
export function networkChart(years: readonly ValueCount[], companies: readonly ValueCount[]): Html {
  const met = bars(years, (year) => listPath({ met: year }))
  const work = bars(companies.slice(0, MAX_COMPANIES), (company) => listPath({ company }))
  if (years.length + companies.length === 0) return NOTHING
  return html`${years.length === 0 ? '' : html`<h3>When you met</h3>`} ${met}
  ${companies.length === 0 ? '' : html`<h3>Companies</h3>`} ${work}`
}

function bars(counts: readonly ValueCount[], pathOf: (value: string) => string): Html {
  if (counts.length === 0) return NOTHING
  const most = Math.max(...counts.map(({ count }) => count))
  const items = counts.map(
    ({ value, count }) =>
      html`<li>
        <a href="${pathOf(value)}"><bdi>${value}</bdi></a>
        <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
          <rect width="${Math.max((count / most) * 100, 1).toFixed(1)}" height="8" rx="1" />
        </svg>
        <span>${numberText(count)}</span>
      </li>`,
  )
  return html`<ul class="bars">
    ${items}
  </ul>`
}
