/** `/user/connections/:id/notes/:entry_id` and `…/follow-ups/:entry_id`: edits and deletes a note or a follow-up. */

import {
  CONNECTION_ROUTE,
  FOLLOW_UPS_PATH,
  connectionPath,
  entryPath,
} from '../../html/site-map.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { type EntryForm, FOLLOW_UP_ENTRY, NOTE_ENTRY, type Typed } from './entry-forms.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { html } from '../../html/html.ts'
import { formRoute, type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { formKeyField, hiddenField, formError, formTokenField } from '../../html/form.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { invalidForm, type InvalidForm } from '../ui/invalid-form.ts'
import { changeOnce } from '../ui/manual-change.ts'
import * as Type from '../../base/type.ts'
import { memberPage } from '../../html/member-layout.ts'
import { actionPanel } from '../ui/sections.ts'
import { hash } from 'node:crypto'
import { findConnections } from '../../connections/model/connection-store.ts'
import { messagePage } from '../../html/message.page.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'

const Params = Type.Object({ id: Type.String(), entry_id: Type.String() })

/** Fits the longest note when every character takes twelve bytes in the form encoding (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 256 * 1024

export function entryRoutes(deps: PageDeps): Route[] {
  return [NOTE_ENTRY, FOLLOW_UP_ENTRY].flatMap((form) => [
    showRoute(deps, form),
    saveRoute(deps, form),
    deleteRoute(deps, form),
  ])
}

function pathOf({ kind }: EntryForm): string {
  return `${CONNECTION_ROUTE}/${kind}/:entry_id`
}

function showRoute(deps: PageDeps, form: EntryForm): Route {
  return pageRoute(deps, {
    path: pathOf(form),
    params: Params,
    handle: ({ params, search, browser, db }) =>
      showEntry(db, form, {
        browser,
        place: { ...params, ...backOf(new URLSearchParams(search)) },
      }),
  })
}

function saveRoute(deps: PageDeps, form: EntryForm): Route {
  return formRoute(deps, {
    path: pathOf(form),
    params: Params,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { params, body, browser, db } = request
      const place = { ...params, ...backOf(body) }
      const controls = Object.entries(form.controls)
      const typed = Object.fromEntries(
        // Browsers send line breaks as CRLF.
        controls.map(([name, control]) => [
          name,
          (body.get(control) ?? '').replaceAll('\r\n', '\n').trim(),
        ]),
      )
      try {
        const activityId = await changeOnce(request, async (changing) => {
          const { values } = await requireEntry(changing.tx, form, place)
          if (body.get('version') !== versionOf(values)) throw changedMeanwhile(form)
          return form.save(changing, params.entry_id, typed)
        })
        return seeOther(`${changeNoticePath(backPath(place), activityId)}#${params.entry_id}`)
      } catch (error) {
        if ((await findEntry(db, form, place)) === undefined) return missing(form, place)
        const status = hasCode(error, 'conflict') ? 409 : 422
        const invalid = { ...invalidForm(error, form.controls, body), status }
        return showEntry(db, form, { browser, place, invalid })
      }
    },
  })
}

function deleteRoute(deps: PageDeps, form: EntryForm): Route {
  return formRoute(deps, {
    path: `${pathOf(form)}/delete`,
    params: Params,
    async handle(request) {
      const { params, body } = request
      const place = { ...params, ...backOf(body) }
      try {
        const activityId = await changeOnce(request, async (changing) => {
          await requireEntry(changing.tx, form, place)
          return form.remove(changing, params.entry_id)
        })
        return seeOther(changeNoticePath(backPath(place), activityId))
      } catch (error) {
        if (hasCode(error, 'not_found')) return missing(form, place)
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
  const typed = Object.fromEntries(
    Object.entries(form.controls).map(([name, control]) => [control, found.values[name] ?? '']),
  )
  const { kind, one } = form
  const state = html`${formTokenField(browser.formToken)} ${formKeyField()}
  ${hiddenField('back', place.back)} ${hiddenField('notes', place.notes)}`
  const path = entryPath(place.id, kind, place.entry_id)
  return memberPage({
    title: `Edit ${one}`,
    heading: html`Edit ${one}: <bdi>${found.name}</bdi>`,
    browser,
    current: kind === 'notes' ? 'connections' : 'follow-ups',
    status: invalid?.status ?? 200,
    body: html`${formError(invalid?.problem)}
      <form class="panel" method="post" action="${path}" aria-label="Edit ${one}">
        ${state} ${hiddenField('version', versionOf(found.values))}
        ${form.fields(invalid ?? { typed, errors: {} })}
        <div class="actions">
          <button>Save</button>
          <a class="button plain" href="${backPath(place)}">Cancel</a>
        </div>
      </form>
      ${actionPanel(
        'delete',
        'Delete',
        'You can undo this.',
        html`<form method="post" action="${path}/delete">
          ${state}
          <button class="plain danger">Delete ${one}</button>
        </form>`,
      )}`,
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
    if (hasCode(error, 'not_found')) return undefined
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
  return messagePage({
    status: 404,
    title: `${one.charAt(0).toUpperCase()}${one.slice(1)} not found`,
    text: 'It was deleted, completed or undone since you loaded the page.',
    hint: 'No changes were made.',
    action: {
      href: backPath(place),
      label: place.back === 'follow-ups' ? 'Back to follow-ups' : 'Back to the connection',
    },
  })
}
