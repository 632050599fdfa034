/** `/user/connections/:id/edit`: edits the fields of a connection. */

import Type from 'typebox'
import { checkAll } from '../../base/check-all.ts'
import { RequestError } from '../../base/request-error.ts'
import { readConnectionId, type Connection } from '../../connections/model/connection.ts'
import { editConnection, EditInput } from '../../connections/editing/update-connection.ts'
import { changeChecks, requireConnection } from '../../connections/editing/edit.ts'
import { changesOfUpdate } from '../../connections/editing/connection-input.ts'
import { readCustomFields } from '../../connections/model/custom-fields.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { changeManually, type Changing } from '../ui/manual-change.ts'
import { readTyped, required } from '../ui/form-input.ts'
import {
  editDraftOf,
  editsOf,
  errorsInControls,
  readEditDraft,
  type EditDraft,
} from './edit-draft.ts'
import { detailDraftOf, detailEditsOf, detailErrors, readDetailDraft } from './detail-draft.ts'
import { editPage, type EditView } from './edit.page.ts'
import { missingPage } from './missing.page.ts'
import { CONNECTION_ROUTE, connectionPath } from '../../html/site-map.ts'
import type { MemberReader } from '../../db/database.ts'
import type { ConnectionDeps } from './connection-deps.ts'

const Params = Type.Object({ id: Type.String() })
const PATH = `${CONNECTION_ROUTE}/edit`

/** Fits fifty addresses of maximum length and the other fields, form-encoded. */
const MAX_FORM_BYTES = 640 * 1024

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
      if (!connection) return missingPage(db, id)
      const { name } = connection
      const fields = await readCustomFields(db)
      const details = detailDraftOf(connection.details, fields)
      return editPage({
        browser,
        publicId: id,
        name,
        draft: editDraftOf(connection),
        details,
        fields,
      })
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
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: "Saved; redirects to the connection's page" },
      404: { description: 'The member has no such connection', type: 'text/html' },
      409: { description: 'It was changed meanwhile: the form again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the form again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params: { id }, body, browser }) {
      const draft = readEditDraft(body)
      const fields = await readCustomFields(database.member(browser.member.memberId))
      const details = readDetailDraft(body, fields)
      try {
        const activityId = await changeManually(database, browser.member, clock.now(), (changing) =>
          save(changing, id, { draft, details, fields }),
        )
        const path = connectionPath(id)
        return seeOther(activityId === undefined ? path : changeNoticePath(path, activityId))
      } catch (error) {
        const db = database.member(browser.member.memberId)
        const connection = await findLive(db, id)
        if (!connection) return missingPage(db, id)
        const { name, version } = connection
        const refused = refusedDraft(error, draft, version)
        const errors = detailErrors(refused.errors ?? {}, fields)
        return editPage({ browser, publicId: id, name, details, fields, ...refused, errors })
      }
    },
  })
}

async function findLive(reader: MemberReader, publicId: string): Promise<Connection | undefined> {
  const found = await findConnection(reader, readConnectionId(publicId) ?? 0)
  return found?.deletedAt === null ? found : undefined
}

/** Checks that the connection is unchanged since the form was loaded, and saves, in one transaction. */
async function save(
  changing: Changing,
  connection_id: string,
  { draft, details, fields }: Pick<EditView, 'draft' | 'details' | 'fields'>,
): Promise<number | undefined> {
  const present = await requireConnection(changing.tx, connection_id)
  if (draft.version !== String(present.version))
    throw new RequestError('conflict', CHANGED_MEANWHILE)
  const changed = detailEditsOf(details, present.details, fields)
  const edits = { ...editsOf(draft, present), ...(changed && { details: changed }) }
  await checkAll(
    required('name', draft.name),
    () => readTyped(EditInput, { ...edits, connection_id }),
    ...changeChecks(changesOfUpdate(edits)),
  )
  if (Object.keys(edits).length === 0) return undefined
  const input = readTyped(EditInput, { ...edits, connection_id })
  return (await editConnection(changing, input)).activityId
}

/** Keeps the typed values. After a conflict the form gets the stored version, so saving again overwrites. */
function refusedDraft(
  error: unknown,
  draft: EditDraft,
  version: number,
): Pick<EditView, 'draft' | 'errors' | 'problem' | 'status'> {
  if (error instanceof RequestError && error.code === 'conflict')
    return { draft: { ...draft, version: String(version) }, problem: error.message, status: 409 }
  return {
    draft,
    errors: errorsInControls(fieldErrors(error)),
    problem: 'Not saved. Fix the errors below.',
    status: 422,
  }
}

const CHANGED_MEANWHILE =
  'Someone changed this connection while you were editing. Your changes are not saved yet. Save again to overwrite.'
