/** The page "Introductions": the ways to a person or a company, the best of them as drawings. */

import { countOf } from '../../ui/numbers.ts'
import { phrase, t } from '../../languages/message.ts'
import { publicConnectionId, type Listed } from '../../connections/model/connection.ts'
import { face, faceAt } from '../../html/face.ts'
import { attributes, html, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import { connectionPath, INTRODUCTIONS_PATH } from '../../html/site-map.ts'
import { dateText } from '../../dates/format-date.ts'
import { withQuery } from '../../ui/with-query.ts'
import { workLine } from '../person/facts.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { emptyNote, itemList, panel } from '../../ui/sections.ts'
import type { Introduction } from '../../connections/introductions/introductions.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import { networkTabs } from './network.page.ts'
import { introductionForm } from './introduction-form.ts'
import type { ValueCount } from '../../search/index/count-values.ts'
import type { Face, Strength } from './neighborhood.ts'

export interface Contact {
  /** YYYY-MM-DD */
  readonly lastContactOn: string | null
  readonly strength: Strength
}

export interface Way extends Introduction {
  readonly contact: Contact
}

interface IntroductionsView {
  readonly browser: SignedInRequest
  readonly target: string
  /** The member. */
  readonly self: Face
  /** Proposed as targets while there is none. */
  readonly companies: readonly ValueCount[]
  /** Connections that are the target. */
  readonly known: readonly (readonly [Listed, Contact])[]
  /** Best first. */
  readonly ways: readonly Way[]
}

export function introductionsPage(view: IntroductionsView): Answer {
  const { browser, target, companies } = view
  return memberPage({
    title: t('Introductions'),
    heading: html`${t('Network')}`,
    actions: networkTabs('introductions'),
    browser,
    current: 'network',
    body:
      target === ''
        ? html`<p class="says">
              <b>${t('Who can introduce you?')}</b>
              ${t('Name a person, a company or a title. You see who of your people works there, knows them or is named with them in a note.')}
            </p>
            ${introductionForm('')} ${proposals(companies)}`
        : html`${introductionForm(target)} ${results(view)}`,
  })
}

function proposals(companies: readonly ValueCount[]): Html {
  if (companies.length === 0) return NOTHING
  const items = companies.map(({ value, count }) => {
    const path = withQuery(INTRODUCTIONS_PATH, { to: value })
    return html`<li>
      <a href="${path}"><bdi>${value}</bdi></a>
      <small>${countOf(count, 'person')}</small>
    </li>`
  })
  return panel('proposed', t('Where you know most people'), itemList(items, NOTHING, 'known'))
}

/** As many ways as are drawn; the others are a list. */
const MAX_DRAWN = 3

/** A person in the network needs no introduction; those who are close to them are said all the same. */
function results(view: IntroductionsView): Html {
  const { known, ways, self } = view
  const [first] = known
  if (known.length + ways.length === 0)
    return emptyNote(
      t('No one in your network leads there. Try a company, a title or fewer words.'),
    )
  if (!first) return waysThere(view)
  // Who was only imported is better met through a person with contact.
  const isNew = known.every(([, { lastContactOn }]) => lastContactOn === null)
  const leads = (way: Way) => isNew && way.contact.lastContactOn !== null
  const close = ways
    .filter((way) => leads(way) || CLOSE.has(reasonOf(way).kind))
    .slice(0, MAX_DRAWN)
  const rest = ways.filter((way) => !close.includes(way))
  const isThrough = close.some(leads)
  const direct = (isThrough ? [] : known).map(
    ([one, contact]) => html`<li>${you(self)} ${tie(contact)} ${node(one)}</li>`,
  )
  const shown = close.map((way) => drawnWay(way, self, node(first[0])))
  const items = itemList([...direct, ...shown], NOTHING, 'paths')
  const title = t('{count, plural, one {# person} other {# people}} close to them', {
    count: rest.length,
  })
  const how = isThrough ? t('Who can introduce you') : t('You know them already')
  return html`${panel('ways', how, items)} ${folded(title, rest, false)}`
}

/** The ways through people with contact; the others who are there are only listed. */
function waysThere({ ways, self, target }: IntroductionsView): Html {
  const there = ways.filter((way) => isThere(way) && way.contact.lastContactOn === null)
  const through = ways.filter((way) => !there.includes(way))
  const shown = through.slice(0, MAX_DRAWN).map((way) => drawnWay(way, self, goal(way, target)))
  const rest = through.slice(MAX_DRAWN)
  const more = t('{count, plural, one {# more person} other {# more people}}', {
    count: rest.length,
  })
  const isTitle = there.every((way) => reasonOf(way).kind === 'has_title')
  const known = isTitle ? t('People you know with that title') : t('People you know there')
  return html`${shown.length === 0 ? NOTHING : panel('ways', t('Who can introduce you'), itemList(shown, NOTHING, 'paths'))}
  ${folded(more, rest, true)} ${folded(known, there, true)}`
}

/** Whether they are at the target themselves. */
function isThere(way: Way): boolean {
  const { kind } = reasonOf(way)
  return kind === 'works_at_target' || kind === 'has_title'
}

/** From the member to the target, with what connects each with the next. */
function drawnWay(way: Way, self: Face, to: Html): Html {
  return html`<li>
    ${you(self)} ${tie(way.contact)} ${node(way.connection)} ${reasonTie(reasonOf(way))} ${to}
  </li>`
}

/** Reasons that say more than a shared employer. */
const CLOSE: ReadonlySet<Reason['kind']> = new Set(['related_to_target', 'mentioned_in_note'])

function folded(title: string, ways: readonly Way[], isOpen: boolean): Html {
  if (ways.length === 0) return NOTHING
  const rows = ways.map(
    ({ connection, reasons }) =>
      html`<li>
        ${personLink(connection)} ${workLine(connection)}
        <small>${reasonText(reasons[0])} ${quoteOf(reasons[0])}</small>
      </li>`,
  )
  return html`<details ${attributes({ open: isOpen })}>
    <summary>${title}</summary>
    ${itemList(rows, NOTHING, 'known through')}
  </details>`
}

function you({ name, photo, path: own }: Face): Html {
  const sign = own === undefined ? face({ name, photo }) : faceAt(name, own)
  return html`<span class="node">${sign}<span>${t('You')}</span></span>`
}

function node({ connectionId, name, photo }: Listed): Html {
  return html`<a class="node" href="${connectionPath(publicConnectionId(connectionId))}"
    >${face({ name, photo })}<bdi>${name}</bdi></a
  >`
}

function tie({ lastContactOn, strength }: Contact): Html {
  const text = lastContactOn === null ? t('no contact yet') : dateText(lastContactOn)
  return html`<span class="tie ${strength}">${text}</span>`
}

function reasonTie(reason: Reason): Html {
  const text = reasonText(reason)
  const why = reason.quote === undefined ? html`${text}` : html`${text} <q>${quoteOf(reason)}</q>`
  return html`<span class="tie">${why}</span>`
}

/** The company of the way, or what was typed. */
function goal(way: Way, target: string): Html {
  const { kind } = reasonOf(way)
  const isCompany = kind === 'works_at_target'
  const name = isCompany ? (way.connection.company ?? target) : target
  return html`<span class="node"
    ><span class="face">${icon(isCompany ? 'work' : 'search')}</span><bdi>${name}</bdi></span
  >`
}

type Reason = Introduction['reasons'][number]

/** The first reason is the strongest. */
function reasonOf({ reasons }: Way): Reason {
  return reasons[0] ?? { kind: 'has_notes', text: '' }
}

function reasonText(reason: Reason | undefined): string {
  return reason ? (reason.relation ?? t(REASONS[reason.kind])) : ''
}

function quoteOf(reason: Reason | undefined): Html {
  return reason?.quote === undefined ? NOTHING : html`“<bdi>${reason.quote}</bdi>”`
}

const REASONS: Readonly<Record<Reason['kind'], string>> = {
  works_at_target: phrase('works there'),
  works_with_target: phrase('works at the same company'),
  related_to_target: phrase('has a relation to them'),
  mentioned_in_note: phrase('named in a note'),
  has_title: phrase('has that title'),
  tagged: phrase('has that tag'),
  same_trade_and_place: phrase('same trade and place'),
  same_location: phrase('same place'),
  has_notes: phrase('you have a note about them'),
  has_email: phrase('you have their email'),
}
