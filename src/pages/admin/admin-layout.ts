/** The layout of the admin pages, with tabs. */

import { tabLinks } from '../../ui/sections.ts'
import { phrase, t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'
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
  const tabs = TABS.map(({ label, path }) => ({ label: t(label), path, isHere: label === tab }))
  return memberPage({
    title,
    ...(heading !== undefined && { heading }),
    browser,
    current: 'admin',
    status,
    body: html`${tabLinks(t('Admin'), tabs)} ${notice} ${body}`,
  })
}
