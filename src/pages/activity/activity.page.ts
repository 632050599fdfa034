/** The page "Activity": every change, newest first, by whom, before and after, with the button that takes it back. */

import { html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { connectionPath, activityPath } from '../../html/site-map.ts'
import { changeItem } from './change-item.ts'
import { changeNotice } from './change-notice.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Times } from '../ui/time.ts'
import type { DescribedChange } from './described-change.ts'

export interface ActivityView {
  readonly browser: SignedInRequest
  readonly times: Times
  /** Whose changes alone are shown; undefined for all. */
  readonly only: ActivityFilter | undefined
  readonly changes: readonly DescribedChange[]
  /** The cursor of the page before this one in time. */
  readonly older: string | undefined
  /** Whether it begins with the newest change. */
  readonly isNewest: boolean
  /** What was done just now. */
  readonly noticed: DescribedChange | undefined
}

/** A connection, by its public id. */
export interface ActivityFilter {
  readonly publicId: string
  /** Undefined for one that is gone for good. */
  readonly name: string | undefined
  readonly isDeleted: boolean
}

export function activityPage(shown: ActivityView): Answer {
  const { browser, times, only, changes, noticed } = shown
  const { member, formToken } = browser
  const items = changes.map((told) =>
    changeItem({ told, back: 'activity', formToken, level: 2, times }),
  )
  const notice = noticed ? changeNotice({ told: noticed, back: 'activity', formToken }) : ''
  return memberPage({
    title: 'Activity',
    member,
    current: 'activity',
    formToken,
    body: html`!${notice} !${only === undefined ? '' : onlyOne(only)}
      <section class="panel" aria-label="Changes">
        !${
          items.length === 0
            ? only === undefined
              ? NONE
              : NONE_OF_ONE
            : html`<ul class="items">
                !${items}
              </ul>`
        }
      </section>
      !${pageLinks(shown)}
      <p class="quiet">
        Reading is not listed, only what changed something: by an agent, under its name, or by hand.
        Undoing is free, and can be undone.
      </p>`,
  })
}

const NONE = html`<p class="empty">
  Nothing has been changed yet. What you or your agents change in your network or your profile is
  listed here, and can be undone.
</p>`

const NONE_OF_ONE = html`<p class="empty">
  Nothing was changed here yet, by you or by an agent. What imports bring is told by the import.
</p>`

function onlyOne({ publicId, name, isDeleted }: ActivityFilter): string {
  const whom =
    name === undefined
      ? 'somebody who is gone'
      : isDeleted
        ? html`<bdi>${name}</bdi>`
        : html`<a href="${connectionPath(publicId)}"><bdi>${name}</bdi></a>`
  return html`<p>Only what concerns !${whom}. <a href="${activityPath()}">Show everything</a></p>`
}

function pageLinks({ only, older, isNewest }: ActivityView): string {
  if (older === undefined && isNewest) return ''
  const [newestPath, olderPath] = [
    activityPath(only?.publicId),
    activityPath(only?.publicId, older),
  ]
  const newest = isNewest ? '' : html`<a class="button plain" href="${newestPath}">Newest</a>`
  const next =
    older === undefined
      ? ''
      : html`<a class="button plain" rel="next" href="${olderPath}">Older</a>`
  return html`<div class="actions">!${newest} !${next}</div>`
}
