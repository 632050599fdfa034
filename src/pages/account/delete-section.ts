/** The form that deletes the account. It is collapsed and requires the username, to prevent accidents. */

import { formKeyField, formTokenField, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { ACCOUNT_DELETE_PATH } from '../../html/site-map.ts'
import { confirmFields, confirmByPasskey, type AccountAction } from './confirm-fields.ts'
import type { AccountPage } from './account-view.ts'

const DELETE: AccountAction = 'delete_account'

export function deleteSection(page: AccountPage): Html {
  const { browser, member, invalid, confirmed } = page
  const { errors = {}, typed = {} } = invalid ?? {}
  const isSent =
    'delete_username' in typed || 'delete_password' in errors || confirmed?.action === DELETE
  return html`<section class="panel" aria-labelledby="delete">
    <h2 id="delete">Delete account</h2>
    <p>
      This permanently deletes your profile, your network and all related data. Agents and tokens
      stop working, and your username becomes available to others. This cannot be undone.
      <a href="#export">Export everything</a> first.
    </p>
    <details ${attributes({ open: isSent })}>
      <summary class="button plain danger">Delete my account</summary>
      <form method="post" action="${ACCOUNT_DELETE_PATH}">
        ${formTokenField(browser.formToken)} ${formKeyField()}
        ${textField({
          name: 'delete_username',
          label: `Type ${member.username} to confirm`,
          value: typed['delete_username'] ?? '',
          error: errors['delete_username'],
          autocomplete: 'off',
          spellcheck: false,
          required: true,
        })}
        ${confirmFields(page, DELETE, 'delete_password')}
        <div class="actions"><button class="danger">Delete everything</button></div>
      </form>
      ${confirmByPasskey(page, DELETE)}
    </details>
  </section>`
}
