/** `/user/tags`: how often the member wants to be in touch with the people of each tag. */

import { t } from '../../languages/message.ts'
import { tagOf } from '../../connections/model/tag-store.ts'
import { listTagCadences, type TagCadence } from '../../connections/cadence/cadence-store.ts'
import { cadenceOptions, setTypedTagCadence } from '../../connections/cadence/cadence-form.page.ts'
import { cadenceText } from '../../connections/cadence/reconnect-reason.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { listTags } from '../../connections/tags/tags.ts'
import { formRoute, pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { CONNECTIONS_PATH, TAG_CADENCES_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { readNoticed } from '../activity/read-noticed.ts'
import { changeNotice, changeNoticePath } from '../../ui/change-notice.ts'
import { changeOnce } from '../../ui/manual-change.ts'
import { countOf } from '../../ui/numbers.ts'
import { emptyNote } from '../../ui/sections.ts'
import type { Route } from '../../http/route.ts'
import type { Undoer } from '../../tools/undo.ts'

interface TagDeps extends PageDeps {
  readonly undoers: readonly Undoer[]
}

/** Tags without a cadence, the most frequent first. */
const MAX_TAGS = 200

export function tagCadenceRoutes(deps: TagDeps): Route[] {
  const show = pageRoute(deps, {
    path: TAG_CADENCES_PATH,
    async handle({ search, browser, db }) {
      const [{ entries: tags }, set, noticed] = await Promise.all([
        listTags(db, { limit: MAX_TAGS }),
        listTagCadences(db),
        readNoticed(db, search, deps.undoers),
      ])
      const rows = rowsOf(tags, set)
      const items = rows.map((row, at) => tagItem(row, at))
      return memberPage({
        title: t('Tags'),
        browser,
        current: 'connections',
        body: html`${changeNotice(noticed, { back: 'tags', browser })}
          <p class="quiet">
            A cadence of a tag is for everyone who has the tag and no cadence of their own. If
            several of their tags have one, the shortest counts.
          </p>
          ${
            rows.length === 0
              ? html`${emptyNote(t('No tags yet. Add them to people, or to everyone in a list.'))}
                  <a href="${CONNECTIONS_PATH}">${t('People')}</a>`
              : html`<ul class="tag-rows" aria-label="Cadences of tags">
                  ${items}
                </ul>`
          }`,
      })
    },
  })
  const save = formRoute(deps, {
    path: TAG_CADENCES_PATH,
    async handle(request) {
      const { body, browser } = request
      const typed = { tag: body.get('tag') ?? '', cadence: body.get('cadence') ?? '' }
      const activityId = await changeOnce(request, (changing) =>
        setTypedTagCadence({ ...changing, timeZone: browser.timeZone }, typed),
      )
      return seeOther(changeNoticePath(TAG_CADENCES_PATH, activityId))
    },
  })
  return [show, save]
}

interface TagRow {
  readonly tag: string
  readonly count: number
  readonly cadence: TagCadence | null
}

/** Tags with a cadence first. */
function rowsOf(
  tags: readonly Pick<TagRow, 'tag' | 'count'>[],
  set: readonly TagCadence[],
): readonly TagRow[] {
  const counts = new Map(tags.map(({ tag, count }) => [tagOf(tag).key, count]))
  const withCadence = new Set(set.map(({ tag }) => tagOf(tag).key))
  return [
    ...set.map((one) => ({
      tag: one.tag,
      count: counts.get(tagOf(one.tag).key) ?? 0,
      cadence: one,
    })),
    ...tags
      .filter(({ tag }) => !withCadence.has(tagOf(tag).key))
      .map(({ tag, count }) => ({ tag, count, cadence: null })),
  ]
}

function tagItem({ tag, count, cadence }: TagRow, at: number): Html {
  const id = `cadence-${at}`
  const own = cadence === null ? 'none' : `${cadence.every} ${cadence.unit}`
  const options = cadenceOptions(cadence).map(
    ({ value, label }) =>
      html`<option ${attributes({ value, selected: value === own })}>${label}</option>`,
  )
  const said =
    cadence === null ? NOTHING : html`<span class="unseen">, ${cadenceText(cadence)}</span>`
  return html`<li>
    <a class="t" href="${listPath({ tag })}"><bdi>${tag}</bdi>${said}</a>
    <small>${countOf(count, 'person')}</small>
    <form method="post" action="${TAG_CADENCES_PATH}">
      ${formKeyField()} ${hiddenField('tag', tag)}
      <span data-save>
        <label class="unseen" for="${id}">Cadence for ${tag}</label>
        <select id="${id}" name="cadence">
          ${options}
        </select>
      </span>
      <button class="plain unscripted">Save</button>
    </form>
  </li>`
}
