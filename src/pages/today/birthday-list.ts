/** Birthdays beside the page *Today*. */

import { nameLink } from '../../connections/person/person-link.page.ts'
import { listSection } from './today-section.ts'
import { t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
import { dateText, nearDayText, weekdayDateText } from '../../dates/format-date.ts'
import { face } from '../../html/face.ts'
import type { CelebratedBirthday } from '../../connections/briefing/day-briefing.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** The shown day, YYYY-MM-DD. */
interface ShownDay extends Pick<TaskPage, 'times'> {
  readonly day: string
}

/** Empty without any. Those of the day come first and stand out. */
export function birthdaySection(
  birthdays: readonly CelebratedBirthday[],
  title: string,
  page: ShownDay,
): Html {
  const items = birthdays.map((one) => birthdayItem(one, page))
  return listSection('birthdays', title, items)
}

function birthdayItem(
  { connection, birthday, on }: CelebratedBirthday,
  { times, day }: ShownDay,
): Html {
  const isOfDay = on === day
  const isToday = isOfDay && day === times.today
  const age = ageOn(birthday, on)
  const link = nameLink(connection)
  const when = html`<small
    ><time datetime="${on}" title="${weekdayDateText(on)}"
      >${
        isOfDay
          ? dayOfText(age, day, times.today)
          : `${dateText(`-${on.slice(4)}`)}${age === undefined ? '' : ` · ${age}`}`
      }</time
    ></small
  >`
  return isToday
    ? html`<li class="festive">${face(connection)}<span class="t">${link} ${when}</span></li>`
    : html`<li>${face(connection)}<span class="t">${link}</span> ${when}</li>`
}

function dayOfText(age: number | undefined, day: string, today: string): string {
  if (day === today) return age === undefined ? t('today') : t('turns {age} today', { age })
  if (age === undefined) return nearDayText(day, today)
  return day < today ? t('turned {age}', { age }) : t('turns {age}', { age })
}

/** Undefined if the year of birth is not known. */
function ageOn(birthday: string, on: string): number | undefined {
  const year = Number(birthday.slice(0, 4))
  const age = Number(on.slice(0, 4)) - year
  return birthday.startsWith('-') || Number.isNaN(year) || age <= 0 ? undefined : age
}
