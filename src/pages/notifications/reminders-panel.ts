/** When the member is reminded: the summary by email, and what devices and summaries announce. */

import { weekdayName } from '../../dates/format-date.ts'
import { phrase, t } from '../../languages/message.ts'
import { nextSummaryAt } from '../../reminders/summary-time.ts'
import {
  EMAIL_FREQUENCIES,
  type EmailFrequency,
  type ReminderSettings,
} from '../../reminders/reminder-settings.ts'
import { checkBox, hiddenField, selectField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { ACCOUNT_PATH, REMINDERS_PATH } from '../../html/site-map.ts'
import { panel } from '../../ui/sections.ts'
import type { Times } from '../../ui/time.ts'

export interface ReminderState {
  readonly settings: ReminderSettings
  /** Null if this server sends no email. */
  readonly email: { readonly address: string | null; readonly sentAt: number | null } | null
}

const FREQUENCY_LABELS: Readonly<Record<EmailFrequency, string>> = {
  daily: phrase('Every day'),
  weekly: phrase('Once a week'),
  off: phrase('Never'),
}

const MEETING_CHOICES = ['', '10', '30', '60'] as const
const AGENT_CHOICES = ['', '20', '100', '500'] as const
const BIRTHDAY_CHOICES = [0, 1, 2, 3, 7, 14] as const

export function remindersPanel(state: ReminderState, times: Times): Html {
  const { settings } = state
  const hours = Array.from({ length: 24 }, (_, hour) => String(hour * 60))
  const body = html`${emailState(state, times)}
    <form method="post" action="${REMINDERS_PATH}" data-save>
      ${emailFields(state)}
      ${selectField({
        name: 'minute',
        label: t('Time'),
        hint: t('In the time zone {zone}, which your browser reports.', { zone: times.timeZone }),
        value: String(settings.minute),
        options: hours.map((value) => ({ value, label: clockText(Number(value)) })),
      })}
      ${announcementFields(settings)}
      ${checkBox('initials_only', t('Show initials instead of names outside of Weft'), settings.initialsOnly)}
      <div class="actions"><button class="unscripted">Save</button></div>
    </form>`
  return panel('reminders', t('Reminders'), body)
}

/** Without a mail server, they keep what was chosen. */
function emailFields({ settings, email }: ReminderState): Html {
  if (email === null)
    return html`${hiddenField('email', settings.email)}
    ${hiddenField('weekday', String(settings.weekday))}`
  return html`${selectField({
      name: 'email',
      label: t('Summary by email'),
      value: settings.email,
      options: EMAIL_FREQUENCIES.map((value) => ({ value, label: t(FREQUENCY_LABELS[value]) })),
    })}
    <div class="if-weekly">
      ${selectField({
        name: 'weekday',
        label: t('Day of a weekly email'),
        value: String(settings.weekday),
        options: [1, 2, 3, 4, 5, 6, 7].map((day) => ({
          value: String(day),
          label: weekdayName(day % 7),
        })),
      })}
    </div>`
}

function announcementFields(settings: ReminderSettings): Html {
  return html`${selectField({
    name: 'birthday_days',
    label: t('Announce birthdays'),
    value: String(settings.birthdayDays),
    options: BIRTHDAY_CHOICES.map((days) => ({
      value: String(days),
      label: t('{days, plural, =0 {On the day} one {# day before} other {# days before}}', {
        days,
      }),
    })),
  })}
  ${selectField({
    name: 'meeting_minutes',
    label: t('Announce meetings on devices'),
    value: settings.meetingMinutes === null ? '' : String(settings.meetingMinutes),
    options: MEETING_CHOICES.map((value) => ({
      value,
      label: value === '' ? t('Never') : t('{minutes} minutes before', { minutes: value }),
    })),
  })}
  ${selectField({
    name: 'agent_changes',
    label: t('Announce changes by agents'),
    hint: t('In the summary of the next day.'),
    value: settings.agentChanges === null ? '' : String(settings.agentChanges),
    options: AGENT_CHOICES.map((value) => ({
      value,
      label: value === '' ? t('Never') : t('More than {count} a day', { count: value }),
    })),
  })}`
}

function emailState({ settings, email }: ReminderState, times: Times): Html {
  if (email === null)
    return html`<p class="notice">
      This server sends no email: ask your administrator to set up a mail server. Until then,
      reminders go to your devices, calendar feed and webhooks.
    </p>`
  if (email.address === null)
    return html`<p class="notice warning">
      Your account has no email address. <a href="${ACCOUNT_PATH}">Add one</a> to get summaries.
    </p>`
  if (settings.email === 'off') return NOTHING
  const { minute } = settings
  const next = nextSummaryAt({ timeZone: times.timeZone, minute }, times.now)
  const last =
    email.sentAt === null ? html`Nothing sent yet` : html`Last sent ${times.ago(email.sentAt)}`
  return html`<p><small>${last}. The next check is ${times.moment(next)}.</small></p>`
}

/** `09:05` */
export function clockText(minute: number): string {
  return `${String(Math.floor(minute / 60)).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`
}
