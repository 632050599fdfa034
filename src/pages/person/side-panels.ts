/** What is beside the timeline of a connection: tags, colleagues, a possible duplicate, and the menu of rare actions. */

import { t } from '../../languages/message.ts'
import { currentLocale } from '../../languages/language.ts'
import { type Tag } from '../../connections/model/tag-store.ts'
import { NOTHING_TYPED, fieldState } from '../../forms/field-errors.ts'
import { formKeyField, formTokenField, hiddenField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { connectionPath, DUPLICATES_PATH, networkPath } from '../../html/site-map.ts'
import {
  asListed,
  publicConnectionId,
  type Connection,
} from '../../connections/model/connection.ts'
import { listPath } from '../ui/list-path.ts'
import { personLink } from '../ui/person-link.ts'
import { itemList, panel } from '../ui/sections.ts'
import { workLine } from './facts.ts'
import { actionPath, type PersonView } from './person-view.ts'

/** The tags. Each links to the connections with that tag and can be removed. `known` are suggested. */
export function tagList(view: PersonView, tags: readonly Tag[], known: readonly string[]): Html {
  const { invalid, browser } = view
  const action = actionPath(view, 'tags')
  const items = tags.map(
    ({ tag }) =>
      html`<li class="badge">
        <a href="${listPath({ tag })}"><bdi>${tag}</bdi></a>
        <button class="link" name="take_off" value="${tag}" aria-label="Remove tag ${tag}">
          ${icon('cross')}
        </button>
      </li>`,
  )
  const list = html`<form method="post" action="${action}">
    ${formTokenField(browser.formToken)} ${itemList(items, NOTHING, 'tags')}
  </form>`
  const state = fieldState(invalid ?? NOTHING_TYPED, 'tag', t('Tag'))
  const own = new Set(tags.map(({ tag }) => tag))
  const options = known
    .filter((tag) => !own.has(tag))
    .map((tag) => html`<option value="${tag}"></option>`)
  return html`<div id="tags" class="tagging">
    ${items.length === 0 ? '' : list}
    <details ${attributes({ open: state.error !== undefined })}>
      <summary class="chip">Add tag</summary>
      <form class="short" method="post" action="${action}">
        ${formTokenField(browser.formToken)}
        ${textField({ ...state, label: t('Tag'), autocomplete: 'off', list: 'known-tags' })}
        <datalist id="known-tags">${options}</datalist>
        <button class="plain">Add tag</button>
      </form>
    </details>
  </div>`
}

/** `others` is how many more connections are found by the company. */
export function colleaguesPanel({ company, connectionId }: Connection, others: number): Html {
  if (company === null || others === 0) return NOTHING
  const link = html`<a href="${listPath({ company })}"
    >${others.toLocaleString(currentLocale())} more at <bdi>${company}</bdi></a
  >`
  const chart = html`<a href="${networkPath({ around: publicConnectionId(connectionId) })}"
    >Chart of the people around them</a
  >`
  const companyChart = html`<a href="${networkPath({ company })}"
    >Chart of <bdi>${company}</bdi></a
  >`
  return panel('colleagues', t('Colleagues'), html`<p>${link} · ${chart} · ${companyChart}</p>`)
}

export function duplicatePanel(
  { publicId, browser }: PersonView,
  duplicate: Connection | undefined,
): Html {
  if (!duplicate) return NOTHING
  const { name, emails } = duplicate
  const otherId = publicConnectionId(duplicate.connectionId)
  const [email] = emails
  return panel(
    'duplicate',
    t('Possible duplicate'),
    html`<p>${personLink(asListed(duplicate))}</p>
      ${workLine(duplicate)}
      ${email === undefined ? '' : html`<p class="quiet"><bdi>${email}</bdi></p>`}
      <form method="post" action="${DUPLICATES_PATH}">
        ${formTokenField(browser.formToken)} ${formKeyField()} ${hiddenField('keep', publicId)}
        ${hiddenField('back', publicId)} ${hiddenField('same', publicId)}
        ${hiddenField('same', otherId)}
        <div class="actions">
          <button class="plain">
            <span>Merge<span class="unseen"> ${name} into this connection</span></span>
          </button>
          <button class="plain" name="decision" value="different">Different people</button>
        </div>
      </form>`,
  )
}

/** What is rarely done. `splittable` is the name of a person that was merged into this connection. */
export function moreMenu(view: PersonView, splittable: string | undefined): Html {
  const { publicId, browser } = view
  const split =
    splittable !== undefined &&
    html`<form method="post" action="${actionPath(view, 'split')}">
      ${formTokenField(browser.formToken)} ${formKeyField()}
      <p class="quiet">
        <bdi>${splittable}</bdi> was merged into this connection. Split them if they are different
        people. Your edits stay here.
      </p>
      <button class="plain">Split</button>
    </form>`
  return html`<details class="dropdown">
    <summary class="button plain">More</summary>
    <div>
      ${split}
      <form method="post" action="${connectionPath(publicId, 'delete')}">
        ${formTokenField(browser.formToken)} ${formKeyField()}
        <p class="quiet">
          You can restore a deleted connection for 30 days, with its tags, notes and follow-ups.
          Imports skip it.
        </p>
        <button class="plain danger">Delete</button>
      </form>
    </div>
  </details>`
}
