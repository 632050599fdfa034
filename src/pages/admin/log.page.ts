/** `GET /admin/log`: what admins did, newest first, also on the command line. */

import { t } from '../../languages/message.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { html, type Html } from '../../html/html.ts'
import { ADMIN_LOG_PATH, adminMemberPath } from '../../html/site-map.ts'
import { loggedLabels } from '../../acts/catalog.ts'
import { readAdminLog, type AdminLogEntry } from '../../members/admin-log.ts'
import { BY_TIME, cursorOf, pager } from '../../ui/pager.ts'
import { itemList, emptyNote } from '../../ui/sections.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { adminPage } from './admin-layout.ts'
import type { Route } from '../../http/route.ts'
import type { AdminDeps } from './admin-deps.ts'

const PAGE_SIZE = 50

export function adminLogRoute(deps: AdminDeps): Route {
  return pageRoute(deps, {
    path: ADMIN_LOG_PATH,
    async handle({ search, browser, now }) {
      const cursor = cursorOf(search)
      const { entries, next } = await readAdminLog(deps.database, { cursor, limit: PAGE_SIZE })
      const times = timesOf(browser, now)
      const labels = await loggedLabels()
      const items = entries.map((entry) => item(entry, labels.get(entry.action), times))
      const none = emptyNote(t('No entries yet. What admins do appears here.'))
      return adminPage({
        browser,
        title: t('Audit log'),
        tab: 'Audit log',
        body: html`<section class="panel" aria-label="Actions">${itemList(items, none)}</section>
          ${pager({ path: ADMIN_LOG_PATH, cursor, next, labels: BY_TIME })}
          <p class="quiet">
            Lists what admins did here and with the command line, and when they signed in, for two
            years. Entries about deleted members stay.
          </p>`,
      })
    },
  })
}

function item(
  { at, admin, action, member, reason }: AdminLogEntry,
  label: string = action,
  times: Times,
): Html {
  return html`<li>
    <div>
      <h2>${t(label)} ${member === null ? '' : memberLink(member)}</h2>
      ${reason === null ? '' : html`<p><bdi>${reason}</bdi></p>`}
      <small>${admin === null ? t('Command line') : memberLink(admin)} · ${times.moment(at)}</small>
    </div>
  </li>`
}

function memberLink(username: string): Html {
  return html`<a href="${adminMemberPath(username)}">@${username}</a>`
}
