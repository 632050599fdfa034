/** The page "Account". */

import { NOTHING, html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { CUSTOM_FIELDS_PATH } from '../../html/site-map.ts'
import { deleteSection } from './delete-section.ts'
import { exportSection } from './export-section.ts'
import { passkeysSection } from './passkey-section.ts'
import { sessionsSection } from './sessions-section.ts'
import { emailShown, signInSection } from './sign-in-section.ts'
import type { Answer } from '../../http/response.ts'
import type { AccountPage } from './account-view.ts'

export function accountPage(page: AccountPage): Answer {
  const { browser, member, hasPassword, notice = NOTHING, invalid } = page
  const { formToken } = browser
  return memberPage({
    title: 'Account',
    actions: html`<a class="button plain" href="${CUSTOM_FIELDS_PATH}">Custom fields</a>`,
    member: browser.member,
    current: 'account',
    formToken,
    status: invalid ? 422 : 200,
    body: html`${notice} ${hasPassword ? signInSection(page) : emailShown(member)}
    ${hasPassword ? passkeysSection(page) : ''} ${sessionsSection(page)} ${exportSection(page)}
    ${deleteSection(page)}`,
  })
}
