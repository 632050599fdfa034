/** `/user/connections/:id`: one connection, and the forms on its page. */

import * as Type from '../../base/type.ts'
import { checkAll } from '../../base/check-all.ts'
import { requireDay } from '../../contact-files/contact/calendar-day.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { findSplittable, splitConnection } from '../../connections/duplicates/split-connection.ts'
import { deleteConnections } from '../../connections/deletion/deletion.ts'
import { markFollowUpComplete } from '../../connections/follow-ups/complete-follow-up.ts'
import { listFollowUps } from '../../connections/follow-ups/follow-up-list.ts'
import { noteAuthors } from '../../connections/notes/note-authors.ts'
import { listNotes } from '../../connections/notes/notes.ts'
import { updateTags, TagConnectionsInput } from '../../connections/tags/tag-connections.ts'
import {
  FollowUpInput,
  readDueDay,
  setFollowUp,
} from '../../connections/follow-ups/set-follow-up.ts'
import { customFieldsOf } from '../../connections/model/custom-fields.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { tagsOf } from '../../connections/model/tag-store.ts'
import { NoteInput, addNoteToConnection } from '../../connections/notes/add-note.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath, readNoticed } from '../activity/change-notice.ts'
import { changeOnce, type Changing } from '../ui/manual-change.ts'
import { isRequired, readTyped, required } from '../ui/form-input.ts'
import { timesOf } from '../ui/time.ts'
import { detailsPage } from './details.page.ts'
import { MAX_FOLLOW_UPS } from './follow-up-section.ts'
import { readHistory } from './history.ts'
import { missingPage } from './missing.page.ts'
import { NOTES_ON_A_PAGE } from './note-section.ts'
import {
  CONNECTION_ROUTE,
  CONNECTIONS_PATH,
  connectionPath,
  type ConnectionAction,
} from '../../html/site-map.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import { invalidForm, type InvalidForm } from './details-view.ts'
import type { ConnectionDeps } from './connection-deps.ts'

const Params = Type.Object({ id: Type.String() })

/** Fits the longest note when every character takes twelve bytes in the form encoding (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 256 * 1024

export function detailsRoutes(deps: ConnectionDeps): Route[] {
  return [
    showRoute(deps),
    actRoute(deps, {
      act: 'note',
      operationId: 'addNote',
      summary: 'Add a note',
      controls: { text: 'note', on: 'note_on' },
      async change(changing, connection_id, { text = '', on = '' }) {
        // Browsers send line breaks as CRLF.
        const note = { connection_id, text: text.replaceAll('\r\n', '\n').trim(), on }
        await checkAll(
          required('text', text),
          () => readTyped(NoteInput, note),
          () => on === '' || requireDay(on, 'on'),
        )
        return (await addNoteToConnection(changing, readTyped(NoteInput, note))).activityId
      },
    }),
    actRoute(deps, {
      act: 'tags',
      operationId: 'changeTags',
      summary: 'Add or remove a tag',
      controls: { add: 'tag', remove: 'take_off' },
      async change(changing, id, { add = '', remove = '' }) {
        if (add.trim() === '' && remove === '') throw isRequired('add')
        const tags = remove === '' ? { add: [add] } : { remove: [remove] }
        const input = readTyped(TagConnectionsInput, { connection_ids: [id], ...tags })
        return (await updateTags(changing, input)).activityId
      },
    }),
    actRoute(deps, {
      act: 'follow-up',
      operationId: 'planFollowUp',
      summary: 'Plan a follow-up',
      controls: { text: 'follow_up', due_on: 'due_on', recurrence: 'recurrence' },
      async change(changing, connection_id, typed) {
        const text = (typed['text'] ?? '').trim()
        const follow_up = { ...typed, connection_id, text }
        const due_on = typed['due_on'] ?? ''
        await checkAll(
          required('text', text),
          required('due_on', due_on),
          () => readTyped(FollowUpInput, follow_up),
          () => readDueDay(due_on),
        )
        const input = readTyped(FollowUpInput, follow_up)
        return (await setFollowUp(changing, input)).activityId
      },
    }),
    actRoute(deps, {
      act: 'done',
      operationId: 'finishFollowUpOf',
      summary: 'Mark a follow-up as done',
      controls: { id: 'follow_up_id' },
      change: async (changing, _, { id = '' }, timeZone) =>
        (await markFollowUpComplete(changing, id, timeZone)).activityId,
    }),
    actRoute(deps, {
      act: 'split',
      operationId: 'splitConnection',
      summary: 'Split off a person who was merged into the connection',
      controls: {},
      async change({ tx, now, record }, connectionId) {
        return record((await splitConnection(tx, { connectionId }, now)).change)
      },
    }),
    deleteRoute(deps),
  ]
}

function showRoute(deps: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: CONNECTION_ROUTE,
    operationId: 'showConnection',
    summary: 'Show a connection',
    access: 'session',
    params: Params,
    answers: {
      200: { description: 'The page', type: 'text/html' },
      400: { description: 'The cursor is invalid', type: 'text/html' },
      404: { description: 'The member has no such connection', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, search, browser }) {
      return showOne(deps, { browser, id: params.id, search })
    },
  })
}

interface DetailsRequest {
  readonly browser: SignedInRequest
  readonly id: string
  readonly search: string
  readonly invalid?: InvalidForm | undefined
}

async function showOne(
  { database, clock, undoers }: ConnectionDeps,
  { browser, id, search, invalid }: DetailsRequest,
): Promise<Answer> {
  const db = database.member(browser.member.memberId)
  const connection = await findConnection(db, readConnectionId(id) ?? 0)
  if (connection?.deletedAt !== null) return missingPage(db, id)
  const { connectionId } = connection
  const cursor = new URLSearchParams(search).get('notes') ?? undefined
  return detailsPage({
    browser,
    times: timesOf(browser, clock.now()),
    connection,
    fields: await customFieldsOf(db, connection.details),
    publicId: id,
    tags: (await tagsOf(db, [connectionId])).get(connectionId) ?? [],
    followUps: await listFollowUps(db, { status: 'open', connectionId }, MAX_FOLLOW_UPS),
    notes: await listNotes(db, connectionId, NOTES_ON_A_PAGE, cursor),
    notesCursor: cursor,
    authors: await noteAuthors(db, connectionId),
    history: await readHistory(db, connection, undoers),
    splittable: await findSplittable(db, connection, clock.now()),
    noticed: await readNoticed(db, search, undoers),
    invalid,
  })
}

interface FormAct {
  readonly act: ConnectionAction
  readonly operationId: string
  readonly summary: string
  /** The form field of each argument. */
  readonly controls: Readonly<Record<string, string>>
  /** `typed` holds the arguments. Resolves to the activity ID of the change, or to undefined if nothing changed. */
  change(
    changing: Changing,
    publicId: string,
    typed: Readonly<Record<string, string>>,
    timeZone: string,
  ): Promise<number | undefined>
}

function actRoute(deps: ConnectionDeps, form: FormAct): Route {
  const { database } = deps
  const { act, operationId, summary, controls } = form
  return defineRoute({
    method: 'POST',
    path: `${CONNECTION_ROUTE}/${act}`,
    operationId,
    summary,
    access: 'session',
    params: Params,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'The member has no such connection', type: 'text/html' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, body, browser }) {
      if (readConnectionId(id) === undefined)
        return missingPage(database.member(browser.member.memberId), id)
      const sent = Object.entries(controls).map(([name, control]) => [
        name,
        body.get(control) ?? '',
      ])
      const typed = Object.fromEntries(sent) as Record<string, string>
      try {
        const activityId = await changeOnce(
          deps,
          { browser, body, form: connectionPath(id, act) },
          (changing) => form.change(changing, id, typed, browser.timeZone),
        )
        return seeOther(changeNoticePath(connectionPath(id), activityId))
      } catch (error) {
        const invalid = invalidForm(error, controls, body)
        return showOne(deps, { browser, id, search: '', invalid })
      }
    },
  })
}

function deleteRoute(deps: ConnectionDeps): Route {
  const { database } = deps
  return defineRoute({
    method: 'POST',
    path: `${CONNECTION_ROUTE}/delete`,
    operationId: 'deleteConnection',
    summary: 'Delete a connection',
    access: 'session',
    params: Params,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Deleted; redirects to the list, whose notice has an undo button' },
      404: { description: 'The member has no such connection', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, body, browser }) {
      const form = { browser, body, form: connectionPath(id, 'delete') }
      const activityId = await changeOnce(deps, form, async ({ tx, now, record }) => {
        const { change } = await deleteConnections(tx, [id], now)
        return change && record(change)
      })
      return activityId === undefined
        ? missingPage(database.member(browser.member.memberId), id)
        : seeOther(changeNoticePath(CONNECTIONS_PATH, activityId))
    },
  })
}
