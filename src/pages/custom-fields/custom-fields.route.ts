/** `/user/custom-fields`: defines, orders, changes and deletes the custom fields of the member's network. */

import { t } from '../../languages/message.ts'
import {
  type FieldDraft,
  choicesOf,
  EMPTY_FIELD,
  readFieldDraft,
  fieldDraftOf,
} from './field-form.ts'
import {
  customFieldNumber,
  customFieldId,
  customFieldNameKey,
  readCustomFields,
  type CustomField,
} from '../../connections/custom-fields/custom-fields.ts'
import { type ChangeRequest, changeOnce, changeManually } from '../../ui/manual-change.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { type PageDeps, pageRoute, formRoute } from '../../forms/page-route.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { required, fieldError } from '../../forms/field-errors.ts'
import { moveCustomField } from '../../connections/custom-fields/field-order.ts'
import {
  CUSTOM_FIELDS_PATH,
  CUSTOM_FIELD_ORDER_PATH,
  CUSTOM_FIELD_ROUTE,
} from '../../html/site-map.ts'
import {
  deleteCustomField,
  setCustomField,
} from '../../connections/custom-fields/custom-field-changes.ts'
import * as Type from '../../base/type.ts'
import { showList, showField } from './custom-fields.page.ts'
import { checkAll } from '../../base/check-all.ts'
import { MAX_CHOICES } from '../../base/limits.ts'
import { hasCode, RequestError } from '../../base/request-error.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Route } from '../../http/route.ts'
import type { Undoer } from '../../tools/undo.ts'
import type { Changing } from '../../tools/tool.ts'

interface CustomFieldDeps extends PageDeps {
  readonly undoers: readonly Undoer[]
}

const ById = Type.Object({ id: Type.String() })

/** Fits a hundred choices of maximum length, form-encoded. */
const MAX_FORM_BYTES = 512 * 1024

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

function listRoute(deps: CustomFieldDeps): Route {
  return pageRoute(deps, {
    path: CUSTOM_FIELDS_PATH,
    async handle({ search, browser, db }) {
      const noticed = await readNoticed(db, search, deps.undoers)
      return showList(db, { browser, draft: EMPTY_FIELD, noticed })
    },
  })
}

function addRoute(deps: CustomFieldDeps): Route {
  return formRoute(deps, {
    path: CUSTOM_FIELDS_PATH,
    maxBytes: MAX_FORM_BYTES,
    async handle(request) {
      const { body, browser, db } = request
      const draft = readFieldDraft(body)
      try {
        return await change(request, async ({ tx, now, record }) => {
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
        return showList(db, { browser, draft, ...rejectionOf(error) })
      }
    },
  })
}

function showRoute(deps: CustomFieldDeps): Route {
  return pageRoute(deps, {
    path: CUSTOM_FIELD_ROUTE,
    params: ById,
    gone,
    async handle({ params, browser, db }) {
      const field = await requireField(db, params.id)
      return showField(db, field, { browser, draft: fieldDraftOf(field) })
    },
  })
}

function saveRoute(deps: CustomFieldDeps): Route {
  return formRoute(deps, {
    path: CUSTOM_FIELD_ROUTE,
    params: ById,
    maxBytes: MAX_FORM_BYTES,
    gone,
    async handle(request) {
      const { params, body, browser, db } = request
      const draft = readFieldDraft(body)
      const field = await requireField(db, params.id)
      try {
        return await change(request, async ({ tx, now, record }) => {
          await checkAll(required('name', draft.name), () => checkedChoices(draft))
          const { kind, name: renameTo } = draft
          const { name } = await requireField(tx, params.id)
          const definition = { name, renameTo, kind, choices: checkedChoices(draft) }
          const { change: changed } = await setCustomField(tx, definition, now)
          return changed && record(changed)
        })
      } catch (error) {
        return showField(db, field, { browser, draft, ...rejectionOf(error) })
      }
    },
  })
}

function deleteRoute(deps: CustomFieldDeps): Route {
  return formRoute(deps, {
    path: `${CUSTOM_FIELD_ROUTE}/delete`,
    params: ById,
    gone,
    handle: (request) =>
      change(request, async ({ tx, now, record }) => {
        const { name } = await requireField(tx, request.params.id)
        return record((await deleteCustomField(tx, name, now)).change)
      }),
  })
}

function orderRoute(deps: CustomFieldDeps): Route {
  return formRoute(deps, {
    path: CUSTOM_FIELD_ORDER_PATH,
    gone,
    async handle(request) {
      const { body, db } = request
      const up = body.get('up')
      const field = await requireField(db, up ?? body.get('down') ?? '')
      await changeManually(request, async ({ tx, record }) => {
        const moved = await moveCustomField(tx, field, up === null ? 1 : -1)
        return moved && record(moved)
      })
      return seeOther(`${CUSTOM_FIELDS_PATH}#${customFieldId(field.fieldId)}`)
    },
  })
}

async function change(
  request: ChangeRequest,
  make: (changing: Changing) => Promise<number | undefined>,
): Promise<Answer> {
  return seeOther(changeNoticePath(CUSTOM_FIELDS_PATH, await changeOnce(request, make)))
}

/** Read again in the transaction of a change, because another one may have renamed or deleted it. */
async function requireField(reader: MemberReader, id: string): Promise<CustomField> {
  const fieldId = customFieldNumber(id)
  const field = (await readCustomFields(reader)).find((one) => one.fieldId === fieldId)
  if (!field)
    throw new RequestError('not_found', t('Custom field not found. No changes were made.'))
  return field
}

function gone(): Answer {
  return notFoundPage(
    t('Custom field not found'),
    t('It may have been deleted. Deletions are listed in your activity, where you can undo them.'),
    { href: CUSTOM_FIELDS_PATH, label: t('Back to custom fields') },
  )
}

/** The form adds a field; with the name of one that exists it would change that one. */
async function requireFreeName(reader: MemberReader, { name }: FieldDraft): Promise<void> {
  if (name.trim() === '') throw fieldError('name', t('is required'))
  const key = customFieldNameKey(name)
  if ((await readCustomFields(reader)).some((field) => field.key === key))
    throw fieldError('name', t('is the name of another field'))
}

/** @throws {RequestError} `invalid_request` when a field of the kind choice has no choices, or too many. */
function checkedChoices(draft: FieldDraft): string[] {
  const choices = choicesOf(draft)
  if (draft.kind === 'choice' && choices.length === 0)
    throw fieldError('choices', t('are required'))
  if (choices.length > MAX_CHOICES)
    throw fieldError('choices', t('are limited to {count}', { count: MAX_CHOICES }))
  return choices
}

/** Rethrows errors that cannot be corrected in the form. */
function rejectionOf(error: unknown) {
  if (!hasCode(error, 'invalid_request', 'conflict')) throw error
  const status = error.code === 'conflict' ? 409 : 422
  const { errors: found = [], hint } = error.details
  const errors = Object.fromEntries(
    found.map(({ pointer, detail }) => [
      pointer === '/rename_to' ? 'name' : pointer.slice(1),
      detail,
    ]),
  )
  const problem = hint === undefined ? error.message : `${t(error.message)} ${t(hint)}`
  return { status, errors, ...(found.length === 0 && { problem }) }
}
