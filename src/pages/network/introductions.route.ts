/** `/user/network/introductions`: who may know a person, someone at a company, or people with an occupation. */

import { phrase, t } from '../../languages/message.ts'
import {
  findIntroductions,
  type Introduction,
} from '../../connections/introductions/introductions.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-limits.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { INTRODUCTIONS_PATH } from '../../html/site-map.ts'
import { workLine } from '../person/facts.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { emptyNote, itemList, panel } from '../../ui/sections.ts'
import type { Listed } from '../../connections/model/connection.ts'
import type { Route } from '../../http/route.ts'

const MAX_SHOWN = 20

interface Found {
  readonly known: readonly Listed[]
  readonly introductions: readonly Introduction[]
}

export function introductionsRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: INTRODUCTIONS_PATH,
    async handle({ search, browser, db }) {
      const target = (new URLSearchParams(search).get('to') ?? '')
        .trim()
        .slice(0, MAX_FILTER_LENGTH)
      const found = target === '' ? undefined : await findIntroductions(db, { target })
      return memberPage({
        title: t('Introductions'),
        browser,
        current: 'network',
        body: html`${searchForm(target)} ${found ? results(found) : NOTHING}`,
      })
    },
  })
}

function searchForm(target: string): Html {
  return html`<form class="search" action="${INTRODUCTIONS_PATH}" role="search">
    <label class="unseen" for="to">Who do you want to meet?</label>
    <input
      id="to"
      name="to"
      type="search"
      value="${target}"
      placeholder="A person, a company or a title"
      maxlength="${MAX_FILTER_LENGTH}"
      autocomplete="off"
    />
    <button>Find the way</button>
  </form>`
}

/** A person in the network needs no introduction: those around them are folded. */
function results({ known, introductions }: Found): Html {
  if (known.length + introductions.length === 0)
    return emptyNote(
      t('No one in your network leads there. Try a company, a title or fewer words.'),
    )
  const direct = known.slice(0, MAX_SHOWN).map((one) => row(one, NOTHING))
  const ways = introductions
    .slice(0, MAX_SHOWN)
    .map(({ connection, reasons }) => row(connection, joinHtml(reasons.map(reasonText), ' · ')))
  if (direct.length === 0) return panel('ways', t('Who can introduce you'), rows(ways))
  const others =
    ways.length === 0
      ? NOTHING
      : html`<details>
          <summary>
            ${t('{count, plural, one {# person} other {# people}} close to them', { count: ways.length })}
          </summary>
          ${rows(ways)}
        </details>`
  return html`${panel('known', t('You know them already'), rows(direct))} ${others}`
}

function rows(items: readonly Html[]): Html {
  return itemList(items, NOTHING, 'known ways')
}

function row(one: Listed, reasons: Html): Html {
  const why = reasons === NOTHING ? NOTHING : html`<small>${reasons}</small>`
  return html`<li>${personLink(one)} ${workLine(one)} ${why}</li>`
}

function reasonText({ kind, quote }: Introduction['reasons'][number]): Html {
  return html`${t(REASONS[kind])}${quote === undefined ? NOTHING : html`: “<bdi>${quote}</bdi>”`}`
}

const REASONS: Readonly<Record<Introduction['reasons'][number]['kind'], string>> = {
  works_at_target: phrase('works there'),
  works_with_target: phrase('works at the same company'),
  related_to_target: phrase('has a relation to them'),
  mentioned_in_note: phrase('named in a note'),
  has_title: phrase('has that title'),
  tagged: phrase('has that tag'),
  same_trade_and_place: phrase('same trade and place'),
  same_location: phrase('same place'),
  has_notes: phrase('you know them well'),
  has_email: phrase('you have their email'),
}
