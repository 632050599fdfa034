/** `/user/custom-fields`: defines, changes and deletes the custom fields of the member's network. */

import { RequestError } from '../../base/request-error.ts'
import * as Type from '../../base/type.ts'
import { checkAll } from '../../base/check-all.ts'
import { countCustomValues } from '../../connections/custom-fields/count-custom-values.ts'
import {
  deleteCustomField,
  setCustomField,
} from '../../connections/custom-fields/custom-field-changes.ts'
import { moveCustomField } from '../../connections/custom-fields/field-order.ts'
import {
  customFieldId,
  customFieldNumber,
  readCustomFields,
  type CustomField,
} from '../../connections/model/custom-fields.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { changeNoticePath, readNoticed } from '../activity/change-notice.ts'
import { changeManually, changeOnce, type ChangeForm, type Changing } from '../ui/manual-change.ts'
import { required } from '../ui/form-input.ts'
import { checkedChoices, refusalOf, requireFreeName } from './field-checks.ts'
import { customFieldPage, customFieldsPage } from './custom-fields.page.ts'
import { EMPTY_FIELD, fieldDraftOf, readFieldDraft } from './field-form.ts'
import {
  CUSTOM_FIELD_ORDER_PATH,
  CUSTOM_FIELD_ROUTE,
  CUSTOM_FIELDS_PATH,
  customFieldPath,
} from '../../html/site-map.ts'
import type { Database, MemberReader } from '../../db/database.ts'
import type { Clock } from '../../base/clock.ts'
import type { Undoer } from '../../tools/undo.ts'

interface CustomFieldDeps {
  readonly database: Database
  readonly clock: Clock
  readonly undoers: readonly Undoer[]
}

const ById = Type.Object({ id: Type.String() })

/** Fits a hundred choices of maximum length, form-encoded. */
const MAX_FORM_BYTES = 512 * 1024

const FORM_AGAIN = {
  409: { description: 'The values of people do not fit: the form again', type: 'text/html' },
  422: { description: 'Something has to be corrected: the form again', type: 'text/html' },
} as const

export function customFieldRoutes(deps: CustomFieldDeps): Route[] {
  return [
    listRoute(deps),
    addRoute(deps),
    orderRoute(deps),
    showRoute(deps),
    saveRoute(deps),
    deleteRoute(deps),
  ]
}

function listRoute({ database, undoers }: CustomFieldDeps): Route {
  return defineRoute({
    method: 'GET',
    path: CUSTOM_FIELDS_PATH,
    operationId: 'showCustomFields',
    summary: 'List the custom fields',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    async handle({ search, browser }) {
      const db = database.member(browser.member.memberId)
      return customFieldsPage({
        browser,
        fields: await readCustomFields(db),
        counts: await countCustomValues(db),
        draft: EMPTY_FIELD,
        noticed: await readNoticed(db, search, undoers),
      })
    },
  })
}

function addRoute({ database, clock }: CustomFieldDeps): Route {
  return defineRoute({
    method: 'POST',
    path: CUSTOM_FIELDS_PATH,
    operationId: 'addCustomField',
    summary: 'Add a custom field',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: { 303: { description: 'Added; redirects to the list' }, ...FORM_AGAIN },
    onError: errorPage,
    async handle({ body, browser }) {
      const draft = readFieldDraft(body)
      try {
        const form = { browser, body, form: CUSTOM_FIELDS_PATH }
        return await change({ database, clock }, form, async ({ tx, now, record }) => {
          await checkAll(
            () => requireFreeName(tx, draft),
            () => checkedChoices(draft),
          )
          const { name, kind } = draft
          const definition = { name, kind, choices: checkedChoices(draft) }
          const { change: added } = await setCustomField(tx, definition, now)
          return added && record(added)
        })
      } catch (error) {
        const db = database.member(browser.member.memberId)
        const fields = await readCustomFields(db)
        const counts = await countCustomValues(db)
        return customFieldsPage({ browser, fields, counts, draft, ...refusalOf(error) })
      }
    },
  })
}

function showRoute({ database }: CustomFieldDeps): Route {
  return defineRoute({
    method: 'GET',
    path: CUSTOM_FIELD_ROUTE,
    operationId: 'showCustomField',
    summary: 'Show a custom field',
    access: 'session',
    params: ById,
    answers: {
      200: { description: 'The page', type: 'text/html' },
      404: { description: 'The member has no such field', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, browser }) {
      const db = database.member(browser.member.memberId)
      const field = await findField(db, params.id)
      if (!field) return missingField()
      const count = (await countCustomValues(db)).get(String(field.fieldId)) ?? 0
      return customFieldPage({ browser, field, count, draft: fieldDraftOf(field) })
    },
  })
}

function saveRoute({ database, clock }: CustomFieldDeps): Route {
  return defineRoute({
    method: 'POST',
    path: CUSTOM_FIELD_ROUTE,
    operationId: 'saveCustomField',
    summary: 'Change a custom field',
    access: 'session',
    params: ById,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Saved; redirects to the list' },
      404: { description: 'The member has no such field', type: 'text/html' },
      ...FORM_AGAIN,
    },
    onError: errorPage,
    async handle({ params, body, browser }) {
      const db = database.member(browser.member.memberId)
      const draft = readFieldDraft(body)
      const field = await findField(db, params.id)
      if (!field) return missingField()
      try {
        const form = { browser, body, form: customFieldPath(params.id) }
        return await change({ database, clock }, form, async ({ tx, now, record }) => {
          await checkAll(required('name', draft.name), () => checkedChoices(draft))
          const { kind, name: renameTo } = draft
          const { name } = await requireField(tx, params.id)
          const definition = { name, renameTo, kind, choices: checkedChoices(draft) }
          const { change: changed } = await setCustomField(tx, definition, now)
          return changed && record(changed)
        })
      } catch (error) {
        const count = (await countCustomValues(db)).get(String(field.fieldId)) ?? 0
        return customFieldPage({ browser, field, count, draft, ...refusalOf(error) })
      }
    },
  })
}

function deleteRoute({ database, clock }: CustomFieldDeps): Route {
  return defineRoute({
    method: 'POST',
    path: `${CUSTOM_FIELD_ROUTE}/delete`,
    operationId: 'deleteCustomField',
    summary: 'Delete a custom field',
    access: 'session',
    params: ById,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Deleted; redirects to the list, whose notice has an undo button' },
      404: { description: 'The member has no such field', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, body, browser }) {
      const form = { browser, body, form: customFieldPath(params.id, 'delete') }
      try {
        return await change({ database, clock }, form, async ({ tx, now, record }) => {
          const { name } = await requireField(tx, params.id)
          return record((await deleteCustomField(tx, name, now)).change)
        })
      } catch (error) {
        if (error instanceof RequestError && error.code === 'not_found') return missingField()
        throw error
      }
    },
  })
}

function orderRoute({ database, clock }: CustomFieldDeps): Route {
  return defineRoute({
    method: 'POST',
    path: CUSTOM_FIELD_ORDER_PATH,
    operationId: 'moveCustomField',
    summary: 'Move a custom field up or down',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Moved; redirects to the field in the list' },
      404: { description: 'The member has no such field', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const { member } = browser
      const up = body.get('up')
      const field = await findField(database.member(member.memberId), up ?? body.get('down') ?? '')
      if (!field) return missingField()
      await changeManually(database, member, clock.now(), async ({ tx, record }) => {
        const moved = await moveCustomField(tx, field, up === null ? 1 : -1)
        return moved && record(moved)
      })
      return seeOther(`${CUSTOM_FIELDS_PATH}#${customFieldId(field.fieldId)}`)
    },
  })
}

async function findField(reader: MemberReader, id: string): Promise<CustomField | undefined> {
  const fieldId = customFieldNumber(id)
  return (await readCustomFields(reader)).find((one) => one.fieldId === fieldId)
}

/** Read again in the transaction of a change, because another one may have renamed or deleted it. */
async function requireField(reader: MemberReader, id: string): Promise<CustomField> {
  const field = await findField(reader, id)
  if (!field) throw new RequestError('not_found', 'Custom field not found. No changes were made.')
  return field
}

function missingField(): Answer {
  return messagePage({
    status: 404,
    title: 'Custom field not found',
    text: 'It may have been deleted. Deletions are listed in your activity, where you can undo them.',
    action: { href: CUSTOM_FIELDS_PATH, label: 'Back to custom fields' },
  })
}

async function change(
  deps: Pick<CustomFieldDeps, 'database' | 'clock'>,
  form: ChangeForm,
  make: (changing: Changing) => Promise<number | undefined>,
): Promise<Answer> {
  const activityId = await changeOnce(deps, form, make)
  return seeOther(changeNoticePath(CUSTOM_FIELDS_PATH, activityId))
}
