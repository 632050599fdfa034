/** `/user/connections/new`: adds a connection manually. */

import { checkAll } from '../../base/check-all.ts'
import { addConnection } from '../../connections/editing/add-connection.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { changeChecks } from '../../connections/editing/edit.ts'
import { changesOfNew } from '../../connections/editing/connection-input.ts'
import { readDetailChanges } from '../../connections/editing/detail-input.ts'
import { readCustomFields } from '../../connections/model/custom-fields.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import { submissionOf } from '../../guards/form-submission.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { changeManually } from '../ui/manual-change.ts'
import { readTyped, required } from '../ui/form-input.ts'
import { MAX_PERSON_FORM_BYTES } from './edit.route.ts'
import { pressRowButton } from './form-rows.ts'
import { argumentsOf, errorsInControls, NewForm, rowChecks } from './person-changes.ts'
import { draftOf, EMPTY_PERSON, readDraft } from './person-draft.ts'
import { newPage } from './new.page.ts'
import { connectionPath, NEW_CONNECTION_PATH } from '../../html/site-map.ts'
import type { Connection } from '../../connections/model/connection.ts'
import type { ConnectionDeps } from './connection-deps.ts'

export function newRoutes(deps: ConnectionDeps): Route[] {
  return [formRoute(deps), addRoute(deps)]
}

function formRoute({ database }: ConnectionDeps): Route {
  return defineRoute({
    method: 'GET',
    path: NEW_CONNECTION_PATH,
    operationId: 'showNewConnection',
    summary: 'Show the form that adds a connection',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    async handle({ browser }) {
      const fields = await readCustomFields(database.member(browser.member.memberId))
      return newPage({ browser, draft: draftOf(EMPTY_PERSON, fields), fields })
    },
  })
}

interface AddedOnce {
  readonly connectionId: number
  readonly activityId: number
}

function addRoute({ database, clock }: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: NEW_CONNECTION_PATH,
    operationId: 'addConnection',
    summary: 'Add a connection',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_PERSON_FORM_BYTES },
    answers: {
      200: { description: 'A row was added or removed: the form again', type: 'text/html' },
      303: { description: 'Added; redirects to the connection' },
      409: { description: 'A likely duplicate exists; the form again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the form again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const fields = await readCustomFields(database.member(browser.member.memberId))
      const isRowButton = pressRowButton(body)
      const draft = readDraft(body, fields, ['tags', 'note'])
      if (isRowButton) return newPage({ browser, draft, fields })
      try {
        const typed: Record<string, unknown> = {
          ...argumentsOf(draft, fields),
          allow_duplicate: body.has('anyway'),
        }
        const { details } = typed
        const now = clock.now()
        const form = NEW_CONNECTION_PATH
        let duplicate: Connection | undefined
        const added = await changeManually(
          database,
          browser.member,
          now,
          async (changing): Promise<AddedOnce | undefined> => {
            await checkAll(
              required('name', draft.texts['name'] ?? ''),
              ...rowChecks(draft, EMPTY_PERSON),
              () => readTyped(NewForm, typed),
              ...changeChecks({ ...changesOfNew(typed), lists: {} }),
              () => readDetailChanges(changing.tx, details as string[] | undefined, NO_DETAILS),
            )
            const addition = await addConnection(changing, readTyped(NewForm, typed))
            if ('duplicate' in addition) {
              duplicate = addition.duplicate
              return undefined
            }
            const { connectionId } = addition.added.connection
            return { connectionId, activityId: addition.activityId }
          },
          {
            submission: submissionOf({ browser, body, form, now }),
            isCurrent: async (reader, earlier) =>
              earlier === undefined ||
              (await findConnection(reader, earlier.connectionId))?.deletedAt === null,
          },
        )
        if (!added)
          return newPage({ browser, draft, fields, ...(duplicate && { duplicate }), status: 409 })
        const path = connectionPath(publicConnectionId(added.connectionId))
        return seeOther(changeNoticePath(path, added.activityId))
      } catch (error) {
        return newPage({
          browser,
          draft,
          fields,
          errors: errorsInControls(fieldErrors(error), draft, fields),
          status: 422,
        })
      }
    },
  })
}
