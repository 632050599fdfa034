/** The field that adds a follow-up without a person, as long as a row. */

import { formError, formKeyField, hiddenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { FOLLOW_UPS_PATH } from '../../html/site-map.ts'
import { FOLLOW_UP_ENTRY } from '../../connections/follow-ups/follow-up-form.page.ts'
import type { InvalidForm } from '../../ui/invalid-form.ts'
import type { TaskPage } from '../../ui/task-row.ts'

/** The day and more appear with what is typed. */
export function addFollowUp(
  { back }: Pick<TaskPage, 'back'>,
  invalid: InvalidForm | undefined,
): Html {
  return html`<li class="adding">
    <form class="in-place" method="post" action="${FOLLOW_UPS_PATH}" aria-label="Add follow-up">
      ${icon('plus')} ${formKeyField()} ${hiddenField('back', back)} ${formError(invalid?.problem)}
      ${FOLLOW_UP_ENTRY.fields(invalid ?? NEW, 'alone')}
      <div class="actions"><button>Add follow-up</button></div>
    </form>
  </li>`
}

/** On the page of a day, what is added is for this day. */
const NEW = { typed: { due_day: 'today' }, errors: {} }
