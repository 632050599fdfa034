/** The seven days above the page *Today*, and the list of all follow-ups. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { dayCount, daysLater } from '../../dates/calendar-day.ts'
import { dateFormatter } from '../../dates/format-date.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { FOLLOW_UPS_PATH, todayPath } from '../../html/site-map.ts'
import { weekdayDateText } from '../../dates/format-date.ts'
import type { Times } from '../../ui/time.ts'

const SHOWN_DAYS = 7
/** Days before today in the first view. */
const DAYS_BEFORE = 2

/** The shown days. They stay while the member opens one of them. */
export function shownDays(day: string, times: Times) {
  const first = daysLater(times.today, -DAYS_BEFORE)
  const weeks = Math.floor((dayCount(day) - dayCount(first)) / SHOWN_DAYS)
  return { ...times, from: daysLater(first, weeks * SHOWN_DAYS), length: SHOWN_DAYS }
}

interface DaySwitch {
  readonly days: readonly { readonly day: string; readonly count: number }[]
  /** Undefined on the list of all follow-ups. */
  readonly current: string | undefined
  readonly today: string
}

export function daySwitch({ days, current, today }: DaySwitch): Html {
  const first = days[0]?.day ?? today
  const links = days.map(
    ({ day, count }) =>
      html`<a
        href="${todayPath(day, today)}"
        title="${weekdayDateText(day)}"
        ${attributes({ 'aria-current': day === current && 'date' })}
      >
        <span>${WEEKDAY().format(Date.parse(day))}</span> <b>${Number(day.slice(8))}</b>
        <i aria-hidden="true">${'•'.repeat(Math.min(count, MAX_DOTS))}</i>
        ${count > 0 && html`<span class="unseen">: ${entries(count)}</span>`}
      </a>`,
  )
  const isList = current === undefined
  return html`<nav class="days" aria-label="Days">
    ${step('left', todayPath(daysLater(first, -SHOWN_DAYS), today), t('Week before'))} ${links}
    ${step('right', todayPath(daysLater(first, SHOWN_DAYS), today), t('Week after'))}
    ${step('list', FOLLOW_UPS_PATH, t('All follow-ups'), isList)}
  </nav>`
}

function entries(count: number): string {
  return t('{count, plural, one {# entry} other {# entries}}', { count })
}

function step(sign: 'left' | 'right' | 'list', path: string, label: string, isCurrent = false) {
  const current = { 'aria-current': isCurrent && 'page' }
  return html`<a class="step" href="${path}" title="${label}" ${attributes(current)}
    >${icon(sign)}<span class="unseen">${label}</span></a
  >`
}

const MAX_DOTS = 3

const WEEKDAY = perLanguage(() => dateFormatter({ weekday: 'short', timeZone: 'UTC' }))
