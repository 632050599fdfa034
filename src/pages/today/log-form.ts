/** Logs a contact in the row of the person, and goes on with the next one. */

import { t } from '../../languages/message.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { publicFollowUpId } from '../../connections/follow-ups/follow-ups.ts'
import { nextDueAfter, type Reconnect } from '../../connections/cadence/reconnects.ts'
import { formError, formKeyField, hiddenField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { LOG_CONTACT_PATH } from '../../html/site-map.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { weekdayDate } from '../../ui/calendar-date.ts'
import { contactFields } from '../../connections/interactions/interaction-form.page.ts'
import type { ListedFollowUp } from '../../connections/follow-ups/follow-up-list.ts'
import type { MemberReader } from '../../db/database.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** A person on the page who has a button that logs a contact. */
interface Loggable {
  /** Key of the row: the ID of a follow-up or a connection. */
  readonly key: string
  readonly connectionId: number
  readonly name: string
  /** The follow-up that the contact can complete. */
  readonly followUp: string | undefined
}

interface LogRequest extends Omit<TaskPage, 'log'> {
  /** The row whose form is open. */
  readonly key: string | null
  /** People who are not due yet: none of them comes next. */
  readonly later?: readonly Loggable[]
  readonly invalid: InvalidForm | undefined
}

/** The row with the open form. */
interface OpenLog extends Loggable {
  readonly next: Loggable | undefined
  /** When the next contact is due after one today: YYYY-MM-DD; undefined without a cadence. */
  readonly dueOn: string | undefined
  readonly invalid: InvalidForm | undefined
}

/** The people of the rows of a page, in order. */
export function loggable(
  rows: readonly (ListedFollowUp | Pick<Reconnect, 'connection'>)[],
): Loggable[] {
  return rows.flatMap((row) => {
    if ('connection' in row) {
      const { connectionId, name } = row.connection
      return { key: publicConnectionId(connectionId), connectionId, name, followUp: undefined }
    }
    const { followUpId, connectionId, text } = row.followUp
    return connectionId === null || row.name === null
      ? []
      : { key: publicFollowUpId(followUpId), connectionId, name: row.name, followUp: text }
  })
}

/** The form of the row `key`; undefined if the page has no such row. */
export async function openLog(
  db: MemberReader,
  people: readonly Loggable[],
  { key, invalid, later = [], ...page }: LogRequest,
): Promise<TaskPage['log']> {
  const at = people.findIndex((one) => one.key === key)
  const person = people[at] ?? later.find((one) => one.key === key)
  if (!person) return undefined
  // The person's other rows are over with this contact.
  const after = at < 0 ? [] : people.slice(at + 1)
  const next = after.find((one) => one.connectionId !== person.connectionId)
  const dueOn = await nextDueAfter(db, person.connectionId, page.times.today)
  return { key: person.key, form: logForm({ ...person, next, dueOn, invalid }, page) }
}

function logForm(log: OpenLog, { back }: Pick<TaskPage, 'back'>): Html {
  const { invalid, next, followUp, dueOn } = log
  return html`<form
    class="in-place"
    method="post"
    action="${LOG_CONTACT_PATH}"
    aria-label="${t('Log a contact with {name}', { name: log.name })}"
  >
    ${formKeyField()} ${hiddenField('back', back)} ${hiddenField('row', log.key)}
    ${hiddenField('person', publicConnectionId(log.connectionId))}
    ${next ? hiddenField('next', next.key) : NOTHING} ${formError(invalid?.problem)}
    ${contactFields(invalid ?? NOTHING_TYPED, 'opened')}
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
export function shortName(name: string): string {
  const [first = name] = name.split(/\s/, 1)
  const short = first === '' || first.endsWith('.') ? name : first
  return short.length > MAX_SHORT_NAME ? `${short.slice(0, MAX_SHORT_NAME)}…` : short
}
