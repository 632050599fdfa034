/** The way to delete the account: folded away, and only for those who type what nobody types by mistake. */

import { formTokenField, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { ACCOUNT_DELETE_PATH } from '../../html/site-map.ts'
import { currentPassword } from './sign-in-section.ts'
import type { AccountPage } from './account-view.ts'

export function deleteSection({ browser, member, hasPassword, refused }: AccountPage): string {
  const { errors = {}, typed = {} } = refused ?? {}
  const isSent = 'delete_username' in typed
  return html`<section class="panel" aria-labelledby="delete">
    <h2 id="delete">Delete the account</h2>
    <p>
      Your profile, your network and everything about it are deleted for good, at once. Agents and
      tokens stop working. Your username is free for others. Nobody can bring it back:
      <a href="#export">export everything</a> first.
    </p>
    <details ${isSent ? 'open' : ''}>
      <summary class="button plain danger">Delete my account</summary>
      <form method="post" action="${ACCOUNT_DELETE_PATH}">
        !${formTokenField(browser.formToken)}
        !${textField({
          name: 'delete_username',
          label: `Type your username, ${member.username}`,
          value: typed['delete_username'] ?? '',
          error: errors['delete_username'],
          autocomplete: 'off',
          spellcheck: false,
          required: true,
        })}
        !${hasPassword ? currentPassword('delete_password', errors['delete_password']) : ''}
        <div class="actions"><button class="danger">Delete everything</button></div>
      </form>
    </details>
  </section>`
}
