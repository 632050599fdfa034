/** The page "Deleted connections": the connections that can still be restored. */

import { publicConnectionId } from '../../connections/model/connection.ts'
import {
  DELETED_RETENTION_MS,
  type DeletedConnection,
  type DeletedPage,
} from '../../connections/deletion/deletion.ts'
import { formKeyField, formTokenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { changeNotice } from '../activity/change-notice.ts'
import { pager } from '../ui/pager.ts'
import { CONNECTIONS_PATH, DELETED_CONNECTIONS_PATH } from '../../html/site-map.ts'
import { workLine } from './person-line.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import type { Times } from '../ui/time.ts'

interface DeletedView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly page: DeletedPage
  readonly isFirst: boolean
  readonly noticed: DescribedChange | undefined
}

export function deletedPage({ browser, times, page, isFirst, noticed }: DeletedView): Answer {
  const { member, formToken } = browser
  const { connections, hasMore } = page
  const notice = noticed ? changeNotice({ described: noticed, back: 'deleted', formToken }) : ''
  const cursor = hasMore ? page.cursorAfter(connections.length - 1) : undefined
  const list = html`<ul class="items">
    ${connections.map((one) => item(one, formToken, times))}
  </ul>`
  return memberPage({
    title: 'Deleted connections',
    actions: html`<a class="button plain" href="${CONNECTIONS_PATH}">All connections</a>`,
    member,
    current: 'connections',
    formToken,
    body: html`${notice}
      <section class="panel" aria-label="Deleted">
        ${connections.length === 0 ? NONE : list}
      </section>
      ${pager({
        isFirst,
        first: DELETED_CONNECTIONS_PATH,
        next:
          cursor === undefined
            ? undefined
            : `${DELETED_CONNECTIONS_PATH}?cursor=${encodeURIComponent(cursor)}`,
      })}`,
  })
}

const NONE = html`<p class="empty">
  No deleted connections. Connections that you or an agent delete can be restored here for 30 days.
</p>`

function item(connection: DeletedConnection, formToken: string, times: Times): Html {
  const { connectionId, name, deletedAt } = connection
  return html`<li>
    <div>
      <h2><bdi>${name}</bdi></h2>
      ${workLine(connection)}
      <small
        >Deleted ${times.ago(deletedAt)} · can be restored until
        ${times.day(deletedAt + DELETED_RETENTION_MS)}</small
      >
    </div>
    <form method="post" action="${DELETED_CONNECTIONS_PATH}">
      ${formTokenField(formToken)} ${formKeyField()}
      <button class="plain" name="connection_id" value="${publicConnectionId(connectionId)}">
        <span>Restore<span class="unseen"> ${name}</span></span>
      </button>
    </form>
  </li>`
}
