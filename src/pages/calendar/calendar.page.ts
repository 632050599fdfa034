/** The page "Calendar": connected calendars, a form for another, the member's addresses, and suggested people. */

import { problemText } from '../../calendar/calendar-error.ts'
import { phrase, t } from '../../languages/message.ts'
import { confirmDialog } from '../../ui/confirm-button.ts'
import { listCalendars, type ListedCalendar } from '../../connections/calendars/calendar-store.ts'
import { readOwnEmails } from '../../connections/calendars/own-emails.ts'
import {
  suggestPeople,
  type SuggestedPerson,
} from '../../connections/calendars/manage-calendars.ts'
import { fieldState, type FieldValues } from '../../forms/field-errors.ts'
import { formError, hiddenField, textArea, textField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  BRIEFING_PATH,
  CALENDAR_PATH,
  DISCONNECT_CALENDAR_PATH,
  NEW_CONNECTION_PATH,
  OWN_EMAILS_PATH,
  SYNC_CALENDAR_PATH,
} from '../../html/site-map.ts'
import { changeNotice } from '../../ui/change-notice.ts'
import { besideExample } from '../../ui/example.ts'
import { countOf, minutesUntil } from '../../ui/numbers.ts'
import { buttonLink, disclosure, itemList, panel } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import type { DescribedChange } from '../activity/described-change.ts'

interface CalendarView {
  readonly fields: FieldValues
  readonly notice?: Html
  readonly noticed?: DescribedChange | undefined
  /** An error about the form as a whole. */
  readonly problem?: string
}

interface CalendarRequest {
  readonly browser: SignedInRequest
  readonly db: MemberDatabase
  readonly now: number
}

export async function showCalendars(
  { browser, db, now }: CalendarRequest,
  view: CalendarView,
): Promise<Answer> {
  const { fields, notice = NOTHING, noticed, problem } = view
  const [calendars, people, ownEmails] = await Promise.all([
    listCalendars(db, now),
    suggestPeople(db, now),
    readOwnEmails(db),
  ])
  const isRejected = problem !== undefined || Object.keys(fields.errors).length > 0
  const times = timesOf(browser, now)
  const settings = html`${connectForm(view, calendars.length > 0)} ${suggestions(people)}
  ${ownEmailsForm(fields, ownEmails)}`
  return memberPage({
    title: t('Calendars'),
    browser,
    current: 'calendar',
    status: isRejected ? 422 : 200,
    ...(calendars.length > 0 && { actions: buttonLink(BRIEFING_PATH, t('Open briefing')) }),
    body: html`${notice} ${changeNotice(noticed, { back: 'calendar', browser })}
    ${calendars.length === 0 ? NOTHING : calendarList(calendars, times)}
    ${calendars.length === 0 ? withExample(settings) : settings}`,
  })
}

function withExample(settings: Html): Html {
  const rows = [
    {
      start: '10:00',
      person: 'Jonas Vogelsang',
      title: t('Coffee at the harbor'),
      text: t('Jonas Vogelsang, last contact 5 weeks ago'),
    },
    {
      start: '14:30',
      person: 'Lucía Etxeberria',
      title: t('Budget for the pilot'),
      text: t('Lucía Etxeberria, no contact yet'),
    },
  ]
  return besideExample(t('On Today, before you meet:'), rows, settings)
}

function calendarList(calendars: readonly ListedCalendar[], times: Times): Html {
  const items = calendars.map((calendar) => calendarItem(calendar, times))
  return panel('calendars', t('Connected calendars'), itemList(items))
}

function calendarItem(calendar: ListedCalendar, times: Times): Html {
  const { calendarId, name, addressHint, interactions, upcoming } = calendar
  return html`<li>
    <div>
      <h3><bdi>${name}</bdi></h3>
      <p class="quiet">${addressHint}</p>
      <p>${countOf(interactions, 'past meeting')}, ${countOf(upcoming, 'upcoming meeting')}</p>
      ${stateOf(calendar, times)}
    </div>
    <div class="actions">
      <form method="post" action="${SYNC_CALENDAR_PATH}">
        <button class="plain" name="calendar_id" value="${calendarId}">
          <span>Sync now<span class="unseen"> ${name}</span></span>
        </button>
      </form>
      ${disconnectButton(calendar)}
    </div>
  </li>`
}

function stateOf({ error, nextSyncAt, syncedAt }: ListedCalendar, times: Times): Html {
  const last = syncedAt === null ? html`never synced` : html`synced ${times.ago(syncedAt)}`
  if (error === null)
    return html`<small>Next sync within ${minutesUntil(nextSyncAt, times.now)}, ${last}</small>`
  const next =
    nextSyncAt === null
      ? html`Syncing has stopped. Fix the problem, then select Sync now.`
      : html`The next attempt is within ${minutesUntil(nextSyncAt, times.now)}.`
  return html`<p class="error">${problemText(error)} ${next}</p>
    <small>${last}</small>`
}

/** Asks whether to keep what the calendar brought. */
function disconnectButton({ calendarId, name, interactions }: ListedCalendar): Html {
  return confirmDialog({
    id: `disconnect-${calendarId}`,
    label: t('Disconnect'),
    name,
    question: html`Disconnect <bdi>${name}</bdi>?`,
    text: html`Weft forgets its address and its upcoming meetings. It brought
    ${countOf(interactions, 'past meeting')}. You can undo deleting them.`,
    action: DISCONNECT_CALENDAR_PATH,
    fields: hiddenField('calendar_id', String(calendarId)),
    decisions: html`<button class="plain" name="interactions" value="keep">Keep meetings</button>
      <button class="danger" name="interactions" value="delete">Delete meetings</button>`,
  })
}

function connectForm(view: Omit<CalendarView, 'notice'>, isAnother: boolean) {
  const { fields, problem } = view
  const form = html`<form method="post" action="${CALENDAR_PATH}">
    ${formError(problem)}
    <p class="quiet">
      Past meetings with your people count as contacts. Private, all-day and large meetings, and
      those that you declined, do not count. Weft reads the calendar every 30 minutes and changes
      nothing in it.
    </p>
    ${waysToAddress()}
    ${textField({
      ...fieldState(fields, 'secret_address', t('Secret address')),
      hint: t('In iCal format (ICS). It is stored encrypted.'),
      inputmode: 'url',
      autocomplete: 'off',
      spellcheck: false,
      required: true,
    })}
    ${textField({
      ...fieldState(fields, 'name', t('Name')),
      hint: t('Optional. Without one, the name of the calendar is used.'),
      maxLength: 100,
      autocomplete: 'off',
    })}
    <button>Connect calendar</button>
  </form>`
  if (!isAnother) return panel('connect', t('Connect a calendar'), form)
  const { secret_address, name } = fields.errors
  const isOpen = [problem, secret_address, name].some((error) => error !== undefined)
  return disclosure(t('Connect another calendar'), form, { isOpen, group: 'calendar' })
}

/** Where each service shows the secret address. */
const SERVICES: readonly (readonly [name: string, steps: string])[] = [
  [
    phrase('Google Calendar'),
    phrase(
      'In Google Calendar, open Settings, select your calendar on the left, and copy “Secret address in iCal format”.',
    ),
  ],
  [
    phrase('Outlook'),
    phrase(
      'In Outlook, open Settings, Calendar, Shared calendars. Under “Publish a calendar”, choose “Can view all details”, publish it, and copy the ICS link.',
    ),
  ],
  [
    phrase('iCloud'),
    phrase(
      'In Calendar on iCloud.com, select the share icon beside your calendar, turn on “Public Calendar”, and copy the link.',
    ),
  ],
  [
    phrase('Nextcloud'),
    phrase(
      'In Nextcloud Calendar, select the share icon beside your calendar, then “Copy subscription link”.',
    ),
  ],
]

function waysToAddress(): Html {
  return html`<div class="ways">
    ${SERVICES.map(
      ([name, steps]) =>
        html`<details name="service">
          <summary>${t(name)}</summary>
          <div><p>${t(steps)}</p></div>
        </details>`,
    )}
  </div>`
}

function ownEmailsForm({ typed, errors }: FieldValues, ownEmails: readonly string[]): Html {
  const error = errors['own_emails']
  const form = html`<form method="post" action="${OWN_EMAILS_PATH}">
    ${textArea({
      name: 'own_emails',
      label: t('Other email addresses'),
      value: typed['own_emails'] ?? ownEmails.join('\n'),
      hint: t(
        'The addresses that your calendars use for you, beside that of your account. One per line.',
      ),
      error: error === undefined ? undefined : t('Not saved: {error}.', { error }),
    })}
    <button class="plain">Save addresses</button>
  </form>`
  const body = html`<p class="quiet">
      Weft knows you by them in the calendar, so that a meeting that you declined does not count.
    </p>
    ${disclosure(t('Edit addresses'), form, { isOpen: error !== undefined, group: 'calendar' })}`
  return panel('addresses', t('Your addresses'), body)
}

function suggestions(people: readonly SuggestedPerson[]): Html {
  if (people.length === 0) return NOTHING
  const items = people.map(({ email, name, meetings }) => {
    const query = new URLSearchParams({ name: name ?? '', email })
    return html`<li>
      <div>
        <h3><bdi>${name ?? email}</bdi></h3>
        <p class="quiet">
          ${name === null ? NOTHING : html`${email}, `}${countOf(meetings, 'meeting')}
        </p>
      </div>
      <div class="actions">
        <a class="button plain" href="${NEW_CONNECTION_PATH}?${query.toString()}">
          <span>Add<span class="unseen"> ${name ?? email}</span></span>
        </a>
      </div>
    </li>`
  })
  return panel('suggestions', t('People you meet who are not in your network'), itemList(items))
}
