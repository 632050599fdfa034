/** The layout of the admin pages, with tabs. */

import { phrase, t } from '../../languages/message.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  ADMIN_ATTEMPTS_PATH,
  ADMIN_LOG_PATH,
  ADMIN_PATH,
  ADMIN_INVITATIONS_PATH,
  ADMIN_MEMBERS_PATH,
} from '../../html/site-map.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

const TABS = [
  { label: phrase('Service'), path: ADMIN_PATH },
  { label: phrase('Members'), path: ADMIN_MEMBERS_PATH },
  { label: phrase('Invitations'), path: ADMIN_INVITATIONS_PATH },
  { label: phrase('Connection attempts'), path: ADMIN_ATTEMPTS_PATH },
  { label: phrase('Audit log'), path: ADMIN_LOG_PATH },
] as const

interface AdminPage {
  readonly browser: SignedInRequest
  readonly title: string
  /** A fragment that replaces the title in the `h1`. */
  readonly heading?: Html
  readonly tab: (typeof TABS)[number]['label']
  /** Fragments. */
  readonly notice?: Html
  readonly body: Html
  readonly status?: number
}

export function adminPage(page: AdminPage): Answer {
  const { browser, title, heading, tab, notice = '', body, status = 200 } = page
  return memberPage({
    title,
    ...(heading !== undefined && { heading }),
    browser,
    current: 'admin',
    status,
    body: html`${tabs(tab)} ${notice} ${body}`,
  })
}

function tabs(current: AdminPage['tab']): Html {
  const links = TABS.map(({ label, path }) => {
    const here = label === current ? 'page' : undefined
    return html`<a href="${path}" ${attributes({ 'aria-current': here })}>${t(label)}</a>`
  })
  return html`<nav class="tabs" aria-label="Admin">${links}</nav>`
}
