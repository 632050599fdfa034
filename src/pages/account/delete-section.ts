/** The form that deletes the account. It is collapsed and requires the username, to prevent accidents. */

import { formError, formTokenField, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { ACCOUNT_DELETE_PATH } from '../../html/site-map.ts'
import { currentPassword } from './sign-in-section.ts'
import type { AccountPage } from './account-view.ts'

export function deleteSection({ browser, member, hasPassword, invalid }: AccountPage): Html {
  const { errors = {}, typed = {} } = invalid ?? {}
  const isSent = 'delete_username' in typed
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
        ${formTokenField(browser.formToken)}
        ${textField({
          name: 'delete_username',
          label: `Type ${member.username} to confirm`,
          value: typed['delete_username'] ?? '',
          error: errors['delete_username'],
          autocomplete: 'off',
          spellcheck: false,
          required: true,
        })}
        ${
          hasPassword
            ? currentPassword('delete_password', errors['delete_password'])
            : formError(errors['delete_password'])
        }
        <div class="actions"><button class="danger">Delete everything</button></div>
      </form>
    </details>
  </section>`
}
