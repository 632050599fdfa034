/** The page "Activity": every change, newest first, with its actor, values before and after, and an undo button. */

import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { connectionPath, activityPath } from '../../html/site-map.ts'
import { changeItem } from './change-item.ts'
import { changeNotice } from './change-notice.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'
import type { DescribedChange } from './described-change.ts'

interface ActivityView {
  readonly browser: SignedInRequest
  readonly times: Times
  /** Limits the list to one connection; undefined for all changes. */
  readonly only: ActivityFilter | undefined
  readonly changes: readonly DescribedChange[]
  /** For each change, by number, how many changes the same agent has made from it on. */
  readonly since: ReadonlyMap<number, number>
  /** The cursor of the next page of older changes. */
  readonly older: string | undefined
  /** Whether the list starts with the newest change. */
  readonly isNewest: boolean
  /** The change just made. */
  readonly noticed: DescribedChange | undefined
}

/** A connection, by its public id. */
export interface ActivityFilter {
  readonly publicId: string
  /** Undefined for a permanently deleted connection. */
  readonly name: string | undefined
  readonly isDeleted: boolean
}

export function activityPage(view: ActivityView): Answer {
  const { browser, times, only, changes, since, noticed } = view
  const { member, formToken } = browser
  const items = changes.map((described) =>
    changeItem({
      described,
      back: 'activity',
      formToken,
      level: 2,
      times,
      since: since.get(described.change.activityId),
    }),
  )
  const notice = noticed ? changeNotice({ described: noticed, back: 'activity', formToken }) : ''
  return memberPage({
    title: 'Activity',
    member,
    current: 'activity',
    formToken,
    body: html`${notice} ${only === undefined ? '' : onlyOne(only)}
      <section class="panel" aria-label="Changes">
        ${
          items.length === 0
            ? only === undefined
              ? NONE
              : NONE_OF_ONE
            : html`<ul class="items">
                ${items}
              </ul>`
        }
      </section>
      ${pageLinks(view)}
      <p class="quiet">
        Lists changes by you and your agents. Reads are not listed. Undoing is free and can itself
        be undone.
      </p>`,
  })
}

const NONE = html`<p class="empty">
  No changes yet. Changes to your network and profile by you or your agents appear here, and you can
  undo them.
</p>`

const NONE_OF_ONE = html`<p class="empty">
  No changes to this connection yet. Changes made by an import are listed on the import's page.
</p>`

function onlyOne({ publicId, name, isDeleted }: ActivityFilter): Html {
  const subject =
    name === undefined
      ? 'a deleted connection'
      : isDeleted
        ? html`<bdi>${name}</bdi>`
        : html`<a href="${connectionPath(publicId)}"><bdi>${name}</bdi></a>`
  return html`<p>
    Showing changes to ${subject}. <a href="${activityPath()}">Show all activity</a>
  </p>`
}

function pageLinks({ only, older, isNewest }: ActivityView): Html {
  if (older === undefined && isNewest) return NOTHING
  const [newestPath, olderPath] = [
    activityPath(only?.publicId),
    activityPath(only?.publicId, older),
  ]
  const newest = isNewest ? '' : html`<a class="button plain" href="${newestPath}">Newest</a>`
  const next =
    older === undefined
      ? ''
      : html`<a class="button plain" rel="next" href="${olderPath}">Older</a>`
  return html`<div class="actions">${newest} ${next}</div>`
}
