/** `/user/connections/:id/edit`: edits the fields of a connection. */

import { phrase, t } from '../../languages/message.ts'
import { CONNECTION_ROUTE, connectionPath } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { pressRowButton } from './draft/form-rows.ts'
import { showEditForm, type EditErrors } from './edit.page.ts'
import { formRoute, type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { fieldErrors } from '../../forms/field-errors.ts'
import { errorsInControls } from './draft/person-changes.ts'
import { RequestError, hasCode } from '../../base/request-error.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { saveDraft } from './draft/save-draft.ts'
import { findLive } from './find-live.ts'
import { readDraft, type PersonDraft } from './draft/person-draft.ts'
import { missingPage } from './missing.page.ts'
import * as Type from '../../base/type.ts'
import {
  type CustomField,
  readCustomFields,
} from '../../connections/custom-fields/custom-fields.ts'
import { requireConnection } from '../../connections/editing/require-connection.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { withDates } from './draft/draft-dates.ts'
import { timesOf } from '../../ui/time.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { Route } from '../../http/route.ts'
import type { Changing } from '../../tools/tool.ts'

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
      const { params, body, browser, db, now } = request
      const { id } = params
      const fields = await readCustomFields(db)
      const isRowButton = pressRowButton(body)
      const dates = timesOf(browser, now)
      const draft = withDates(readDraft(body, fields, ['version']), fields, dates)
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
  { version, ...sent }: Sent,
): Promise<number | undefined> {
  const present = await requireConnection(changing.tx, connection_id)
  if (version !== String(present.version)) throw new RequestError('conflict', CHANGED_MEANWHILE)
  return saveDraft(changing, present, sent)
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
    problem: t('Not saved. Fix the errors below.'),
    status: 422,
  }
}

const CHANGED_MEANWHILE = phrase(
  'Someone changed this person while you were editing. Your changes are not saved yet. Save again to overwrite.',
)
