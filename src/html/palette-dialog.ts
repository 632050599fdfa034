/** The command palette: a field and what it offers, in a dialog of every member page and on the page that asks for a person. */

import { t } from '../languages/message.ts'
import { html, NOTHING, type Html } from './html.ts'
import { CONNECTIONS_PATH } from './site-map.ts'

/** Characters of a text that is looked for. */
const MAX_PALETTE_LENGTH = 500

interface Palette {
  /** Where the browser sends the text without scripts. */
  readonly path: string
  /** The ID of the field. */
  readonly id: string
  readonly query: string
  readonly placeholder: string
  /** Before the field: the person or the action that it is for. */
  readonly subject?: Html
  readonly found: Html
}

/** The field with what it offers below. */
export function paletteSection(shown: Palette): Html {
  const { path, id, query, placeholder, subject = NOTHING, found } = shown
  return html`<div class="panel palette">
    <form action="${path}" role="search" aria-label="People, pages and actions">
      ${subject}
      <label class="unseen" for="${id}">Search people, pages and actions</label>
      <input
        id="${id}"
        name="q"
        type="search"
        value="${query}"
        placeholder="${placeholder}"
        maxlength="${MAX_PALETTE_LENGTH}"
        autocomplete="off"
        autofocus
      />
      <button class="plain">Search</button>
    </form>
    <div class="found" aria-live="polite">${found}</div>
    <p class="hints">
      ${hint('↑ ↓', t('Choose'))} ${hint('↵', t('Open'))}
      <span class="back">${hint('⌫', t('All of Weft'))}</span>
    </p>
  </div>`
}

function hint(keys: string, effect: string): Html {
  return html`<span><kbd>${keys}</kbd> ${effect}</span>`
}

/** Empty: a script opens it at once, so that no key is lost, and then asks what to offer. */
export function paletteDialog(): Html {
  return html`<dialog class="workspace-dialog" closedby="any" aria-label="${t('Search')}">
    ${paletteSection({
      path: CONNECTIONS_PATH,
      id: 'palette-q',
      query: '',
      placeholder: t('People, pages and actions'),
      found: NOTHING,
    })}
  </dialog>`
}
