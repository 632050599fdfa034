/** `/user/connections/deleted`: lists and restores deleted connections. */

import { t } from '../../languages/message.ts'
import { changeNoticePath, changeNotice } from '../../ui/change-notice.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { seeOther } from '../../http/response.ts'
import { html, type Html } from '../../html/html.ts'
import {
  restoreConnections,
  listDeleted,
  DELETED_RETENTION_MS,
  type DeletedConnection,
} from '../../connections/deletion/deletion.ts'
import { tidyTabs } from './tidy-tabs.ts'
import { DELETED_CONNECTIONS_PATH } from '../../html/site-map.ts'
import { formRoute, pageRoute } from '../../forms/page-route.ts'
import { formKeyField } from '../../html/form.ts'
import { itemList, emptyNote } from '../../ui/sections.ts'
import { cursorOf, nextOf, pager } from '../../ui/pager.ts'
import { personName } from '../../connections/person/person-link.page.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import { memberPage } from '../../html/member-layout.ts'
import { notFoundPage } from '../../html/message.page.ts'
import { type Times, timesOf } from '../../ui/time.ts'
import { workLine } from '../person/facts.ts'
import type { Route } from '../../http/route.ts'
import type { PersonDeps } from '../person/details.page.ts'

const PAGE_SIZE = 50

export function deletedRoutes(deps: PersonDeps): Route[] {
  return [showRoute(deps), restoreRoute(deps)]
}

function showRoute(deps: PersonDeps): Route {
  return pageRoute(deps, {
    path: DELETED_CONNECTIONS_PATH,
    async handle({ search, browser, db, now }) {
      const cursor = cursorOf(search)
      const page = await listDeleted(db, PAGE_SIZE, cursor)
      const noticed = await readNoticed(db, search, deps.undoers)
      const times = timesOf(browser, now)
      const items = page.entries.map((one) => item(one, times))
      const next = nextOf(page, items.length)
      return memberPage({
        title: t('Deleted'),
        heading: html`${t('Tidy up')}`,
        browser,
        current: 'duplicates',
        body: html`${tidyTabs(DELETED_CONNECTIONS_PATH)}
          ${changeNotice(noticed, { back: 'deleted', browser })}
          <section class="panel" aria-label="Deleted">
            ${itemList(items, emptyNote(t('No deleted people. People that you or an agent delete can be restored here for 30 days.')))}
          </section>
          ${pager({ path: DELETED_CONNECTIONS_PATH, cursor, next })}`,
      })
    },
  })
}

function item(connection: DeletedConnection, times: Times): Html {
  const { connectionId, name, deletedAt } = connection
  return html`<li>
    <div>
      <h2>${personName(connection)}</h2>
      ${workLine(connection)}
      <small
        >Deleted ${times.ago(deletedAt)} · can be restored until
        ${times.day(deletedAt + DELETED_RETENTION_MS)}</small
      >
    </div>
    <form method="post" action="${DELETED_CONNECTIONS_PATH}">
      ${formKeyField()}
      <button class="plain" name="connection_id" value="${publicConnectionId(connectionId)}">
        <span>Restore<span class="unseen"> ${name}</span></span>
      </button>
    </form>
  </li>`
}

function restoreRoute(deps: PersonDeps): Route {
  return formRoute(deps, {
    path: DELETED_CONNECTIONS_PATH,
    async handle(request) {
      const publicId = request.body.get('connection_id') ?? ''
      const activityId = await changeOnce(request, async ({ tx, now, record }) => {
        const { change } = await restoreConnections(tx, [publicId], now)
        return change && record(change)
      })
      if (activityId !== undefined)
        return seeOther(changeNoticePath(DELETED_CONNECTIONS_PATH, activityId))
      return notFoundPage(
        t('Person not found'),
        t('It was already restored or permanently deleted. No changes were made.'),
        { href: DELETED_CONNECTIONS_PATH, label: t('Back to deleted people') },
      )
    },
  })
}
