/** One field of a connection, edited in place on its page. */

import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { requireConnection } from '../../connections/editing/require-connection.ts'
import { readCustomFields } from '../../connections/custom-fields/custom-fields.ts'
import { fieldError, fieldErrors, fieldState } from '../../forms/field-errors.ts'
import { formKeyField, hiddenField, textArea, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { dateInWords, withDates } from './draft/draft-dates.ts'
import { saveDraft } from './draft/save-draft.ts'
import { editPath, type EntryChange } from '../../ui/entry-form.ts'
import { draftOf } from './draft/person-draft.ts'
import { errorsInControls } from './draft/person-changes.ts'
import { actionPath, viewPath, type PersonView } from '../../connections/person/person-view.page.ts'

interface EditableField {
  /** The name of the field in the form of a person. */
  readonly field: string
  readonly label: string
  /** As stored. */
  readonly text: string
  /** Whether it can have several lines. */
  readonly isLong?: boolean
  readonly isDate?: boolean | undefined
}

/** The value with a link that opens its form, or the form. */
export function editableValue(view: PersonView, value: Html, field: EditableField): Html {
  if (view.browser.member.isTour) return value
  if (view.edit === field.field) return fieldForm(view, field)
  return html`<span class="with-copy" id="${field.field}"
    ><span>${value}</span
    ><a
      ${attributes({ class: 'button quiet', href: editPath(view, field.field), 'aria-label': t('Edit {label}', { label: field.label }) })}
      >${icon('edit')}</a
    ></span
  >`
}

function fieldForm(
  view: PersonView,
  { field, label, text, isLong = false, isDate = false }: EditableField,
): Html {
  const { invalid } = view
  const typed = invalid?.typed['field_value'] ?? (isDate ? dateInWords(text) : text)
  const errors = invalid?.errors ?? {}
  const control = fieldState({ typed: { field_value: typed }, errors }, 'field_value', label)
  return html`<form id="${field}" method="post" action="${actionPath(view, 'field')}">
    ${formKeyField()} ${hiddenField('field', field)} ${hiddenField('was', text)}
    ${isLong ? textArea(control) : textField({ ...control, autocomplete: 'off', autofocus: true })}
    <div class="actions">
      <button class="plain">Save</button>
      <a class="button plain" href="${viewPath(view)}#${field}">Cancel</a>
    </div>
  </form>`
}

/** `typed` has the name of the field, its new text, and the text that the form replaces. */
export async function saveField(
  changing: EntryChange,
  publicId: string,
  { field = '', text = '', was = '' }: Readonly<Record<string, string>>,
): Promise<number | undefined> {
  const present = await requireConnection(changing.tx, publicId)
  const fields = await readCustomFields(changing.tx)
  const stored = draftOf(present, fields)
  if (!Object.hasOwn(stored.texts, field))
    throw new RequestError('invalid_request', t('This field no longer exists. Reload the page.'))
  if (stored.texts[field]?.replaceAll('\r\n', '\n').trim() !== was)
    throw new RequestError(
      'conflict',
      t('Someone changed this field while you were editing. Reload.'),
    )
  const texts = { ...stored.texts, [field]: text }
  const draft = withDates({ ...stored, texts }, fields, changing)
  try {
    return await saveDraft(changing, present, { draft, fields })
  } catch (error) {
    const detail = errorsInControls(fieldErrors(error), draft, fields)[field]
    throw detail === undefined ? error : fieldError('text', detail)
  }
}
