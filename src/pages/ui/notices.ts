/** What a page says first, after something was done. Its address names the notice and cannot say anything else. */

import { html } from '../../html/html.ts'

export interface Notices<Name extends string> {
  /** Where a browser goes on after that was done. */
  pathTo(name: Name): string
  /** A fragment: the notice that the page's query string names, if it names one. */
  shown(search: string): string
}

/** `sentences` by their names; `path` is the page's. */
export function noticesOf<Name extends string>(
  path: string,
  sentences: Readonly<Record<Name, string>>,
): Notices<Name> {
  return {
    pathTo: (name) => `${path}?notice=${name}`,
    shown(search) {
      const asked = new URLSearchParams(search).get('notice')
      const sentence = Object.entries<string>(sentences).find(([name]) => name === asked)?.[1]
      return sentence === undefined
        ? ''
        : html`<p class="notice success" role="status">${sentence}</p>`
    },
  }
}
