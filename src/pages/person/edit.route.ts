/** `/user/connections/:id/edit`: edits the fields of a connection. */

import { CONNECTION_ROUTE, connectionPath } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { pressRowButton } from './form-rows.ts'
import { changesOfUpdate } from '../../connections/editing/connection-input.ts'
import { showEditForm, type EditErrors } from './edit.page.ts'
import { formRoute, type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { fieldErrors, readTyped, required } from '../../forms/field-errors.ts'
import { rowChecks, EditForm, editsOf, errorsInControls } from './person-changes.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { findLive } from './details.page.ts'
import { readDraft, type PersonDraft } from './person-draft.ts'
import { editConnection } from '../../connections/editing/update-connection.ts'
import { missingPage } from './missing.page.ts'
import * as Type from '../../base/type.ts'
import { changeChecks } from '../../connections/editing/edit.ts'
import { readDetailChanges } from '../../connections/editing/detail-input.ts'
import { type CustomField, readCustomFields } from '../../connections/model/custom-fields.ts'
import { requireConnection } from '../../connections/editing/require-connection.ts'
import { type Changing, changeManually } from '../ui/manual-change.ts'
import { checkAll } from '../../base/check-all.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { Route } from '../../http/route.ts'

const Params = Type.Object({ id: Type.String() })
const PATH = `${CONNECTION_ROUTE}/edit`

/** Fits fifty values of every list and a hundred long texts in custom fields, form-encoded. */
export const MAX_PERSON_FORM_BYTES = 4 * 1024 * 1024

export function editRoutes(deps: PageDeps): Route[] {
  return [formPageRoute(deps), saveRoute(deps)]
}

function formPageRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: PATH,
    params: Params,
    async handle({ params: { id }, browser, db }) {
      const connection = await findLive(db, id)
      return connection ? showEditForm(db, { browser, connection }) : missingPage(db, id)
    },
  })
}

function saveRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: PATH,
    params: Params,
    maxBytes: MAX_PERSON_FORM_BYTES,
    async handle(request) {
      const { params, body, browser, db } = request
      const { id } = params
      const fields = await readCustomFields(db)
      const isRowButton = pressRowButton(body)
      const draft = readDraft(body, fields, ['version'])
      const version = draft.texts['version'] ?? ''
      const formAgain = async (errorsOf: (stored: Connection) => EditErrors) => {
        const connection = await findLive(db, id)
        if (!connection) return missingPage(db, id)
        return showEditForm(db, { browser, connection, draft, version, ...errorsOf(connection) })
      }
      if (isRowButton) return formAgain(() => ({}))
      try {
        const activityId = await changeManually(request, (changing) =>
          save(changing, id, { draft, version, fields }),
        )
        return seeOther(changeNoticePath(connectionPath(id), activityId))
      } catch (error) {
        return formAgain((stored) => rejectionOf(error, { draft, fields, stored }))
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

interface Rejected extends Pick<Sent, 'draft' | 'fields'> {
  readonly stored: Connection
}

/** After a conflict the form gets the stored version, so saving again overwrites. */
function rejectionOf(error: unknown, { draft, fields, stored }: Rejected): EditErrors {
  if (hasCode(error, 'conflict'))
    return { version: String(stored.version), problem: error.message, status: 409 }
  return {
    errors: errorsInControls(fieldErrors(error), draft, fields),
    problem: 'Not saved. Fix the errors below.',
    status: 422,
  }
}

const CHANGED_MEANWHILE =
  'Someone changed this connection while you were editing. Your changes are not saved yet. Save again to overwrite.'
