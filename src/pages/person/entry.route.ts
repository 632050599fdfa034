/** `/user/connections/:id/notes/:entry_id` and `…/follow-ups/:entry_id`: edits and deletes a note or a follow-up. */

import { hash } from 'node:crypto'
import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { errorPage } from '../../html/message.page.ts'
import { CONNECTION_ROUTE, FOLLOW_UPS_PATH, connectionPath } from '../../html/site-map.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { invalidForm, type InvalidForm } from '../connections/details-view.ts'
import { changeOnce } from '../ui/manual-change.ts'
import { FOLLOW_UP_ENTRY, NOTE_ENTRY, type EntryForm, type Typed } from './entry-forms.ts'
import { entryPage, missingEntryPage } from './entry.page.ts'
import type { ConnectionDeps } from '../connections/connection-deps.ts'
import type { MemberReader } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

const Params = Type.Object({ id: Type.String(), entry_id: Type.String() })

/** Fits the longest note when every character takes twelve bytes in the form encoding (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 256 * 1024

export function entryRoutes(deps: ConnectionDeps): Route[] {
  return [NOTE_ENTRY, FOLLOW_UP_ENTRY].flatMap((form) => [
    showRoute(deps, form),
    saveRoute(deps, form),
    deleteRoute(deps, form),
  ])
}

function pathOf({ kind }: EntryForm): string {
  return `${CONNECTION_ROUTE}/${kind}/:entry_id`
}

const NOT_FOUND = { description: 'The member has no such entry', type: 'text/html' }

function showRoute({ database }: ConnectionDeps, form: EntryForm): Route {
  return defineRoute({
    method: 'GET',
    path: pathOf(form),
    operationId: `show${form.operation}Form`,
    summary: `Show the edit form of a ${form.one}`,
    access: 'session',
    params: Params,
    answers: { 200: { description: 'The page', type: 'text/html' }, 404: NOT_FOUND },
    onError: errorPage,
    handle: ({ params, search, browser }) =>
      showEntry(database.member(browser.member.memberId), form, {
        browser,
        place: { ...params, ...backOf(new URLSearchParams(search)) },
      }),
  })
}

function saveRoute(deps: ConnectionDeps, form: EntryForm): Route {
  return defineRoute({
    method: 'POST',
    path: pathOf(form),
    operationId: `save${form.operation}`,
    summary: `Update a ${form.one}`,
    access: 'session',
    params: Params,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Saved; back to its place on the page' },
      404: NOT_FOUND,
      409: { description: 'It was changed meanwhile: the form again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the form again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, body, browser }) {
      const place = { ...params, ...backOf(body) }
      const db = deps.database.member(browser.member.memberId)
      const controls = Object.entries(form.controls)
      const typed = Object.fromEntries(
        // Browsers send line breaks as CRLF.
        controls.map(([name, control]) => [
          name,
          (body.get(control) ?? '').replaceAll('\r\n', '\n').trim(),
        ]),
      )
      try {
        const sent = { browser, body, form: `${params.id} ${params.entry_id}` }
        const activityId = await changeOnce(deps, sent, async (changing) => {
          const { values } = await requireEntry(changing.tx, form, place)
          if (body.get('version') !== versionOf(values)) throw changedMeanwhile(form)
          return form.save(changing, params.entry_id, typed)
        })
        return seeOther(`${changeNoticePath(backPath(place), activityId)}#${params.entry_id}`)
      } catch (error) {
        const isGone = (await findEntry(db, form, place)) === undefined
        if (isGone) return missing(form, place)
        const invalid = invalidForm(error, form.controls, body)
        const status = error instanceof RequestError && error.code === 'conflict' ? 409 : 422
        return showEntry(db, form, { browser, place, invalid: { ...invalid, status } })
      }
    },
  })
}

function deleteRoute(deps: ConnectionDeps, form: EntryForm): Route {
  return defineRoute({
    method: 'POST',
    path: `${pathOf(form)}/delete`,
    operationId: `delete${form.operation}`,
    summary: `Delete a ${form.one}`,
    access: 'session',
    params: Params,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Deleted; back to the page, whose notice has an undo button' },
      404: NOT_FOUND,
    },
    onError: errorPage,
    async handle({ params, body, browser }) {
      const place = { ...params, ...backOf(body) }
      const sent = { browser, body, form: `delete ${params.id} ${params.entry_id}` }
      try {
        const activityId = await changeOnce(deps, sent, async (changing) => {
          await requireEntry(changing.tx, form, place)
          return form.remove(changing, params.entry_id)
        })
        return seeOther(changeNoticePath(backPath(place), activityId))
      } catch (error) {
        if (error instanceof RequestError && error.code === 'not_found') return missing(form, place)
        throw error
      }
    },
  })
}

interface EntryRequest {
  readonly browser: SignedInRequest
  readonly place: Place
  readonly invalid?: InvalidForm
}

async function showEntry(
  db: MemberReader,
  form: EntryForm,
  { browser, place, invalid }: EntryRequest,
): Promise<Answer> {
  const found = await findEntry(db, form, place)
  if (!found) return missing(form, place)
  const stored = Object.fromEntries(
    Object.entries(form.controls).map(([name, control]) => [control, found.values[name] ?? '']),
  )
  return entryPage({
    browser,
    kind: form.kind,
    one: form.one,
    connectionId: place.id,
    name: found.name,
    entryId: place.entry_id,
    version: versionOf(found.values),
    back: place.back,
    notes: place.notes,
    backPath: backPath(place),
    controls: form.fields(invalid ?? { status: 200, typed: stored, errors: {} }),
    invalid,
  })
}

interface FoundEntry {
  /** The name of its connection. */
  readonly name: string
  readonly values: Typed
}

async function requireEntry(
  reader: MemberReader,
  form: EntryForm,
  place: Place,
): Promise<FoundEntry> {
  const { connectionId, values } = await form.require(reader, place.entry_id)
  const [connection] = await findConnections(reader, [connectionId])
  const isHere = publicConnectionId(connectionId) === place.id && connection?.deletedAt === null
  if (isHere) return { name: connection.name, values }
  throw new RequestError('not_found', `${place.entry_id} does not belong to ${place.id}.`)
}

async function findEntry(
  reader: MemberReader,
  form: EntryForm,
  place: Place,
): Promise<FoundEntry | undefined> {
  try {
    return await requireEntry(reader, form, place)
  } catch (error) {
    if (error instanceof RequestError && error.code === 'not_found') return undefined
    throw error
  }
}

/** What was loaded, so that a form does not overwrite a later change. */
function versionOf(values: Typed): string {
  return hash('sha256', JSON.stringify(Object.entries(values)), 'base64url')
}

function changedMeanwhile({ one }: EntryForm): RequestError {
  return new RequestError(
    'conflict',
    `Someone changed this ${one} while you were editing. Your changes are not saved yet. Save again to overwrite.`,
  )
}

/** The entry, and the page that linked to its form. */
interface Place {
  readonly id: string
  readonly entry_id: string
  readonly back: string
  /** The cursor of the page of notes. */
  readonly notes: string
}

function backOf(fields: URLSearchParams): Pick<Place, 'back' | 'notes'> {
  return { back: fields.get('back') ?? '', notes: fields.get('notes') ?? '' }
}

function backPath({ id, back, notes }: Place): string {
  if (back === 'follow-ups') return FOLLOW_UPS_PATH
  return connectionPath(id) + (notes === '' ? '' : `?notes=${encodeURIComponent(notes)}`)
}

function missing({ one }: EntryForm, place: Place): Answer {
  return missingEntryPage(`${one.charAt(0).toUpperCase()}${one.slice(1)} not found`, {
    href: backPath(place),
    label: place.back === 'follow-ups' ? 'Back to follow-ups' : 'Back to the connection',
  })
}
