/** `/user/connections/:id/edit`: edits the fields of a connection. */

import * as Type from '../../base/type.ts'
import { checkAll } from '../../base/check-all.ts'
import { RequestError } from '../../base/request-error.ts'
import { editConnection } from '../../connections/editing/update-connection.ts'
import { changeChecks } from '../../connections/editing/edit.ts'
import { requireConnection } from '../../connections/editing/require-connection.ts'
import { changesOfUpdate } from '../../connections/editing/connection-input.ts'
import { readDetailChanges } from '../../connections/editing/detail-input.ts'
import { readCustomFields, type CustomField } from '../../connections/model/custom-fields.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { changeManually, type Changing } from '../ui/manual-change.ts'
import { readTyped, required } from '../ui/form-input.ts'
import { editFormOf, findLive } from './edit-form.ts'
import { pressRowButton } from './form-rows.ts'
import { missingPage } from './missing.page.ts'
import { EditForm, editsOf, errorsInControls, rowChecks } from './person-changes.ts'
import { readDraft, type PersonDraft } from './person-draft.ts'
import { CONNECTION_ROUTE, connectionPath } from '../../html/site-map.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { ConnectionDeps } from './connection-deps.ts'
import type { EditView } from './edit.page.ts'

const Params = Type.Object({ id: Type.String() })
const PATH = `${CONNECTION_ROUTE}/edit`

/** Fits fifty values of every list and a hundred long texts in custom fields, form-encoded. */
export const MAX_PERSON_FORM_BYTES = 4 * 1024 * 1024

export function editRoutes(deps: ConnectionDeps): Route[] {
  return [formRoute(deps), saveRoute(deps)]
}

function formRoute({ database }: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: PATH,
    operationId: 'showConnectionForm',
    summary: 'Show the edit form of a connection',
    access: 'session',
    params: Params,
    answers: {
      200: { description: 'The page', type: 'text/html' },
      404: { description: 'The member has no such connection', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, browser }) {
      const db = database.member(browser.member.memberId)
      const connection = await findLive(db, id)
      return connection ? editFormOf(db, { browser, connection }) : missingPage(db, id)
    },
  })
}

function saveRoute({ database, clock }: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: PATH,
    operationId: 'saveConnection',
    summary: 'Update a connection',
    access: 'session',
    params: Params,
    body: { kind: 'form', maxBytes: MAX_PERSON_FORM_BYTES },
    answers: {
      200: { description: 'A row was added or removed: the form again', type: 'text/html' },
      303: { description: "Saved; redirects to the connection's page" },
      404: { description: 'The member has no such connection', type: 'text/html' },
      409: { description: 'It was changed meanwhile: the form again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the form again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, body, browser }) {
      const db = database.member(browser.member.memberId)
      const fields = await readCustomFields(db)
      const isRowButton = pressRowButton(body)
      const draft = readDraft(body, fields, ['version'])
      const version = draft.texts['version'] ?? ''
      const formAgain = async (view: Partial<EditView>) => {
        const connection = await findLive(db, id)
        if (!connection) return missingPage(db, id)
        return editFormOf(db, { browser, connection, draft, version, ...view })
      }
      if (isRowButton) return formAgain({})
      try {
        const activityId = await changeManually(database, browser.member, clock.now(), (changing) =>
          save(changing, id, { draft, version, fields }),
        )
        return seeOther(changeNoticePath(connectionPath(id), activityId))
      } catch (error) {
        const connection = await findLive(db, id)
        if (!connection) return missingPage(db, id)
        return formAgain(refusalOf(error, draft, fields, connection))
      }
    },
  })
}

interface Sent {
  readonly draft: PersonDraft
  readonly version: string
  readonly fields: readonly CustomField[]
}

/** Checks that the connection is unchanged since the form was loaded, and saves, in one transaction. */
async function save(
  changing: Changing,
  connection_id: string,
  { draft, version, fields }: Sent,
): Promise<number | undefined> {
  const present = await requireConnection(changing.tx, connection_id)
  if (version !== String(present.version)) throw new RequestError('conflict', CHANGED_MEANWHILE)
  const edits: Record<string, unknown> = editsOf(draft, present, fields)
  const { details } = edits
  await checkAll(
    required('name', draft.texts['name'] ?? ''),
    ...rowChecks(draft, present),
    () => readTyped(EditForm, { ...edits, connection_id }),
    ...changeChecks({ ...changesOfUpdate(edits), lists: {} }),
    () => readDetailChanges(changing.tx, details as string[] | undefined, present.details),
  )
  if (Object.keys(edits).length === 0) return undefined
  const input = readTyped(EditForm, { ...edits, connection_id })
  return (await editConnection(changing, input)).activityId
}

/** After a conflict the form gets the stored version, so saving again overwrites. */
function refusalOf(
  error: unknown,
  draft: PersonDraft,
  fields: readonly CustomField[],
  { version }: Connection,
): Partial<EditView> {
  if (error instanceof RequestError && error.code === 'conflict')
    return { version: String(version), problem: error.message, status: 409 }
  return {
    errors: errorsInControls(fieldErrors(error), draft, fields),
    problem: 'Not saved. Fix the errors below.',
    status: 422,
  }
}

const CHANGED_MEANWHILE =
  'Someone changed this connection while you were editing. Your changes are not saved yet. Save again to overwrite.'
