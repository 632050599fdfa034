/** Logs a contact in the row of the person, and goes on with the next one. */

import { t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { nextDueAfter, type Reconnect } from '../../connections/cadence/reconnects.ts'
import { formError, formKeyField, formTokenField, hiddenField } from '../../html/form.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { LOG_CONTACT_PATH } from '../../html/site-map.ts'
import { NOTHING_TYPED, fieldState, type FieldValues } from '../../forms/field-errors.ts'
import { weekdayDate } from '../../ui/calendar-date.ts'
import { INTERACTION_LABELS } from '../../connections/interactions/interaction-labels.page.ts'
import { withQuery } from './with-query.ts'
import type { ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import type { InteractionKind } from '../../connections/interactions/interaction-store.ts'
import type { MemberReader } from '../../db/database.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { Loggable, OpenLog, TaskPage } from './task-page.ts'

/** The people of the rows of a page, in order. */
export function loggable(
  followUps: readonly ListedFollowUp[],
  reconnects: readonly Reconnect[] = [],
): Loggable[] {
  return [
    ...followUps.flatMap(({ followUp: { followUpId, connectionId, text }, name }) =>
      connectionId === null || name === null
        ? []
        : { key: publicFollowUpId(followUpId), connectionId, name, followUp: text },
    ),
    ...reconnects.map(({ connection: { connectionId, name } }) => ({
      key: publicConnectionId(connectionId),
      connectionId,
      name,
      followUp: undefined,
    })),
  ]
}

/** The form of the row `key`; undefined if the page has no such row. */
export async function openLog(
  db: MemberReader,
  people: readonly Loggable[],
  { key, today, invalid }: { key: string | null; today: string; invalid: InvalidForm | undefined },
): Promise<OpenLog | undefined> {
  const at = people.findIndex((one) => one.key === key)
  const person = people[at]
  if (!person) return undefined
  // The person's other rows are over with this contact.
  const next = people.slice(at + 1).find((one) => one.connectionId !== person.connectionId)
  return { ...person, next, dueOn: await nextDueAfter(db, person.connectionId, today), invalid }
}

export function logLink(key: string, name: string, back: string): Html {
  return html`<a class="button plain act" href="${withQuery(back, { log: key })}" data-key="c"
    >${icon('edit')}<span>Log<span class="unseen"> a contact with ${name}</span></span
    ><kbd aria-hidden="true">c</kbd></a
  >`
}

export function logForm(log: OpenLog, { browser, back }: Pick<TaskPage, 'browser' | 'back'>): Html {
  const { invalid, next, followUp, dueOn } = log
  const state: FieldValues = invalid ?? NOTHING_TYPED
  const kind = state.typed['contact_kind'] ?? 'call'
  const on = fieldState(state, 'contact_on', t('Date'))
  const text = fieldState(state, 'contact_text', t('Text'))
  const kinds = KINDS.map(
    ([value, label]) =>
      html`<label
        ><input
          type="radio"
          name="contact_kind"
          ${attributes({ value, checked: value === kind })}
        />${t(label)}</label
      >`,
  )
  return html`<form
    method="post"
    action="${LOG_CONTACT_PATH}"
    aria-label="${t('Log a contact with {name}', { name: log.name })}"
  >
    ${formTokenField(browser.formToken)} ${formKeyField()} ${hiddenField('back', back)}
    ${hiddenField('row', log.key)} ${hiddenField('person', publicConnectionId(log.connectionId))}
    ${next ? hiddenField('next', next.key) : NOTHING} ${formError(invalid?.problem)}
    <div class="bar">
      <fieldset class="seg">
        <legend class="unseen">Kind</legend>
        ${kinds}
      </fieldset>
      <input
        name="contact_on"
        aria-label="${t('Date')}"
        ${attributes({ value: on.value, 'aria-invalid': on.error && 'true', 'aria-describedby': on.error && 'contact_on-error' })}
        placeholder="${t('Today')}"
        autocomplete="off"
        data-date
      />
    </div>
    ${on.error !== undefined && html`<p class="error" id="contact_on-error">${on.error}</p>`}
    <textarea
      name="contact_text"
      rows="2"
      autofocus
      aria-label="${t('What was said (optional)')}"
      placeholder="${t('What was said (optional)')}"
    >
${text.value}</textarea>
    ${text.error !== undefined && html`<p class="error">${text.error}</p>`}
    <div class="bar">
      <div class="info">
        ${dueOn !== undefined && html`<p>Next contact by ${weekdayDate(dueOn)}.</p>`}
        ${followUp !== undefined && doneBox(followUp)}
      </div>
      <a class="button quiet" href="${back}">Cancel</a>
      <button>
        ${next ? html`<span>Log, then <bdi>${shortName(next.name)}</bdi></span>` : t('Log contact')}
      </button>
    </div>
  </form>`
}

function doneBox(followUp: string): Html {
  return html`<label class="check"
    ><input type="checkbox" name="done" checked /><span>Done: <bdi>${followUp}</bdi></span></label
  >`
}

const MAX_SHORT_NAME = 20

/** The given name, if it is one word without a title before it. */
function shortName(name: string): string {
  const [first = name] = name.split(/\s/, 1)
  const short = first === '' || first.endsWith('.') ? name : first
  return short.length > MAX_SHORT_NAME ? `${short.slice(0, MAX_SHORT_NAME)}…` : short
}

const KINDS: readonly (readonly [InteractionKind, string])[] = (
  ['call', 'meeting', 'message', 'email', 'other'] as const
).map((kind) => [kind, INTERACTION_LABELS[kind]])
