/** `POST /user/connections/bulk`: one change of all selected people, or of everyone that the list finds. */

import { splitDueTime } from '../../dates/time-of-day.ts'
import { t } from '../../languages/message.ts'
import { numberText } from '../../ui/numbers.ts'
import { RequestError } from '../../base/request-error.ts'
import { deleteConnections } from '../../connections/deletion/deletion.ts'
import { planFollowUps } from '../../connections/follow-ups/change-follow-ups.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { publicConnectionId, readConnectionId } from '../../connections/model/connection.ts'
import { readCustomFields } from '../../connections/custom-fields/custom-fields.ts'
import { findListed } from '../../connections/people/find-people.ts'
import { updateTags } from '../../connections/tags/tag-connections.ts'
import {
  connectionExportFile,
  hasNotesByDefault,
  type ExportFormat,
} from '../../exports/connection-export.ts'
import { contactFileAnswer } from '../../exports/export-response.ts'
import { formRoute, type FormRequest } from '../../forms/page-route.ts'
import { messagePage } from '../../html/message.page.ts'
import { BULK_CONNECTIONS_PATH } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import { checkDay, readDay } from '../../forms/date-field.ts'
import { errorsOf } from '../../forms/field-errors.ts'
import {
  INTERACTION_ENTRY,
  logTyped,
} from '../../connections/interactions/interaction-form.page.ts'
import { setTypedCadence } from '../../connections/cadence/cadence-form.page.ts'
import { timesOf } from '../../ui/time.ts'
import { peopleQueryOf } from '../../connections/people/list-query.ts'
import { readListState, type ListState } from '../../connections/people/list-state.ts'
import { mergePage } from './merge.page.ts'
import { typedIn, type EntryChange } from '../../ui/entry-form.ts'
import type { ListDeps } from './list.route.ts'
import type { Route } from '../../http/route.ts'

const MAX_CHANGED = 2000

/** People that are merged into one at a time. */
const MAX_MERGED = 20

export function bulkRoute(deps: ListDeps): Route {
  return formRoute(deps, {
    path: BULK_CONNECTIONS_PATH,
    async handle(request) {
      const state = readListState(request.body.get('state') ?? '')
      const back = listPath(state)
      try {
        const ids = await selectedIds(deps, request, state)
        if (ids.length === 0) throw invalid(t('Select at least one person.'))
        return await act(request, { ids, back })
      } catch (error) {
        if (!(error instanceof RequestError) || error.status >= 500) throw error
        const action = { href: back, label: t('Back to the list') }
        const { status, message: text } = error
        return messagePage({ status, title: t('No changes were made'), text, action })
      }
    },
  })
}

interface Selection {
  readonly ids: readonly number[]
  /** The path of the list. */
  readonly back: string
}

async function act(request: FormRequest, { ids, back }: Selection): Promise<Answer> {
  const { body, db, browser } = request
  const action = body.get('action') ?? ''
  const format = EXPORTS.get(action)
  if (format) return exportFile(request, ids, format)
  if (ids.length > MAX_CHANGED)
    throw invalid(
      t('Select at most {maxChanged} people. Add a filter.', {
        maxChanged: numberText(MAX_CHANGED),
      }),
    )
  if (action === 'merge') {
    assertMergeable(ids)
    const people = await findConnections(db, ids)
    return mergePage({ browser, people, state: body.get('state') ?? '', back })
  }
  const change = CHANGES.get(action)
  if (!change) throw invalid(t('Choose what to do with the selected people.'))
  const publicIds = ids.map(publicConnectionId)
  const activityId = await changeOnce(request, (changing) =>
    change({ ...changing, timeZone: browser.timeZone }, publicIds, body),
  )
  return seeOther(changeNoticePath(back, activityId))
}

type BulkChange = (
  changing: EntryChange,
  ids: readonly string[],
  body: URLSearchParams,
) => Promise<number | undefined>

/** Each is one entry of the activity log. */
const CHANGES: ReadonlyMap<string, BulkChange> = new Map<string, BulkChange>([
  [
    'tag',
    async (changing, ids, body) =>
      updateTags(changing, { connection_ids: [...ids], add: [tagIn(body)] }),
  ],
  [
    'untag',
    async (changing, ids, body) =>
      updateTags(changing, { connection_ids: [...ids], remove: [tagIn(body)] }),
  ],
  [
    'log',
    async (changing, ids, body) => {
      const typed = typedIn(INTERACTION_ENTRY, body)
      assertDay(t('Date'), checkDay('on', typed['on'] ?? '', changing))
      return logTyped(changing, [...ids], typed)
    },
  ],
  [
    'follow-up',
    async (changing, ids, body) =>
      (
        await planFollowUps(changing, ids, {
          text: body.get('follow_up') ?? '',
          ...dueTime(changing, body.get('due_on') ?? ''),
        })
      ).activityId,
  ],
  [
    'cadence',
    async (changing, ids, body) =>
      setTypedCadence(changing, ids, { cadence: body.get('cadence') ?? '' }),
  ],
  [
    'delete',
    async ({ tx, now, record }, ids) => {
      const { change } = await deleteConnections(tx, ids, now)
      return change && record(change)
    },
  ],
])

function tagIn(body: URLSearchParams): string {
  const tag = (body.get('tag') ?? '').trim()
  if (tag === '') throw invalid(t('Tag is required. Type the tag to add or remove.'))
  return tag
}

/** @throws {RequestError} `invalid_request` when it is no date. */
function dueTime(changing: EntryChange, text: string): { due_on: string; time?: string } {
  if (text.trim() === '') throw invalid(t('Due date is required. Type a day.'))
  const due = splitDueTime(text, changing) ?? { due_on: text }
  assertDay(t('Due date'), checkDay('due_on', due.due_on, changing, 'next-first'))
  return { ...due, due_on: readDay(due.due_on, changing, 'next-first') }
}

function assertDay(label: string, check: () => void): void {
  const [problem] = Object.values(errorsOf(check))
  if (problem !== undefined) throw invalid(`${label} ${problem}.`)
}

function assertMergeable(ids: readonly number[]): void {
  if (ids.length < 2 || ids.length > MAX_MERGED)
    throw invalid(
      t('Select 2 to {maxMerged} people who are the same person.', { maxMerged: MAX_MERGED }),
    )
}

/** The people whose boxes are checked; with `all`, everyone that the list finds, except for weaker matches. */
async function selectedIds(
  { embedder }: ListDeps,
  { body, db, browser, now }: FormRequest,
  state: ListState,
): Promise<readonly number[]> {
  if (!body.has('all'))
    return [...new Set(body.getAll('c'))].flatMap((id) => readConnectionId(id) ?? [])
  const fields = await readCustomFields(db)
  const { today, timeZone } = timesOf(browser, now)
  const query = peopleQueryOf(state, { fields, today, now })
  const deps = { embedder, now, timeZone, signal: NEVER }
  const { ids, hits } = await findListed(db, query, deps, EVERYONE)
  return ids.filter((id) => hits.get(id)?.isComplete !== false)
}

/** An export may be of any size. */
const EVERYONE = Number.MAX_SAFE_INTEGER
const NEVER = new AbortController().signal

const EXPORTS: ReadonlyMap<string, ExportFormat> = new Map([
  ['export', 'csv'],
  ['export-vcard', 'vcard'],
])

function exportFile(
  { db, body }: FormRequest,
  connectionIds: readonly number[],
  format: ExportFormat,
): Answer {
  const hasNotes = hasNotesByDefault(format) || body.has('with_notes')
  const selection = { connectionIds, format, hasNotes }
  return contactFileAnswer(selection, connectionExportFile(db, selection))
}

function invalid(message: string): RequestError {
  return new RequestError('invalid_request', message)
}
