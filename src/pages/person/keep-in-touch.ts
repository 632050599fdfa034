/** The panel *Keep in touch* of a connection: the last contact, the cadence and when the next contact is due. */

import { t } from '../../languages/message.ts'
import { cadenceText } from '../../connections/cadence/reconnect-reason.ts'
import { CadenceInput, setCadence } from '../../connections/cadence/set-cadence.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { fieldError, fieldState, NOTHING_TYPED, readTyped } from '../../forms/field-errors.ts'
import { formKeyField, formTokenField, selectField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { calendarDate } from '../ui/calendar-date.ts'
import { fact, panel } from '../ui/sections.ts'
import type { Cadence } from '../../connections/last-contact/cadence-days.ts'
import type { ContactTimes } from '../../connections/last-contact/read-contact-times.ts'
import type { EntryChange, Typed } from './entry-forms.ts'
import { actionPath, type PersonView } from './person-view.ts'

const CADENCES: readonly Cadence[] = [
  { every: 1, unit: 'week' },
  { every: 2, unit: 'week' },
  { every: 1, unit: 'month' },
  { every: 2, unit: 'month' },
  { every: 3, unit: 'month' },
  { every: 6, unit: 'month' },
  { every: 12, unit: 'month' },
]

/** `contact` is absent for people who were never contacted and have no cadence. */
export function keepInTouchPanel(view: PersonView, contact: ContactTimes | undefined): Html {
  const { browser, times, invalid } = view
  const { lastContactOn = null, dueOn = null, cadence = null, pausedUntil = null } = contact ?? {}
  const isPaused = pausedUntil !== null && pausedUntil > times.today
  const own = cadence === null ? NONE : valueOf(cadence)
  const rejected = fieldState(invalid ?? NOTHING_TYPED, 'cadence', t('Cadence'))
  const state = { ...rejected, value: rejected.value === '' ? own : rejected.value }
  const isByTag = cadence === null && dueOn !== null
  const facts = [
    fact(t('Last contact'), lastContactOn === null ? t('Never') : calendarDate(lastContactOn)),
    dueOn === null
      ? NOTHING
      : fact(t('Due'), isByTag ? html`${calendarDate(dueOn)} by a tag` : calendarDate(dueOn)),
    isPaused ? fact(t('Paused until'), calendarDate(pausedUntil)) : NOTHING,
    contact?.isMuted === true ? fact(t('Suggestions'), t('Never')) : NOTHING,
  ].filter((one) => one !== NOTHING)
  return panel(
    'cadence-panel',
    t('Keep in touch'),
    html`<dl class="record">${facts}</dl>
      <form class="short" method="post" action="${actionPath(view, 'cadence')}">
        ${formTokenField(browser.formToken)} ${formKeyField()}
        ${selectField({ ...state, options: cadenceOptions(cadence) })}
        <button class="plain">Save<span class="unseen"> cadence</span></button>
        ${isPaused ? resumeButton() : ''}
      </form>`,
  )
}

/** The choices of a cadence, with `own` if it is another one. */
export function cadenceOptions(own: Cadence | null = null) {
  const isListed = own === null || CADENCES.map(valueOf).includes(valueOf(own))
  const known = isListed ? CADENCES : [own, ...CADENCES]
  return [
    { value: NONE, label: t('No cadence') },
    ...known.map((one) => ({ value: valueOf(one), label: cadenceText(one) })),
  ]
}

/** A day in the past ends a pause. */
function resumeButton(): Html {
  return html`<button class="plain" name="paused_until" value="yesterday">End pause</button>`
}

const NONE = 'none'

function valueOf({ every, unit }: Cadence): string {
  return `${every} ${unit}`
}

/** Sets the cadence, the end of a pause, or both. Returns the activity ID; undefined if nothing changed. */
export async function setTypedCadence(
  changing: EntryChange,
  people: readonly string[],
  { cadence = '', paused_until: typedDay = '' }: Typed,
): Promise<number | undefined> {
  checkDay('paused_until', typedDay, changing, 'next-first')()
  const [every = '', unit = ''] = cadence === NONE ? ['0'] : cadence.split(' ')
  if (cadence !== '' && !/^\d{1,4}$/.test(every))
    throw fieldError('cadence', t('is not in the list'))
  const input = readTyped(CadenceInput, {
    every: cadence === '' ? '' : Number(every),
    unit,
    paused_until: readDay(typedDay, changing, 'next-first'),
  })
  const call = { ...changing, caller: { timeZone: changing.timeZone } }
  return (await setCadence(call, { ...input, people: [...people] })).activityId
}
