/** What the first day shows of a network without people: how to add one, and a picture of the page with invented ones. */

import { t } from '../../languages/message.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { nearDayText, relativeDayText } from '../../dates/format-date.ts'
import { shortReason } from '../../connections/cadence/reconnect-reason.ts'
import { bareField } from '../../html/form.ts'
import { face } from '../../html/face.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { NEW_CONNECTION_PATH, TOUR_PATH } from '../../html/site-map.ts'
import { shortName } from './log-form.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'

export function beginWithOne(): Html {
  const name = bareField({
    name: 'name',
    label: t('Name'),
    placeholder: t('Someone you met lately'),
    maxLength: MAX_TEXT_LENGTH,
    autocomplete: 'off',
    required: true,
  })
  return html`<section aria-labelledby="one">
    <h2 id="one">Or begin with one person</h2>
    <form class="short" action="${NEW_CONNECTION_PATH}">
      ${name}
      <button class="plain">Add person</button>
    </form>
  </section>`
}

/** `hasTour`: whether there is a demo account to look at. `today`: YYYY-MM-DD. */
export function aheadSection(hasTour: boolean, today: string): Html {
  const tour = html`<a class="button plain" href="${TOUR_PATH}">See it with invented people</a>`
  return html`<section class="ahead" aria-labelledby="ahead">
    <div class="over">
      <h2 id="ahead">What this page then shows you</h2>
      ${hasTour ? tour : NOTHING}
    </div>
    <p class="unseen">
      The meetings of the day, what you promised, who to get in touch with, and whose birthday it
      is.
    </p>
    <div class="preview parts" aria-hidden="true">
      <div>${meeting(today)} ${followUps()} ${reconnects(today)}</div>
      <div>${birthdays(today)} ${kept()}</div>
    </div>
  </section>`
}

const [MAREIKE, LUCÍA, ROBIN, JONAS, GRACE, EDITH] = [
  'Mareike Dombrowski',
  'Lucía Etxeberria',
  'Robin Gold',
  'Jonas Vogelsang',
  'Grace Moore',
  'Edith Hart',
] as const

function meeting(today: string): Html {
  const last = relativeDayText(daysLater(today, -35), today)
  return html`<ul class="meetings">
    <li>
      <time>09:30</time>
      <span class="stack">${faceOf(MAREIKE)}</span>
      <div>
        <b>${t('Coffee with {name}', { name: MAREIKE })}</b>
        <small>${html`${MAREIKE}, last contact ${last}`}</small>
      </div>
    </li>
  </ul>`
}

function followUps(): Html {
  const rows = [
    [LUCÍA, t('Send the deck'), lateText(8)],
    [ROBIN, t('Ask about the flat'), t('today')],
  ] as const
  const items = rows.map(
    ([name, text, when], at) =>
      html`<li>
        <span class="tick"></span> <span class="t"><b>${text}</b></span>
        <span class="about">${faceOf(name)} ${name}</span>
        ${whenText(when, at === 0)}
      </li>`,
  )
  return html`<div>
    <b>${t('Follow-ups')}</b>
    <ul class="tasks">
      ${items}
    </ul>
  </div>`
}

function lateText(days: number): string {
  return t('{days, plural, one {# day late} other {# days late}}', { days })
}

function reconnects(today: string): Html {
  const rows = [
    [JONAS, 'Kesselhain Ventures', 1, 600],
    [GRACE, 'Hedgerow Foods', 3, 130],
    [EDITH, 'Harvard', 3, 95],
  ] as const
  const items = rows.map(([name, company, every, days], at) => {
    const cadence = { every, unit: 'month' } as const
    const cause = { cadence, lastContactOn: daysLater(today, -days), tag: null, rhythmDays: null }
    return html`<li class="person-row">
      ${faceOf(name)} <span class="t"><b>${name}</b> <span>${company}</span></span>
      ${whenText(shortReason(cause, today), at === 0)}
    </li>`
  })
  return html`<div>
    <b>${t('Get in touch')}</b>
    <ul class="tasks">
      ${items}
    </ul>
  </div>`
}

function birthdays(today: string): Html {
  const items = [3, 10].map(
    (days, at) =>
      html`<li>
        ${faceOf(at === 0 ? JONAS : MAREIKE)} <span class="t">${at === 0 ? JONAS : MAREIKE}</span>
        <small>${nearDayText(daysLater(today, days), today)}</small>
      </li>`,
  )
  return html`<div>
    <b>${t('Birthdays')}</b>
    <ul class="short-list">
      <li class="festive">
        ${faceOf(GRACE)}
        <span class="t"><b>${GRACE}</b> <small>${t('turns {age} today', { age: 44 })}</small></span>
      </li>
      ${items}
    </ul>
  </div>`
}

function kept(): Html {
  const faces = [GRACE, EDITH, ROBIN].map(
    (name, at) =>
      html`<li class="${at === 0 ? 'due' : ''}">
        <a>${faceOf(name)} <bdi>${shortName(name)}</bdi></a>
      </li>`,
  )
  return html`<div>
    <b>${t('Keeping up')}</b>
    <ul class="kept">
      ${faces}
    </ul>
  </div>`
}

function whenText(text: string, isLate: boolean): Html {
  return html`<small class="when"><span class="${isLate ? 'late' : ''}">${text}</span></small>`
}

function faceOf(name: string): Html {
  return face({ name, photo: null })
}
