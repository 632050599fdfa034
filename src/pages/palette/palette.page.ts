/** What the command palette offers. */

import { noResults } from '../../ui/sections.ts'
import { t } from '../../languages/message.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { normalForm } from '../../base/normal-form.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { face } from '../../html/face.ts'
import { publicConnectionId, type Connection } from '../../connections/model/connection.ts'
import { icon, type IconName } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import { pageAnswer } from '../../html/page-response.ts'
import { paletteSection } from '../../html/palette-dialog.ts'
import { shortcutsSection } from '../../html/shortcuts.ts'
import { CONNECTIONS_PATH, SEARCH_PATH } from '../../html/site-map.ts'
import { withoutSmallWords } from './small-words.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'

export interface PaletteLink {
  readonly label: string
  /** A text or a fragment. */
  readonly detail?: string | Html
  /** Further words that find it. */
  readonly also?: string
  /** Before the label: a fragment, or the sign of an action or a page. */
  readonly face?: Html
  readonly icon?: IconName
  readonly path: string
  /** What is sent to the path, for a link that acts. */
  readonly fields?: Readonly<Record<string, string>>
  /** The key that does the same on the page. */
  readonly key?: string | undefined
  /** Whether the label repeats what was typed, so that nothing in it is marked. */
  readonly isEcho?: true
}

type Labeled = Pick<PaletteLink, 'label' | 'icon'> & { readonly name: string }

export interface PaletteView {
  readonly browser: SignedInRequest
  readonly query: string
  /** What a person is looked for. */
  readonly action: Labeled | undefined
  /** How many people of the list are selected. */
  readonly selected: number
  /** The person that the actions are for. */
  readonly person: Connection | undefined
  /** The search of the docs. */
  readonly docs: readonly PaletteLink[]
  readonly groups: readonly { readonly title: string; readonly links: readonly PaletteLink[] }[]
}

/** What the dialog shows, for its script. */
export function paletteAnswer(view: PaletteView): Answer {
  const { query } = view
  const shown = paletteOf(view, { path: CONNECTIONS_PATH, id: 'palette-q' })
  return pageAnswer(html`${shown} ${query === '' ? shortcutsSection() : NOTHING}`, { status: 200 })
}

/** The page that asks for the person of an action. */
export function askPage(view: PaletteView & { readonly action: Labeled }): Answer {
  const { browser, action } = view
  const body = paletteOf(view, { path: SEARCH_PATH, id: 'person-q' })
  return memberPage({ title: t(action.label), browser, current: 'search', body })
}

function paletteOf(view: PaletteView, place: { readonly path: string; readonly id: string }): Html {
  const { query, action, selected, person, docs, groups } = view
  const shown = { mark: markerOf(query) }
  const found = groups.filter(({ links }) => links.length > 0).map((one) => group(one, shown))
  return paletteSection({
    ...place,
    query,
    placeholder: placeholder(action),
    subject: html`${person && subjectChip(person)} ${action && actionChip(action)}
    ${selected > 0 && hiddenField('selected', String(selected))}`,
    found: html`${found.length > 0 || query === '' ? found : noResults(query)}
    ${docs.length > 0 && group({ title: t('Help'), links: docs }, shown)}`,
  })
}

/** The person that the actions are for; a script removes it. */
function subjectChip({ name, connectionId, details }: Connection): Html {
  return html`<a class="subject" href="${SEARCH_PATH}" title="${t('All of Weft')}"
    >${face({ name, photo: details.photo })}<bdi>${name}</bdi> ${icon('cross')}${hiddenField(
      'person',
      publicConnectionId(connectionId),
    )}</a
  >`
}

/** What a person is looked for; a script removes it. */
function actionChip({ name, label, icon: sign }: NonNullable<PaletteView['action']>): Html {
  return html`<a class="subject" href="${SEARCH_PATH}" title="${t('All of Weft')}"
    >${sign && icon(sign)} ${t(label)} ${icon('cross')}${hiddenField('then', name)}</a
  >`
}

function placeholder(action: PaletteView['action']): string {
  if (!action) return t('People, pages and actions')
  return action.name === 'log' ? t('Who did you talk to?') : t('Name of the person')
}

interface Shown {
  readonly mark: Marker
}

function group({ title, links }: PaletteView['groups'][number], shown: Shown): Html {
  return html`<h2>${title}</h2>
    <ul>
      ${links.map((link) => html`<li>${linkItem(link, shown)}</li>`)}
    </ul>`
}

/** A link, or the button of a form for what acts at once. */
function linkItem(link: PaletteLink, { mark }: Shown): Html {
  const { label, detail = '', path, fields, key, icon: sign } = link
  const said =
    typeof detail === 'string' ? html`<bdi>${link.isEcho ? detail : mark(detail)}</bdi>` : detail
  const text = html`${link.face ?? (sign ? icon(sign) : NOTHING)}<bdi>${link.isEcho ? label : mark(label)}</bdi>${
    detail === '' ? NOTHING : html` <small>${said}</small>`
  }${key === undefined ? NOTHING : html` <kbd>${key}</kbd>`}`
  if (!fields) return html`<a href="${path}">${text}</a>`
  return html`<form method="post" action="${path}">
    ${formKeyField()} ${Object.entries(fields).map(([name, value]) => hiddenField(name, value))}
    <button>${text}</button>
  </form>`
}

type Marker = (text: string) => Html

/** What was typed is marked where a word begins with it. A small word of a sentence is not. */
function markerOf(query: string): Marker {
  const typed = withoutSmallWords(piecesOf(query)).map(folded)
  return (text) =>
    joinHtml(
      piecesOf(text, true).map((piece) => {
        const plain = folded(piece)
        const begun = typed.find((one) => plain.startsWith(one))
        if (begun === undefined) return html`${piece}`
        const length = plain.length === piece.length ? begun.length : piece.length
        return html`<mark>${piece.slice(0, length)}</mark>${piece.slice(length)}`
      }),
      '',
    )
}

/** The words of a text; with `isAll`, also what is between them. */
function piecesOf(text: string, isAll = false): string[] {
  const pieces = text.match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*|[^\p{L}\p{N}]+/gu) ?? []
  return isAll ? pieces : pieces.filter((piece) => /^[\p{L}\p{N}]/u.test(piece))
}

/** In small letters without accents. */
function folded(text: string): string {
  return normalForm(text, 'NFD').replaceAll(/\p{M}/gu, '').toLowerCase()
}
