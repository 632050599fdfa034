/** The rows of the page *Today* and of the list of follow-ups, as fragments. */

import { attributes, html, NOTHING, type Html } from '../html/html.ts'
import { icon } from '../html/icon.ts'
import { withQuery } from './with-query.ts'
import type { SignedInRequest } from '../http/browser-request.ts'
import type { TodayPath } from './return-to.ts'
import type { Times } from './time.ts'

/** What the rows of a page share. */
export interface TaskPage {
  readonly browser: SignedInRequest
  readonly times: Times
  /** The page itself, to which its forms return. */
  readonly back: TodayPath
  /** The form that logs a contact, and the key of its row. */
  readonly log: { readonly key: string; readonly form: Html } | undefined
  /** The key of the row that is edited. */
  readonly edit?: string | null
}

interface TaskRow {
  /** Also the ID of the element. */
  readonly key: string
  /** True for a person without a follow-up: the reason is below the name on phones. */
  readonly isPerson?: boolean
  readonly tick?: Html
  readonly badge?: Html
  readonly path: string
  readonly title: Html
  /** The link to the person it is about. */
  readonly about?: Html | undefined
  readonly when: Html
  readonly actions: Html
}

/** Keys press the buttons of the row that has the focus. The form of the page that logs a contact is a row of its own. */
export function taskRow(row: TaskRow, page?: Pick<TaskPage, 'log'>): Html {
  const { key, isPerson = false, badge, path, when, actions } = row
  const isOpen = page?.log?.key === key
  const kinds = [isOpen && 'open', isPerson && 'person-row'].filter((kind) => kind !== false)
  return html`<li
      ${attributes({ id: key, class: kinds.join(' ') || undefined, 'data-keys': true })}
    >
      ${row.tick} ${badge} <a class="t" href="${path}">${row.title}</a> ${row.about}
      <small class="when">${when}</small>
      <div class="acts">${actions}</div>
    </li>
    ${isOpen && page?.log ? html`<li class="logging">${page.log.form}</li>` : NOTHING}`
}

/** Opens the form that logs a contact with the person of a row. */
export function logLink(key: string, name: string, back: string): Html {
  return html`<a class="button plain act" href="${withQuery(back, { log: key })}" data-key="c"
    >${icon('edit')}<span>Log<span class="unseen"> a contact with ${name}</span></span
    ><kbd aria-hidden="true">c</kbd></a
  >`
}

interface LaterMenu {
  /** Unique on the page. */
  readonly id: string
  /** What is snoozed, for screen readers. */
  readonly what: string
  readonly form: Html
  /** The link beside the button, which is in the menu on touch screens. */
  readonly log?: Html | undefined
}

/** Renders a menu that snoozes something: a button and its popover, which needs no script. */
export function laterMenu({ id, what, form, log }: LaterMenu): Html {
  return html`<button type="button" class="plain act" popovertarget="later-${id}" data-key="l">
      ${icon('later')}${log && icon('more')}
      <span>Snooze<span class="unseen"> ${what}</span></span>
      <kbd class="keys" aria-hidden="true">l</kbd>
    </button>
    <div class="pop" id="later-${id}" popover role="dialog" aria-label="Snooze ${what}">
      ${log}${log && html`<p class="label" aria-hidden="true">Snooze</p>`} ${form}
    </div>`
}
