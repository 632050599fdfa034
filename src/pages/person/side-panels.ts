/** What is beside the timeline of a connection: tags, relations, a possible duplicate, and the menu of rare actions. */

import { relationText } from '../../connections/person/label-words.ts'
import { t } from '../../languages/message.ts'
import { type Tag } from '../../connections/model/tag-store.ts'
import { NOTHING_TYPED, fieldState } from '../../forms/field-errors.ts'
import { bareField, formKeyField, hiddenField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { face } from '../../html/face.ts'
import { icon } from '../../html/icon.ts'
import {
  connectionPath,
  DUPLICATES_PATH,
  introductionsPath,
  networkPath,
} from '../../html/site-map.ts'
import {
  asListed,
  publicConnectionId,
  type Connection,
  type Listed,
} from '../../connections/model/connection.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { personLink, personName } from '../../connections/person/person-link.page.ts'
import { emptyNote, itemList, panel } from '../../ui/sections.ts'
import { SUGGESTIONS } from './draft/form-rows.ts'
import { workLine } from './facts.ts'
import type { Splittable } from '../../connections/duplicates/split-connection.ts'
import type { Relation } from '../../contact-files/contact/details.ts'
import { actionPath, type PersonView } from '../../connections/person/person-view.page.ts'

/** The tags. Each links to the connections with that tag and can be removed. `known` are suggested, the most used first. */
export function tagList(view: PersonView, tags: readonly Tag[], known: readonly string[]): Html {
  const { invalid } = view
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
    ${itemList(items, NOTHING, 'tags')}
  </form>`
  const state = fieldState(invalid ?? NOTHING_TYPED, 'tag', t('Tag'))
  const own = new Set(tags.map(({ tag }) => tag))
  const chips = known
    .filter((tag) => !own.has(tag))
    .map((tag) => html`<button class="chip" name="tag" value="${tag}"><bdi>${tag}</bdi></button>`)
  const form = html`<form class="short" method="post" action="${action}">
      ${bareField({ ...state, label: t('Tag'), placeholder: t('New tag'), autocomplete: 'off', autofocus: true })}
      <button class="plain">Add tag</button>
    </form>
    ${
      chips.length === 0
        ? NOTHING
        : html`<form method="post" action="${action}" aria-label="${t('Tags')}">
            <div class="chips">${chips}</div>
          </form>`
    }`
  const added =
    state.error === undefined
      ? html`<button type="button" class="chip" popovertarget="add-tag">Add tag</button>
          <div class="pop" id="add-tag" popover>${form}</div>`
      : form
  return html`<div id="tags" class="tagging">${items.length === 0 ? '' : list} ${added}</div>`
}

interface RelationsView {
  readonly view: PersonView
  readonly connection: Connection
  /** With the connections that they point at. */
  readonly relations: readonly Relation[]
  /** The connections that they point at, by their number. */
  readonly known: ReadonlyMap<number, Connection>
  /** How many more connections are found by the company, and some of them. */
  readonly colleagues: { readonly count: number; readonly shown: readonly Listed[] }
}

/** The people around a person: relations, colleagues and who connects you. */
export function relationsPanel(panelView: RelationsView): Html {
  const { view, connection, relations, known, colleagues } = panelView
  const { company } = connection
  const people = relations.map((one) => {
    const other = one.connectionId === undefined ? undefined : known.get(one.connectionId)
    const who = other ? personLink(asListed(other)) : personName({ name: one.name })
    return html`<li>
      ${who} <small><bdi>${nameOf(one)}</bdi></small>
    </li>`
  })
  const faces = html`<span class="faces" aria-hidden="true">${colleagues.shown.map(face)}</span>`
  const { count } = colleagues
  const said = t('{count, plural, one {# colleague} other {# colleagues}}', { count })
  const others =
    company === null || count === 0
      ? NOTHING
      : html`<li>
          <a class="who" href="${listPath({ company })}">${html`${faces}${said}`}</a>
          <small
            ><a href="${networkPath({ company })}"
              >Chart<span class="unseen"> of ${company}</span></a
            ></small
          >
        </li>`
  return html`<section class="panel" aria-labelledby="relations">
    <div class="over">
      <h2 id="relations">Relations</h2>
      <button type="button" class="act" popovertarget="add-relation">
        Add<span class="unseen"> relation</span>
      </button>
    </div>
    <ul class="related">
      ${people} ${others}
    </ul>
    ${relationForm(view)}
  </section>`
}

/** The name is that of a person in the network, or of one who is added. */
function relationForm(view: PersonView): Html {
  const { invalid } = view
  const state = invalid ?? NOTHING_TYPED
  const name = fieldState(state, 'related', t('Name'))
  const kind = fieldState(state, 'relation', t('Relation'))
  const isSent = name.value !== '' || name.error !== undefined || kind.error !== undefined
  const box = { type: 'checkbox', name: 'create', value: 'yes' }
  const checked = !isSent || state.typed['create'] !== undefined
  const form = html`<form method="post" action="${actionPath(view, 'relation')}">
    ${formKeyField()} ${textField({ ...name, autocomplete: 'off', autofocus: true })}
    ${textField({ ...kind, autocomplete: 'off', list: 'known-relations', hint: t('Such as manager, sister or neighbor.') })}
    <datalist id="known-relations">
      ${SUGGESTIONS.relations.map((one) => html`<option value="${one}"></option>`)}
    </datalist>
    <label class="check"
      ><input ${attributes({ ...box, checked })} /><span
        >Add the person if no one here has this name</span
      ></label
    >
    <div class="actions"><button class="plain">Add relation</button></div>
  </form>`
  return isSent ? form : html`<div class="pop fields" id="add-relation" popover>${form}</div>`
}

function nameOf({ relation }: Relation): string {
  return relation === undefined ? t('Related to') : relationText(relation)
}

export function duplicatePanel(view: PersonView, duplicate: Connection | undefined): Html {
  if (!duplicate) return NOTHING
  const [email] = duplicate.emails
  return panel(
    'duplicate',
    t('Possible duplicate'),
    html`<p>${personLink(asListed(duplicate))}</p>
      ${workLine(duplicate)}
      ${email === undefined ? '' : html`<p class="quiet"><bdi>${email}</bdi></p>`}
      ${mergeForm(view, duplicate, true)}`,
  )
}

/** The people who can be merged into this one: those with a similar name, or the found ones. */
export function mergePanel(view: PersonView, typed: string, people: readonly Listed[]): Html {
  const items = people.map(
    (one) =>
      html`<li>
        ${personLink(one)} <small>${one.company}</small> ${mergeForm(view, one, false)}
      </li>`,
  )
  const search = html`<form class="search" action="${connectionPath(view.publicId)}#merge">
    ${hiddenField('edit', 'merge')}
    ${bareField({ name: 'with', label: t('Name'), placeholder: t('Another name'), value: typed, autocomplete: 'off' })}
    <button class="plain unscripted">Search</button>
  </form>`
  return panel(
    'merge',
    t('Merge with'),
    html`${search}
    ${itemList(items, typed === '' ? NOTHING : emptyNote(t('No one has this name.')), 'related')}`,
  )
}

/** Merges the other one into this one, or tells them apart. */
function mergeForm(
  { publicId }: PersonView,
  { connectionId, name }: Pick<Listed, 'connectionId' | 'name'>,
  isLikely: boolean,
): Html {
  return html`<form method="post" action="${DUPLICATES_PATH}">
    ${formKeyField()} ${hiddenField('keep', publicId)} ${hiddenField('back', publicId)}
    ${hiddenField('same', publicId)} ${hiddenField('same', publicConnectionId(connectionId))}
    <div class="actions">
      <button class="plain">
        <span>Merge<span class="unseen"> ${name} into this person</span></span>
      </button>
      ${isLikely && html`<button class="plain" name="decision" value="different">Different people</button>`}
    </div>
  </form>`
}

/** What is rarely done. `splittable` is a person that was merged into this person. */
export function moreMenu(
  view: PersonView,
  { name, isContacted }: Pick<Connection, 'name'> & { readonly isContacted: boolean },
  splittable: Splittable | undefined,
): Html {
  const { publicId } = view
  const entry = (path: string, label: string) =>
    html`<a class="button plain" href="${path}">${label}</a>`
  const split =
    splittable !== undefined &&
    html`<form method="post" action="${actionPath(view, 'split')}">
      ${formKeyField()}
      <button class="plain">
        <span>Split off <bdi>${splittable.name}</bdi></span>
      </button>
      <p class="label">
        ${splittable.isImported ? t('An import took them for the same person.') : t('They were merged into this person.')}
      </p>
    </form>`
  return html`<button type="button" class="quiet" popovertarget="more-actions">
      ${icon('more')}<span class="unseen">More</span>
    </button>
    <div class="pop" id="more-actions" popover>
      ${entry(connectionPath(publicId, 'edit'), t('Edit'))}
      ${entry(networkPath({ around: publicId }), t('People around them'))}
      ${isContacted ? NOTHING : entry(introductionsPath(name), t('Who can introduce you'))}
      ${entry(`${connectionPath(publicId)}?edit=merge#merge`, t('Merge with another person'))}
      ${split}
      <form method="post" action="${connectionPath(publicId, 'delete')}">
        ${formKeyField()}
        <button class="plain danger">Delete</button>
        <p class="label">You can restore it for 30 days, with its tags, notes and follow-ups.</p>
      </form>
    </div>`
}
