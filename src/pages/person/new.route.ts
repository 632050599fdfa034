/** `/user/connections/new`: adds a connection manually. */

import { t } from '../../languages/message.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { html, type Html } from '../../html/html.ts'
import { pressRowButton } from './draft/form-rows.ts'
import { findConnection } from '../../connections/model/connection-store.ts'
import {
  fieldState,
  fieldErrors,
  type FieldErrors,
  readTyped,
  required,
} from '../../forms/field-errors.ts'
import {
  CONNECTION_SUGGESTIONS_PATH,
  CONNECTIONS_PATH,
  connectionPath,
  NEW_CONNECTION_PATH,
} from '../../html/site-map.ts'
import { changesOfNew } from '../../connections/editing/connection-input.ts'
import { formRoute, type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { textArea, formKeyField, textField, formError } from '../../html/form.ts'
import { type ChangeRequest, changeManually } from '../../ui/manual-change.ts'
import { rowChecks, argumentsOf, NewForm, errorsInControls } from './draft/person-changes.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { MAX_PERSON_FORM_BYTES } from './edit.route.ts'
import { EMPTY_PERSON, readDraft, draftOf, type PersonDraft } from './draft/person-draft.ts'
import { addConnection } from '../../connections/editing/add-connection.ts'
import { valueChecks } from '../../connections/editing/edit.ts'
import { memberPage } from '../../html/member-layout.ts'
import { withDates } from './draft/draft-dates.ts'
import { timesOf } from '../../ui/time.ts'
import { personControls } from './person-form.ts'
import { readDetailChanges } from '../../connections/editing/detail-input.ts'
import {
  type CustomField,
  readCustomFields,
} from '../../connections/custom-fields/custom-fields.ts'
import { NO_DETAILS } from '../../contact-files/contact/details.ts'
import { checkAll } from '../../base/check-all.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Route } from '../../http/route.ts'

export function newRoutes(deps: PageDeps): Route[] {
  return [formPageRoute(deps), addRoute(deps)]
}

function formPageRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: NEW_CONNECTION_PATH,
    async handle({ browser, db, search }) {
      const fields = await readCustomFields(db)
      return newPage({
        browser,
        draft: prefilledDraft(new URLSearchParams(search), fields),
        fields,
      })
    },
  })
}

/** A draft with the `name`, `title`, `company`, the first `email`, `phone` and `link`, and the `note` of the query. */
function prefilledDraft(query: URLSearchParams, fields: readonly CustomField[]): PersonDraft {
  const link = query.get('link') ?? ''
  const email = query.get('email') ?? ''
  const links = link === '' ? [] : [link]
  const emails = email === '' ? [] : [email]
  const phone = query.get('phone') ?? ''
  const phones = phone === '' ? [] : [phone]
  const [name, title, company] = ['name', 'title', 'company'].map((one) => query.get(one) ?? '')
  const person = {
    ...EMPTY_PERSON,
    name: name ?? '',
    title: title || null,
    company: company || null,
  }
  const draft = draftOf({ ...person, emails, phones, links }, fields)
  return { ...draft, texts: { ...draft.texts, note: query.get('note') ?? '' } }
}

function addRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: NEW_CONNECTION_PATH,
    maxBytes: MAX_PERSON_FORM_BYTES,
    async handle(request) {
      const { body, browser, db, now } = request
      const fields = await readCustomFields(db)
      const isRowButton = pressRowButton(body)
      const read = readDraft(body, fields, ['tags', 'note'])
      const draft = withDates(read, fields, timesOf(browser, now))
      const page = { browser, draft, fields }
      if (isRowButton) return newPage(page)
      try {
        const typed = { ...argumentsOf(draft, fields), allow_duplicate: body.has('anyway') }
        const added = await addOnce(request, draft, typed)
        if ('duplicate' in added)
          return newPage({ ...page, duplicate: added.duplicate, status: 409 })
        const path = connectionPath(publicConnectionId(added.connectionId))
        return seeOther(changeNoticePath(path, added.activityId))
      } catch (error) {
        const errors = errorsInControls(fieldErrors(error), draft, fields)
        return newPage({ ...page, errors, status: 422 })
      }
    },
  })
}

interface Added {
  readonly connectionId: number
  readonly activityId: number
}

/** Adds the connection, unless one exists that seems to be the same person. */
async function addOnce(
  request: ChangeRequest,
  draft: PersonDraft,
  typed: Readonly<Record<string, unknown>>,
): Promise<Added | { readonly duplicate: Connection }> {
  const details = typed['details'] as string[] | undefined
  let duplicate: Connection | undefined
  const added = await changeManually<Added | undefined>(
    request,
    async (changing) => {
      await checkAll(
        required('name', draft.texts['name'] ?? ''),
        ...rowChecks(draft, EMPTY_PERSON),
        () => readTyped(NewForm, typed),
        ...valueChecks(changesOfNew(typed)),
        () => readDetailChanges(changing.tx, details, NO_DETAILS),
      )
      const addition = await addConnection(changing, readTyped(NewForm, typed))
      duplicate = 'duplicate' in addition ? addition.duplicate : undefined
      if ('duplicate' in addition) return undefined
      const { connectionId } = addition.added.connection
      return { connectionId, activityId: addition.activityId }
    },
    {
      isCurrent: async (reader, earlier) =>
        earlier === undefined ||
        (await findConnection(reader, earlier.connectionId))?.deletedAt === null,
    },
  )
  if (added) return added
  if (duplicate) return { duplicate }
  throw new Error('neither a connection nor a duplicate')
}

interface NewView {
  readonly browser: SignedInRequest
  readonly draft: PersonDraft
  /** Every custom field of the network. */
  readonly fields: readonly CustomField[]
  readonly errors?: FieldErrors
  /** An existing connection that seems to be the same person. */
  readonly duplicate?: Connection
  readonly status?: number
}

function newPage({
  browser,
  draft,
  fields,
  errors = {},
  duplicate,
  status = 200,
}: NewView): Answer {
  const isInvalid = Object.keys(errors).length > 0
  const state = (name: 'tags' | 'note', label: string) =>
    fieldState({ typed: draft.texts, errors }, name, label)
  const told = html`${textArea({ ...state('note', t('Note')), placeholder: t('Such as where you met.'), mentions: CONNECTION_SUGGESTIONS_PATH })}
  ${textField({ ...state('tags', t('Tags')), autocomplete: 'off', hint: t('Separate with commas.') })}`
  return memberPage({
    title: t('Add person'),
    browser,
    current: 'connections',
    status,
    body: html`${formError(isInvalid ? t('Not added. Fix the errors below.') : undefined)}
      <form class="panel" method="post" action="${NEW_CONNECTION_PATH}" aria-label="New person">
        ${formKeyField()}
        ${personControls({ draft, fields, errors, told }, t('Add'), duplicate && duplicateNotice(duplicate))}
        <div class="actions save-bar">
          <button>Add</button>
          <a class="button plain" href="${CONNECTIONS_PATH}">Cancel</a>
        </div>
      </form>`,
  })
}

function duplicateNotice({ connectionId, name }: Connection): Html {
  const path = connectionPath(publicConnectionId(connectionId))
  return html`<div class="notice warning with-act" role="alert">
    <p>
      <a href="${path}"><bdi>${name}</bdi></a> is already in your network and seems to be the same
      person. Not added yet.
    </p>
    <button class="plain" name="anyway" value="yes">Add anyway</button>
  </div>`
}
