/** `/user/connections/new`: adds a connection manually. */

import { checkAll } from '../../base/check-all.ts'
import { addConnection } from '../../connections/editing/add-connection.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { changeChecks } from '../../connections/editing/edit.ts'
import { changesOfNew, NewConnectionInput } from '../../connections/editing/connection-input.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { changeNoticePath } from '../activity/change-notice.ts'
import { changeManually } from '../ui/manual-change.ts'
import { readTyped, required } from '../ui/form-input.ts'
import { errorsInControls } from './edit-draft.ts'
import { argumentsOf, EMPTY_NEW_DRAFT, readNewDraft } from './new-draft.ts'
import { newPage } from './new.page.ts'
import { connectionPath, NEW_CONNECTION_PATH } from '../../html/site-map.ts'
import type { ConnectionDeps } from './connection-deps.ts'

/** Fits forty addresses and a note of maximum length, form-encoded. */
const MAX_FORM_BYTES = 640 * 1024

export function newRoutes(deps: ConnectionDeps): Route[] {
  return [formRoute(), addRoute(deps)]
}

function formRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: NEW_CONNECTION_PATH,
    operationId: 'showNewConnection',
    summary: 'Show the form that adds a connection',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    handle: async ({ browser }) => newPage({ browser, draft: EMPTY_NEW_DRAFT }),
  })
}

function addRoute({ database, clock }: ConnectionDeps): Route {
  return defineRoute({
    method: 'POST',
    path: NEW_CONNECTION_PATH,
    operationId: 'addConnection',
    summary: 'Add a connection',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Added; redirects to the connection' },
      409: { description: 'A likely duplicate exists; the form again', type: 'text/html' },
      422: { description: 'Something has to be corrected: the form again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const draft = readNewDraft(body)
      try {
        const typed = { ...argumentsOf(draft), allow_duplicate: body.has('anyway') }
        await checkAll(
          required('name', draft.name),
          () => readTyped(NewConnectionInput, typed),
          ...changeChecks(changesOfNew(typed)),
        )
        const input = readTyped(NewConnectionInput, typed)
        const addition = await changeManually(database, browser.member, clock.now(), (changing) =>
          addConnection(changing, input),
        )
        if ('duplicate' in addition) return newPage({ browser, draft, ...addition, status: 409 })
        const { added, activityId } = addition
        const path = connectionPath(publicConnectionId(added.connection.connectionId))
        return seeOther(changeNoticePath(path, activityId))
      } catch (error) {
        return newPage({
          browser,
          draft,
          errors: errorsInControls(fieldErrors(error)),
          status: 422,
        })
      }
    },
  })
}
