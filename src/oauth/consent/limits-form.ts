/** The part of a form in which a member limits an agent: on the consent page, and under Agents & tokens. */

import { t } from '../../languages/message.ts'
import { isDay } from '../../dates/calendar-day.ts'
import { dayInZone, endOfDayInZone, canonicalTimeZone } from '../../dates/time-zone.ts'
import { textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { ALLOWED_GROUPS, type AllowedGroup } from '../../tools/allowed-tools.ts'
import type { AgentLimits } from '../../http/caller.ts'

/** The selected options. */
interface LimitsDraft {
  readonly readOnly: boolean
  readonly groups: readonly string[]
  readonly withholdsText: boolean
  /** As typed. */
  readonly credits: string
  /** The last day, YYYY-MM-DD; as typed. */
  readonly until: string
}

/** By field name, whole sentences. */
export type LimitErrors = Partial<Record<'limit_groups' | 'limit_credits' | 'limit_until', string>>

export interface ShownLimits {
  readonly draft: LimitsDraft
  readonly errors: LimitErrors
}

export type ReadLimits =
  | { readonly ok: true; readonly limits: AgentLimits }
  | { readonly ok: false; readonly draft: LimitsDraft; readonly errors: LimitErrors }

export interface Zoned {
  /** As the browser reported it. */
  readonly timeZone: string
  readonly now: number
}

const ACCESS = 'limit_access'
const READ_ONLY = 'read'
const GROUPS = Object.keys(ALLOWED_GROUPS) as AllowedGroup[]

/** More than any allowance. */
const MAX_BUDGET = 1_000_000_000

function draftOf(limits: AgentLimits, timeZone: string): LimitsDraft {
  const { readOnly, groups, withholdsText, monthlyCredits, endsAt } = limits
  return {
    readOnly,
    groups: groups ?? GROUPS,
    withholdsText,
    credits: monthlyCredits === null ? '' : String(monthlyCredits),
    // The access ends at the start of the day after the last day.
    until: endsAt === null ? '' : dayInZone(zoneOf(timeZone), endsAt - 1),
  }
}

/** Whether to open the section: there is a limit or an error. */
export function isWorthShowing({ draft, errors }: ShownLimits): boolean {
  const { readOnly, groups, withholdsText, credits, until } = draft
  return (
    Object.keys(errors).length > 0 ||
    readOnly ||
    groups.length < GROUPS.length ||
    withholdsText ||
    credits !== '' ||
    until !== ''
  )
}

/** Undefined for a form without these fields. */
export function readLimits(form: URLSearchParams, zoned: Zoned): ReadLimits | undefined {
  if (!form.has(ACCESS)) return undefined
  const draft: LimitsDraft = {
    readOnly: form.get(ACCESS) === READ_ONLY,
    groups: GROUPS.filter((group) => form.get(fieldOf(group)) === 'yes'),
    withholdsText: form.get('limit_text') === 'yes',
    credits: (form.get('limit_credits') ?? '').trim(),
    until: (form.get('limit_until') ?? '').trim(),
  }
  const errors = errorsOf(draft, zoned)
  if (Object.keys(errors).length > 0) return { ok: false, draft, errors }
  const { readOnly, groups, withholdsText, credits, until } = draft
  return {
    ok: true,
    limits: {
      readOnly,
      // All groups include those of later versions.
      groups: groups.length === GROUPS.length ? null : groups,
      withholdsText,
      monthlyCredits: credits === '' ? null : Number(credits),
      endsAt: until === '' ? null : endOfDayInZone(zoneOf(zoned.timeZone), until),
    },
  }
}

function errorsOf({ groups, credits, until }: LimitsDraft, { timeZone, now }: Zoned): LimitErrors {
  const isNumber = /^\d{1,10}$/.test(credits) && Number(credits) <= MAX_BUDGET
  const isFuture = isDay(until) && until >= dayInZone(zoneOf(timeZone), now)
  return {
    ...(groups.length === 0 && { limit_groups: t('Choose at least one.') }),
    ...(credits !== '' &&
      !isNumber && { limit_credits: t('Enter a whole number, or leave it empty.') }),
    ...(until !== '' &&
      !isFuture && { limit_until: t('Choose today or a later date, or leave it empty.') }),
  }
}

function zoneOf(timeZone: string): string {
  return canonicalTimeZone(timeZone) ?? 'UTC'
}

/** The values for the form, with their errors if there are any. */
export function shownLimits(limits: ReadLimits, timeZone: string): ShownLimits {
  return limits.ok ? { draft: draftOf(limits.limits, timeZone), errors: {} } : limits
}

/** The fields, without a form around them. */
export function limitFields({ draft, errors }: ShownLimits): Html {
  const { readOnly, groups, withholdsText, credits, until } = draft
  return html`<div class="limits">
    <fieldset>
      <legend>Access</legend>
      ${choice('radio', { name: ACCESS, value: 'all', checked: !readOnly }, t('Read and make changes'))}
      ${choice('radio', { name: ACCESS, value: READ_ONLY, checked: readOnly }, t('Read only'))}
    </fieldset>
    <fieldset>
      <legend>What it may use</legend>
      ${errors.limit_groups === undefined ? NOTHING : html`<p class="error">${errors.limit_groups}</p>`}
      ${GROUPS.map((group) => {
        const box = { name: fieldOf(group), value: 'yes', checked: groups.includes(group) }
        return choice('checkbox', box, t(ALLOWED_GROUPS[group]))
      })}
    </fieldset>
    <fieldset>
      <legend>Protection</legend>
      ${choice(
        'checkbox',
        { name: 'limit_text', value: 'yes', checked: withholdsText },
        t('Hide notes and other free text. They may contain instructions that mislead it.'),
        'long',
      )}
    </fieldset>
    ${textField({
      name: 'limit_credits',
      label: t('Credits per month'),
      value: credits,
      error: errors.limit_credits,
      hint: t('Leave empty for no limit.'),
      autocomplete: 'off',
      inputmode: 'numeric',
    })}
    ${textField({
      name: 'limit_until',
      label: t('Last day'),
      type: 'date',
      value: until,
      error: errors.limit_until,
      hint: t('Leave empty for no end date.'),
      autocomplete: 'off',
    })}
  </div>`
}

interface Choice {
  readonly name: string
  readonly value: string
  readonly checked: boolean
}

function choice(type: 'radio' | 'checkbox', box: Choice, label: string, kind?: 'long'): Html {
  return html`<label ${attributes({ class: kind })}
    ><input ${attributes({ type, ...box })} /> <span>${label}</span></label
  >`
}

function fieldOf(group: AllowedGroup): string {
  return `limit_allow_${group}`
}
