/** The cadence of a connection: its field and how it is saved. */

import { t } from '../../languages/message.ts'
import { cadenceText } from './reconnect-reason.ts'
import { CadenceInput, setCadence } from './set-cadence.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { fieldError, fieldState, NOTHING_TYPED, readTyped } from '../../forms/field-errors.ts'
import { selectField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import type { Cadence } from '../../dates/cadence.ts'
import type { EntryChange, Typed } from '../../ui/entry-form.ts'
import type { PersonView } from '../person/person-view.page.ts'

const CADENCES: readonly Cadence[] = [
  { every: 1, unit: 'week' },
  { every: 2, unit: 'week' },
  { every: 1, unit: 'month' },
  { every: 2, unit: 'month' },
  { every: 3, unit: 'month' },
  { every: 6, unit: 'month' },
  { every: 12, unit: 'month' },
]

/** The cadence, which a script saves once it is chosen. */
export function cadenceSelect({ invalid }: PersonView, cadence: Cadence | null): Html {
  const rejected = fieldState(invalid ?? NOTHING_TYPED, 'cadence', t('Cadence'))
  const own = cadence === null ? NONE : valueOf(cadence)
  const value = rejected.value === '' ? own : rejected.value
  return html`<div class="chosen" data-save>
    ${selectField({ ...rejected, value, options: cadenceOptions(cadence) })}
  </div>`
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
export function resumeButton(): Html {
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
  const input = readTyped(CadenceInput, {
    ...typedInterval(cadence),
    paused_until: readDay(typedDay, changing, 'next-first'),
  })
  const call = { ...changing, caller: { timeZone: changing.timeZone } }
  return (await setCadence(call, { ...input, people: [...people] })).activityId
}

/** The same for a tag: for the people who have it and no cadence of their own. */
export async function setTypedTagCadence(
  changing: EntryChange,
  { tag = '', cadence = NONE }: Typed,
): Promise<number | undefined> {
  const input = readTyped(CadenceInput, { tag, ...typedInterval(cadence) })
  const call = { ...changing, caller: { timeZone: changing.timeZone } }
  return (await setCadence(call, input)).activityId
}

function typedInterval(cadence: string): { every: number | ''; unit: string } {
  const [every = '', unit = ''] = cadence === NONE ? ['0'] : cadence.split(' ')
  if (cadence !== '' && !/^\d{1,4}$/.test(every))
    throw fieldError('cadence', t('is not in the list'))
  return { every: cadence === '' ? '' : Number(every), unit }
}
