/** The keyboard shortcuts of member pages. */

import { phrase, t } from '../languages/message.ts'
import { icon } from './icon.ts'
import { html, type Html } from './html.ts'
import { ACCOUNT_PATH } from './site-map.ts'

/** As html/assets/keys.js reads them, by where they work. */
const SHORTCUTS = [
  {
    title: phrase('Everywhere'),
    keys: [
      [phrase('Ctrl K or ⌘ K'), phrase('Search people, pages and actions')],
      ['/', phrase('Go to the search field')],
      [phrase('Ctrl Enter'), phrase('Save what is written')],
      [phrase('Esc'), phrase('Close the box or the menu')],
      ['?', phrase('Show these shortcuts')],
    ],
  },
  {
    title: phrase('Lists'),
    keys: [
      ['j, k', phrase('Next or previous person')],
      [phrase('Enter'), phrase('Open the person')],
      ['x', phrase('Select; t, c and l are then for all selected')],
      ['d', phrase('Complete the follow-up')],
      ['l', phrase('Snooze the follow-up or the person')],
    ],
  },
  {
    title: phrase('Person'),
    keys: [
      ['c', phrase('Log contact')],
      ['n', phrase('Write a note')],
      ['t', phrase('Add a tag')],
      ['e', phrase('Edit the person')],
    ],
  },
  {
    title: phrase('Tidy up'),
    keys: [
      ['y', phrase('The same person: merge')],
      ['n', phrase('Different people')],
      ['s', phrase('Decide later')],
    ],
  },
] as const

/** In a dialog by the key ?, and on the page of the account by a link. */
export function shortcutsSection(): Html {
  return html`<article class="panel shortcuts" id="keys" tabindex="-1" aria-labelledby="keys-title">
    <h2 id="keys-title">Keyboard shortcuts</h2>
    <form method="dialog">
      <button class="quiet" aria-label="${t('Close')}" title="${t('Close')}">
        ${icon('cross')}
      </button>
    </form>
    ${SHORTCUTS.map(
      ({ title, keys }) =>
        html`<div>
          <h3>${t(title)}</h3>
          <dl>${keys.map(([names, effect]) => shortcut(t(names), t(effect)))}</dl>
        </div>`,
    )}
    <p class="quiet">You can turn off single keys under <a href="${ACCOUNT_PATH}">Account</a>.</p>
  </article>`
}

function shortcut(names: string, effect: string): Html {
  return html`<div>
    <dt>${names.split(', ').map((name) => html`<kbd>${name}</kbd> `)}</dt>
    <dd>${effect}</dd>
  </div>`
}
