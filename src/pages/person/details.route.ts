/** `/user/connections/:id`: one connection, and the forms on its page. */

import { t } from '../../languages/message.ts'
import { CONNECTION_ROUTE, CONNECTIONS_PATH, type ConnectionAction } from '../../html/site-map.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { updatePeople } from '../../connections/people/update-people.ts'
import { checkAll } from '../../base/check-all.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'
import { seeOther } from '../../http/response.ts'
import { formRoute, pageRoute } from '../../forms/page-route.ts'
import { saveField } from './field-edit.ts'
import { setTypedCadence } from '../../connections/cadence/cadence-form.page.ts'
import { ENTRY_FORMS } from './entry-forms.ts'
import { typedIn, type EntryChange, type Typed } from '../../ui/entry-form.ts'
import { updateTags, TagConnectionsInput } from '../../connections/tags/tag-connections.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import { invalidForm } from '../../ui/invalid-form.ts'
import { deleteConnections } from '../../connections/deletion/deletion.ts'
import { readTyped, fieldError, required } from '../../forms/field-errors.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import { missingPage } from './missing.page.ts'
import * as Type from '../../base/type.ts'
import { viewIn, viewPath } from '../../connections/person/person-view.page.ts'
import { showDetails, type DetailsDeps } from './details.page.ts'
import { splitConnection } from '../../connections/duplicates/split-connection.ts'
import { completeFollowUp } from '../../connections/follow-ups/change-follow-ups.ts'
import type { Route } from '../../http/route.ts'

const Params = Type.Object({ id: Type.String() })

/** Fits the longest note when every character takes twelve bytes in the form encoding (`%F0%9F%98%80`). */
const MAX_FORM_BYTES = 256 * 1024

export function detailsRoutes(deps: DetailsDeps): Route[] {
  const show = pageRoute(deps, {
    path: CONNECTION_ROUTE,
    params: Params,
    handle: (request) => showDetails(deps, request),
  })
  return [show, ...FORMS.map((form) => actRoute(deps, form)), deleteRoute(deps)]
}

interface FormAct {
  readonly act: ConnectionAction
  /** The form field of each argument. */
  readonly controls: Readonly<Record<string, string>>
  /** `typed` holds the arguments. Resolves to the activity ID of the change, or to undefined if nothing changed. */
  readonly change: (
    changing: EntryChange,
    publicId: string,
    typed: Typed,
  ) => Promise<number | undefined>
}

const text = Type.String({ maxLength: MAX_TEXT_LENGTH })
const RelationInput = Type.Object({ name: text, relation: text })

const FORMS: readonly FormAct[] = [
  ...ENTRY_FORMS.map(({ act, controls, addControls, add }) => ({
    act,
    controls: { ...controls, ...addControls },
    change: add,
  })),
  {
    act: 'cadence',
    controls: { cadence: 'cadence', paused_until: 'paused_until' },
    change: (changing, id, typed) => setTypedCadence(changing, [id], typed),
  },
  {
    act: 'tags',
    controls: { add: 'tag', remove: 'take_off' },
    async change(changing, id, { add = '', remove = '' }) {
      if (add === '' && remove === '') throw fieldError('add', t('is required'))
      // Typing a tag of the person again changes its spelling.
      const tags = remove === '' ? { add: [add], remove: [add] } : { remove: [remove] }
      const input = readTyped(TagConnectionsInput, { connection_ids: [id], ...tags })
      return updateTags(changing, input)
    },
  },
  {
    act: 'relation',
    controls: { name: 'related', relation: 'relation', create: 'create' },
    async change(changing, id, { name = '', relation = '', create = '' }) {
      await checkAll(required('name', name), () => readTyped(RelationInput, { name, relation }))
      const added = { name, ...(relation !== '' && { relation }), create: create !== '' }
      const details = [`relations=${JSON.stringify([added])}`]
      return (await updatePeople(changing, { people: [id], details })).activityId
    },
  },
  {
    act: 'done',
    controls: { id: 'follow_up_id' },
    change: (changing, _, { id = '' }) => completeFollowUp(changing, id, changing.timeZone),
  },
  {
    act: 'field',
    controls: { field: 'field', text: 'field_value', was: 'was' },
    change: saveField,
  },
  {
    act: 'split',
    controls: {},
    async change({ tx, now, record }, connectionId) {
      return record((await splitConnection(tx, { connectionId }, now)).change)
    },
  },
]

function actRoute(deps: DetailsDeps, { act, controls, change }: FormAct): Route {
  return formRoute(deps, {
    path: `${CONNECTION_ROUTE}/${act}`,
    params: Params,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { params, body, browser, db, search } = request
      const { id } = params
      const view = viewIn(search)
      if (readConnectionId(id) === undefined) return missingPage(db, id)
      const typed = typedIn({ controls }, body)
      try {
        const activityId = await changeOnce(request, (changing) =>
          change({ ...changing, timeZone: browser.timeZone }, id, typed),
        )
        const page =
          todayPathIn(body.get('back')) ?? viewPath({ publicId: id, view }) + placeOf(act, body)
        return seeOther(changeNoticePath(page, activityId))
      } catch (error) {
        const invalid = invalidForm(error, controls, body)
        return showDetails(deps, { ...request, search: editedView(view, act, body) }, invalid)
      }
    },
  })
}

/** A field that was rejected stays open. */
function editedView(view: string, act: ConnectionAction, body: URLSearchParams): string {
  if (act !== 'field') return view
  const query = new URLSearchParams(view)
  query.set('edit', body.get('field') ?? '')
  return query.toString()
}

/** Where the page stays: at the part that was changed. What is added is at the top, with the heading in sight. */
function placeOf(act: ConnectionAction, body: URLSearchParams): string {
  if (act === 'field') return `#${encodeURIComponent(body.get('field') ?? '')}`
  return PLACES[act] ?? ''
}

const PLACES: Readonly<Partial<Record<ConnectionAction, string>>> = {
  tags: '#tags',
  done: '#follow-ups',
}

/** Redirects to the list, whose notice has an undo button. */
function deleteRoute(deps: DetailsDeps): Route {
  return formRoute(deps, {
    path: `${CONNECTION_ROUTE}/delete`,
    params: Params,
    async handle(request) {
      const { id } = request.params
      const activityId = await changeOnce(request, async ({ tx, now, record }) => {
        const { change } = await deleteConnections(tx, [id], now)
        return change && record(change)
      })
      return activityId === undefined
        ? missingPage(request.db, id)
        : seeOther(changeNoticePath(CONNECTIONS_PATH, activityId))
    },
  })
}
