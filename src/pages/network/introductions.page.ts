/** The page "Introductions": the ways to a person or a company, the best of them as drawings. */

import { numberText } from '../../ui/numbers.ts'
import { phrase, t } from '../../languages/message.ts'
import { publicConnectionId, type Listed } from '../../connections/model/connection.ts'
import { face, faceAt } from '../../html/face.ts'
import { attributes, html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import { connectionPath, INTRODUCTIONS_PATH } from '../../html/site-map.ts'
import { nearDay } from '../../ui/calendar-date.ts'
import { withQuery } from '../../ui/with-query.ts'
import { workLine } from '../person/facts.ts'
import { personLink } from '../../connections/person/person-link.page.ts'
import { emptyNote, itemList, panel } from '../../ui/sections.ts'
import type { Introduction } from '../../connections/introductions/introductions.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import { networkTabs, stackOf, type Faces } from './network.page.ts'
import { introductionForm } from './introduction-form.ts'
import type { PeopleGroup } from '../../connections/overview/places.ts'
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
  readonly companies: readonly PeopleGroup[]
  readonly faces: Faces
  /** YYYY-MM-DD */
  readonly today: string
  /** Connections that are the target. */
  readonly known: readonly (readonly [Listed, Contact])[]
  /** Best first. */
  readonly ways: readonly Way[]
}

export function introductionsPage(view: IntroductionsView): Answer {
  const { browser, target } = view
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
            ${introductionForm('')} ${proposals(view)}`
        : html`${introductionForm(target)} ${results(view)}`,
  })
}

function proposals({ companies, faces }: IntroductionsView): Html {
  if (companies.length === 0) return NOTHING
  const items = companies.map((group) => {
    const path = withQuery(INTRODUCTIONS_PATH, { to: group.label })
    return html`<li>
      <a href="${path}"><bdi>${group.label}</bdi></a>
      <small>${numberText(group.people)}</small> ${stackOf(faces.get(group))}
    </li>`
  })
  return panel('proposed', t('Where you know most people'), itemList(items, NOTHING, 'known'))
}

/** As many ways as are drawn; the others are a list. */
const MAX_DRAWN = 3

/** A person in the network needs no introduction; those who are close to them are said all the same. */
function results(view: IntroductionsView): Html {
  const { known, ways, self, today } = view
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
    ([one, contact]) => html`<li>${you(self)} ${tie(contact, today)} ${node(one)}</li>`,
  )
  const shown = close.map((way) => drawnWay(way, view, node(first[0])))
  const items = itemList([...direct, ...shown], NOTHING, 'paths')
  const title = t('{count, plural, one {# person} other {# people}} close to them', {
    count: rest.length,
  })
  const how = isThrough ? t('Who can introduce you') : t('You know them already')
  return html`${panel('ways', how, items)} ${folded(title, rest)}`
}

/** The ways through people with contact; the others who are there are only listed. */
function waysThere(view: IntroductionsView): Html {
  const { ways, target } = view
  const there = ways.filter((way) => isThere(way) && way.contact.lastContactOn === null)
  const through = ways.filter((way) => !there.includes(way))
  const shown = through.slice(0, MAX_DRAWN).map((way) => drawnWay(way, view, goal(way, target)))
  const rest = through.slice(MAX_DRAWN)
  const more = t('{count, plural, one {# more person} other {# more people}}', {
    count: rest.length,
  })
  const isTitle = there.every((way) => reasonOf(way).kind === 'has_title')
  const known = isTitle ? t('People you know with that title') : t('People you know there')
  const said = isTitle ? 'has_title' : 'works_at_target'
  return html`${shown.length === 0 ? NOTHING : panel('ways', t('Who can introduce you'), itemList(shown, NOTHING, 'paths'))}
  ${folded(more, rest, { isOpen: true })} ${folded(known, there, { isOpen: true, said })}`
}

/** Whether they are at the target themselves. */
function isThere(way: Way): boolean {
  const { kind } = reasonOf(way)
  return kind === 'works_at_target' || kind === 'has_title'
}

/** From the member to the target, with what connects each with the next. */
function drawnWay(
  way: Way,
  { self, today }: Pick<IntroductionsView, 'self' | 'today'>,
  to: Html,
): Html {
  return html`<li>
    ${you(self)} ${tie(way.contact, today)} ${node(way.connection)} ${reasonTie(reasonOf(way))}
    ${to}
  </li>`
}

/** Reasons that say more than a shared employer. */
const CLOSE: ReadonlySet<Reason['kind']> = new Set(['related_to_target', 'mentioned_in_note'])

interface Folding {
  readonly isOpen?: boolean
  /** The reason that the title says. */
  readonly said?: Reason['kind']
}

/** What all have in common, the reason and the company, is said once, beside the title. */
function folded(title: string, ways: readonly Way[], { isOpen = false, said }: Folding = {}): Html {
  const [first] = ways
  if (!first) return NOTHING
  const common = reasonText(reasonOf(first))
  const isSame = (way: Way) => !reasonOf(way).quote && reasonText(reasonOf(way)) === common
  const isShared = ways.length > 1 && ways.every(isSame)
  const { company } = first.connection
  const isOneCompany = ways.length > 1 && ways.every((way) => way.connection.company === company)
  const rows = ways.map((way) => {
    const { connection, reasons } = way
    const isSaid = isShared || reasonOf(way).kind === said
    const shown = isOneCompany ? { title: connection.title, company: null } : connection
    const place = connection.location === null ? '' : html`<bdi>${connection.location}</bdi>`
    const note = isSaid ? place : html`${reasonText(reasons[0])} ${quoteOf(reasons[0])}`
    return html`<li>
      ${personLink(connection)} ${workLine(shown)}
      ${note === '' ? NOTHING : html`<small>${note}</small>`}
    </li>`
  })
  const shared = [
    isOneCompany && company !== null ? html`<bdi>${company}</bdi>` : NOTHING,
    isShared && reasonOf(first).kind !== said ? html`${common}` : NOTHING,
    html`${numberText(ways.length)}`,
  ].filter((part) => part !== NOTHING)
  return html`<details class="reached" ${attributes({ open: isOpen })}>
    <summary>
      <h2>${title}</h2>
      <small>${joinHtml(shared, ' · ')}</small>
    </summary>
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

function tie({ lastContactOn, strength }: Contact, today: string): Html {
  const text = lastContactOn === null ? t('no contact yet') : nearDay(lastContactOn, today)
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
