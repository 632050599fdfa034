/** `GET /user/share`: text that another app shared, to save as a new person or as a note about someone. */

import { t } from '../../languages/message.ts'
import { suggestConnections, type SuggestedConnection } from '../../connections/search/search.ts'
import { MAX_QUERY_LENGTH } from '../../connections/search/query-lengths.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { MAX_NOTE_LENGTH } from '../../base/limits.ts'
import { type PageDeps, pageRoute } from '../../forms/page-route.ts'
import { formKeyField, hiddenField, textField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { connectionPath, NEW_CONNECTION_PATH, SHARE_PATH } from '../../html/site-map.ts'
import { workLine } from '../person/facts.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { buttonLink, copyable, itemList, panel } from '../../ui/sections.ts'
import type { Route } from '../../http/route.ts'

const MAX_PEOPLE = 8

/** The parameters that the app manifest names, and the person to look for. */
interface Shared {
  readonly title: string
  readonly text: string
  readonly url: string
  readonly person: string
}

interface ShareDeps extends PageDeps {
  readonly publicUrl: string
}

export function shareRoute(deps: ShareDeps): Route {
  return pageRoute(deps, {
    path: SHARE_PATH,
    async handle({ search, browser, db }) {
      const shared = readShared(new URLSearchParams(search))
      const { person } = shared
      const people = person === '' ? [] : await suggestConnections(db, person, MAX_PEOPLE)
      return memberPage({
        title: t('Save to Weft'),
        browser,
        current: 'connections',
        body: html`${textPanel(shared)} ${notePanel(shared, people)} ${personPanel(shared)}
        ${noteOf(shared) === '' ? waysPanel(deps.publicUrl) : NOTHING}`,
      })
    },
  })
}

function readShared(query: URLSearchParams): Shared {
  const read = (name: string, limit: number) => (query.get(name) ?? '').trim().slice(0, limit)
  return {
    title: read('title', MAX_QUERY_LENGTH),
    text: read('text', MAX_NOTE_LENGTH),
    url: read('url', MAX_NOTE_LENGTH),
    person: read('person', MAX_QUERY_LENGTH),
  }
}

/** Apps repeat the title or the URL in the text. */
function noteOf({ title, text, url }: Shared): string {
  const parts = [title, text, url].filter(
    (part, index, all) =>
      part !== '' && !all.some((other, at) => at !== index && isIn(part, other)),
  )
  return (parts.length === 0 ? title : parts.join('\n')).slice(0, MAX_NOTE_LENGTH)
}

function isIn(part: string, other: string): boolean {
  return other.length > part.length && other.includes(part)
}

function textPanel(shared: Shared): Html {
  const note = noteOf(shared)
  if (note === '')
    return html`<p class="quiet">Nothing was shared. Write the note on the person's page.</p>`
  return html`<blockquote class="shared" dir="auto">${note}</blockquote>`
}

function notePanel(shared: Shared, people: readonly SuggestedConnection[]): Html {
  const note = noteOf(shared)
  const { title, text, url, person } = shared
  const found = people.map((one) => {
    const publicId = publicConnectionId(one.connectionId)
    return html`<li>
      <div>
        ${personLink(one)} ${workLine(one)}
        ${one.weaker === undefined ? NOTHING : html`<small>${one.weaker}</small>`}
      </div>
      <form method="post" action="${connectionPath(publicId, 'note')}">
        ${formKeyField()} ${hiddenField('note', note)}
        <button class="plain">
          <span>Add note<span class="unseen"> to ${one.name}</span></span>
        </button>
      </form>
    </li>`
  })
  const none = html`<p class="quiet">No results. Try fewer words, or add the person below.</p>`
  return panel(
    'note-about',
    t('Add as a note'),
    html`<form method="get" action="${SHARE_PATH}" role="search" aria-label="People">
        ${hiddenField('title', title)} ${hiddenField('text', text)} ${hiddenField('url', url)}
        ${textField({ name: 'person', label: t('Find the person'), value: person, autocomplete: 'off' })}
        <div class="actions"><button>Search</button></div>
      </form>
      ${person === '' ? NOTHING : itemList(found, none)}`,
  )
}

/** How browsers and phones without a share menu fill this page. */
function waysPanel(publicUrl: string): Html {
  const address = publicUrl + SHARE_PATH
  const bookmark = `javascript:location.href='${address}?title='+encodeURIComponent(document.title)+'&url='+encodeURIComponent(location.href)+'&text='+encodeURIComponent(getSelection())`
  return panel(
    'ways',
    t('Save from other pages and apps'),
    html`<p>
        In a browser, add a bookmark with this address. It saves the title, the address and the
        selected text of the page that you are on.
      </p>
      ${copyable(bookmark, t('the address of the bookmark'))}
      <p>
        On an iPhone, create a shortcut that is shown in the share sheet and receives text and URLs,
        with two actions: <b>URL Encode</b> the shortcut input, then <b>Open URLs</b> with this
        address followed by the encoded text.
      </p>
      ${copyable(`${address}?text=`, t('the address of the shortcut'))}`,
  )
}

function personPanel(shared: Shared): Html {
  const { title, text, url } = shared
  const fields = Object.entries({ name: title, note: text, link: url })
  const query = new URLSearchParams(fields.filter(([, value]) => value !== ''))
  return panel(
    'new-person',
    t('Add as a new person'),
    html`<p class="quiet">You can check the fields before anything is saved.</p>
      <div class="actions">
        ${buttonLink(`${NEW_CONNECTION_PATH}?${query.toString()}`, t('Add person'))}
      </div>`,
  )
}
