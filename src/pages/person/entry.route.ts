/** `/user/connections/:id/notes/:entry_id`, `…/follow-ups/…` and `…/interactions/…`: edits and deletes an entry. */

import { capitalized } from '../../languages/capitalized.ts'
import { t } from '../../languages/message.ts'
import { CONNECTION_ROUTE, FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import {
  type EntryForm,
  type Typed,
  backPath,
  entryEditForm,
  versionOf,
  type EntryPlace,
  typedIn,
  shownIn,
} from '../../ui/entry-form.ts'
import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
import { ENTRY_FORMS } from './entry-forms.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { html } from '../../html/html.ts'
import { formRoute, type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { formError } from '../../html/form.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import { invalidForm, type InvalidForm } from '../../ui/invalid-form.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import * as Type from '../../base/type.ts'
import { memberPage } from '../../html/member-layout.ts'
import { viewIn } from '../../connections/person/person-view.page.ts'
import { findConnections } from '../../connections/model/connection-store.ts'
import { messagePage } from '../../html/message.page.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'

const Params = Type.Object({ id: Type.Optional(Type.String()), entry_id: Type.String() })

/** Fits the longest note when every character takes twelve bytes in the form encoding (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 256 * 1024

export function entryRoutes(deps: PageDeps): Route[] {
  const forms = ENTRY_FORMS.map((form) => ({
    form,
    path: `${CONNECTION_ROUTE}/${form.kind}/:entry_id`,
  }))
  const alone = { form: FOLLOW_UP_ENTRY, path: `${FOLLOW_UPS_PATH}/:entry_id` }
  const all = [...forms, alone]
  return [
    ...all.flatMap((one) => [showRoute(deps, one), saveRoute(deps, one), deleteRoute(deps, one)]),
    ...all.filter(({ form }) => form === FOLLOW_UP_ENTRY).map((one) => moveRoute(deps, one)),
  ]
}

/** A form, and the path of its entries with a connection or of follow-ups without one. */
interface EntryRoute {
  readonly form: EntryForm
  readonly path: string
}

function placeOf(params: Type.Static<typeof Params>, fields: URLSearchParams): EntryPlace {
  return { id: '', ...params, ...backOf(fields) }
}

function showRoute(deps: PageDeps, { form, path }: EntryRoute): Route {
  return pageRoute(deps, {
    path,
    params: Params,
    handle: ({ params, search, browser, db }) =>
      showEntry(db, form, {
        browser,
        place: placeOf(params, new URLSearchParams(search)),
      }),
  })
}

function saveRoute(deps: PageDeps, { form, path }: EntryRoute): Route {
  return formRoute(deps, {
    path,
    params: Params,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { params, body, browser, db } = request
      const place = placeOf(params, body)
      const typed = typedIn(form, body)
      try {
        const activityId = await changeOnce(request, async (changing) => {
          const { values } = await requireEntry(changing.tx, form, place)
          if (body.get('version') !== versionOf(values)) throw changedMeanwhile(form)
          return form.save({ ...changing, timeZone: browser.timeZone }, params.entry_id, typed)
        })
        return seeOther(changeNoticePath(backPath(place), activityId))
      } catch (error) {
        if ((await findEntry(db, form, place)) === undefined) return missing(form, place)
        const status = hasCode(error, 'conflict') ? 409 : 422
        const invalid = { ...invalidForm(error, form.controls, body), status }
        return showEntry(db, form, { browser, place, invalid })
      }
    },
  })
}

function deleteRoute(deps: PageDeps, { form, path }: EntryRoute): Route {
  return formRoute(deps, {
    path: `${path}/delete`,
    params: Params,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { params, body } = request
      const place = placeOf(params, body)
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

/** Moves a follow-up to another day. A day that is none is shown again in the form that edits it. */
function moveRoute(deps: PageDeps, { form, path }: EntryRoute): Route {
  return formRoute(deps, {
    path: `${path}/move`,
    params: Params,
    async handle(request) {
      const { params, body, browser, db } = request
      const place = placeOf(params, body)
      const due_on = body.get('day') ?? body.get('due_on') ?? ''
      try {
        const activityId = await changeOnce(request, async (changing) => {
          const { values } = await requireEntry(changing.tx, form, place)
          const dated = { ...changing, timeZone: browser.timeZone }
          return form.save(dated, params.entry_id, { ...values, due_on })
        })
        return seeOther(changeNoticePath(backPath(place), activityId))
      } catch (error) {
        const found = await findEntry(db, form, place)
        if (found === undefined) return missing(form, place)
        const invalid = invalidForm(error, form.controls, body)
        const typed = shownIn(form, { ...found.values, due_on })
        return showEntry(db, form, { browser, place, invalid: { ...invalid, typed } })
      }
    },
  })
}

interface EntryRequest {
  readonly browser: SignedInRequest
  readonly place: EntryPlace
  readonly invalid?: InvalidForm
}

async function showEntry(
  db: MemberReader,
  form: EntryForm,
  { browser, place, invalid }: EntryRequest,
): Promise<Answer> {
  const found = await findEntry(db, form, place)
  if (!found) return missing(form, place)
  const { kind, one } = form
  const edit = { form, place, values: found.values, rejected: invalid }
  const title = t('Edit {one}', { one: t(one) })
  return memberPage({
    title: found.name === undefined ? title : `${title}: ${found.name}`,
    ...(found.name !== undefined && {
      heading: html`Edit ${t(one)}: <bdi>${found.name}</bdi>`,
    }),
    browser,
    current: kind === 'follow-ups' ? 'home' : 'connections',
    status: invalid?.status ?? 200,
    body: html`${formError(invalid?.problem)} ${entryEditForm(edit)}`,
  })
}

interface FoundEntry {
  /** Undefined for a follow-up without a connection. */
  readonly name?: string
  readonly values: Typed
}

async function requireEntry(
  reader: MemberReader,
  form: EntryForm,
  place: EntryPlace,
): Promise<FoundEntry> {
  const { people, values } = await form.require(reader, place.entry_id)
  if (place.id === '' && people.length === 0) return { values }
  const connectionId = readConnectionId(place.id) ?? 0
  const [connection] = await findConnections(reader, [connectionId])
  if (people.includes(connectionId) && connection?.deletedAt === null)
    return { name: connection.name, values }
  throw new RequestError(
    'not_found',
    t('{entryId} does not belong to {id}.', { entryId: place.entry_id, id: place.id }),
  )
}

async function findEntry(
  reader: MemberReader,
  form: EntryForm,
  place: EntryPlace,
): Promise<FoundEntry | undefined> {
  try {
    return await requireEntry(reader, form, place)
  } catch (error) {
    if (hasCode(error, 'not_found')) return undefined
    throw error
  }
}

function changedMeanwhile({ one }: EntryForm): RequestError {
  return new RequestError(
    'conflict',
    t(
      'Someone changed this {one} while you were editing. Your changes are not saved yet. Save again to overwrite.',
      { one: t(one) },
    ),
  )
}

function backOf(fields: URLSearchParams): Pick<EntryPlace, 'back' | 'view'> {
  return { back: fields.get('back') ?? '', view: viewIn(fields.get('view') ?? '') }
}

function missing({ one }: EntryForm, place: EntryPlace): Answer {
  const name = t(one)
  return messagePage({
    status: 404,
    title: t('{name} not found', { name: capitalized(name) }),
    text: t('It was deleted, completed or undone since you loaded the page.'),
    hint: t('No changes were made.'),
    action: {
      href: backPath(place),
      label:
        place.id === '' || todayPathIn(place.back) !== undefined
          ? t('Back to follow-ups')
          : t('Back to the person'),
    },
  })
}
