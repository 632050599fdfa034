/** Notices that a page shows after an action. The URL carries only the name of the notice, so a link cannot forge its
 * text. */

import { t } from '../languages/message.ts'
import { NOTHING, html, type Html } from '../html/html.ts'

interface Notices<Name extends string> {
  /** The path to redirect to after the action. */
  pathTo(name: Name): string
  /** A fragment with the notice named in the query string; empty if there is none. */
  read(search: string): Html
}

/** `sentences` are keyed by notice name; `path` is the page's path. */
export function noticesOf<Name extends string>(
  path: string,
  sentences: Readonly<Record<Name, string>>,
): Notices<Name> {
  return {
    pathTo: (name) => `${path}?notice=${name}`,
    read(search) {
      const asked = new URLSearchParams(search).get('notice')
      const sentence = Object.entries<string>(sentences).find(([name]) => name === asked)?.[1]
      return sentence === undefined
        ? NOTHING
        : html`<p class="notice success" role="status">${t(sentence)}</p>`
    },
  }
}
