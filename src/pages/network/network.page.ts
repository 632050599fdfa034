/** The page "Network": charts of who the member knows. A sentence says what each shows, and every shape links to its people. */

import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { html, joinHtml, NOTHING, attributes, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import {
  IMPORT_PATH,
  INTRODUCTIONS_PATH,
  NETWORK_PATH,
  NEW_CONNECTION_PATH,
  networkPath,
} from '../../html/site-map.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { asTable, barTable, columnChart, type Bar } from '../../ui/charts.ts'
import { face } from '../../html/face.ts'
import { numberText } from '../../ui/numbers.ts'
import { panel, table, tabLinks } from '../../ui/sections.ts'
import { dateText } from '../../dates/format-date.ts'
import { nearDay } from '../../ui/calendar-date.ts'
import { companyBubbles } from './bubbles.ts'
import { placesMap } from './map.ts'
import {
  isSilent,
  type GroupFace,
  type LastContactCounts,
  type PeopleGroup,
} from '../../connections/overview/places.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { Answer } from '../../http/response.ts'
import type { ValueCount } from '../../search/index/count-values.ts'

export const NETWORK_VIEWS = ['places', 'companies', 'years', 'around'] as const
export type NetworkViewName = (typeof NETWORK_VIEWS)[number]

interface NetworkPage {
  readonly browser: SignedInRequest
  readonly view: NetworkViewName
  readonly people: number
  /** Below the heading. */
  readonly body: Html
}

export function networkPage({ browser, view, people, body }: NetworkPage): Answer {
  return memberPage({
    title: t('Network'),
    actions: people > 1 ? networkTabs(view) : NOTHING,
    browser,
    current: 'network',
    body: people > 1 ? body : tooFew(people),
  })
}

/** The views of the network, and the introductions. */
export function networkTabs(current: NetworkViewName | 'introductions'): Html {
  const labels = {
    places: t('Places'),
    companies: t('Companies'),
    years: t('Years'),
    around: t('Around a person'),
    introductions: t('Introductions'),
  }
  const paths = { places: NETWORK_PATH, introductions: INTRODUCTIONS_PATH }
  const links = [...NETWORK_VIEWS, 'introductions' as const].map((view) => {
    const path = view === 'places' || view === 'introductions' ? paths[view] : networkPath({ view })
    return { label: labels[view], path, isHere: view === current }
  })
  return tabLinks(t('Charts'), links)
}

function tooFew(people: number): Html {
  const text =
    people === 0
      ? t('No people yet. The charts need people with a location, a company or a last contact.')
      : t('One person is no network yet. The charts need at least two people.')
  return html`<section class="panel" aria-label="No charts yet">
    <div class="empty">
      <p>${text}</p>
      <div class="actions">
        <a class="button" href="${IMPORT_PATH}">Import contacts</a>
        <a class="button plain" href="${NEW_CONNECTION_PATH}">Add person</a>
      </div>
    </div>
  </section>`
}

export type Faces = ReadonlyMap<PeopleGroup, readonly GroupFace[]>

export function stackOf(faces: readonly GroupFace[] = []): Html {
  return html`<span class="faces" aria-hidden="true">${faces.map(face)}</span>`
}

interface GroupsView {
  readonly people: number
  readonly groups: readonly PeopleGroup[]
  /** The first of them. */
  readonly listed: readonly PeopleGroup[]
  readonly faces: Faces
  readonly contacts: LastContactCounts
  /** YYYY-MM-DD */
  readonly today: string
}

export function placesView({ people, groups, listed, faces, contacts, today }: GroupsView): Html {
  const located = groups.reduce((sum, group) => sum + group.people, 0)
  if (located === 0)
    return html`<p class="says">
        <b>No one has a location yet.</b> An import from LinkedIn, Google or an address book brings
        locations, and you can add them on a person's page.
      </p>
      ${contactBand(contacts)}`
  const cities = groups.flatMap((group) => (group.city ? [{ ...group, city: group.city }] : []))
  return html`<p class="says">
      <b>${t('{located} of {people} people have a location.', counted({ located, people }))}</b>
      ${halfOf(groups, located)} ${silentOf(groups)}
    </p>
    ${cities.length === 0 ? NOTHING : html`${placesMap(cities.slice(0, MAX_ROWS))} ${legend()}`}
    ${groupList('places', t('Places'), listed, { faces, groups, today, pathOf: placePath })}
    ${contactBand(contacts)}`
}

export function companiesView({ groups, listed, faces, contacts, today }: GroupsView): Html {
  if (groups.length === 0)
    return html`<p class="says">
        <b>No one has a company yet.</b> Add companies, or import a file that has them.
      </p>
      ${contactBand(contacts)}`
  const bubbles = companyBubbles(groups)
  const near = groups.filter(({ recent }) => recent > 0).length
  return html`<p class="says">
      <b
        >${t('Your people are at {companies} companies.', counted({ companies: groups.length }))}</b
      >
      ${t('People at {near} of them heard from you within a year.', counted({ near }))}
      ${silentOf(groups)}
    </p>
    ${bubbles === NOTHING ? NOTHING : html`${bubbles} ${legend()}`}
    ${groupList('companies', t('Companies'), listed, {
      faces,
      groups,
      today,
      pathOf: ({ label }) => listPath({ company: label }),
      hasNames: true,
    })}
    ${contactBand(contacts)}`
}

function counted<Name extends string>(numbers: Readonly<Record<Name, number>>) {
  return Object.fromEntries(
    Object.entries<number>(numbers).map(([name, number]) => [name, numberText(number)]),
  )
}

const LIST = perLanguage((locale) => new Intl.ListFormat(locale))

/** As `Half are in Berlin and London.`, or `Most people, 9, are in Warsaw.` */
function halfOf(groups: readonly PeopleGroup[], all: number): Html {
  let sum = 0
  const needed = groups.findIndex(({ people }) => (sum += people) * 2 >= all) + 1
  if (needed <= MAX_NAMED) {
    const names = LIST().format(groups.slice(0, needed).map(({ label }) => label))
    return html`${t('Half are in {names}.', { names })}`
  }
  const [{ label: name, people: count } = { label: '', people: 0 }, next] = groups
  if (count <= (next?.people ?? 0)) return NOTHING
  return html`${t('More are in {name} than anywhere else: {count}.', { name, count: numberText(count) })}`
}

const MAX_NAMED = 4

/** As `Warsaw and Lagos have not heard from you for a year.` */
function silentOf(groups: readonly PeopleGroup[]): Html {
  const silent = groups.filter((group) => isSilent(group) && group.people > 1).slice(0, 2)
  if (silent.length === 0) return NOTHING
  const names = LIST().format(silent.map(({ label }) => label))
  const count = silent.length
  return html`${t('{count, plural, one {{names} has} other {{names} have}} not heard from you for a year.', { count, names })}`
}

function legend(): Html {
  return html`<ul class="legend">
    <li><span class="swatch all"></span>Everyone there</li>
    <li><span class="swatch recent"></span>Heard from you within a year</li>
  </ul>`
}

/** Rows of the table. */
const MAX_ROWS = 60

interface GroupListing {
  readonly faces: Faces
  readonly groups: readonly PeopleGroup[]
  readonly today: string
  readonly pathOf: (group: PeopleGroup) => string
  /** Whether a row is a whole line, with names of its people and the last contact. */
  readonly hasNames?: boolean
}

/** The list of the people of a place; for a known city, also of those around it. */
function placePath({ label, city }: PeopleGroup): string {
  return listPath(city ? { near: label } : { place: label })
}

function groupList(
  id: string,
  title: string,
  listed: readonly PeopleGroup[],
  { faces, groups, today, pathOf, hasNames = false }: GroupListing,
): Html {
  const items = listed.map((group) => {
    const shown = faces.get(group) ?? []
    const stack = stackOf(shown)
    return html`<li>
      <a href="${pathOf(group)}"><bdi>${group.label}</bdi></a>
      <small>${numberText(group.people)}</small>
      ${hasNames ? html`${stack} ${namesIn(group, shown)} ${lastContact(group, today)}` : html`${heard(group)} ${stack}`}
    </li>`
  })
  const rows = groups.slice(0, MAX_ROWS).map(
    (group) =>
      html`<tr>
        <td>
          <a href="${pathOf(group)}"><bdi>${group.label}</bdi></a>
        </td>
        <td class="number">${numberText(group.people)}</td>
        <td class="number">${numberText(group.recent)}</td>
        <td>${group.latest === null ? t('Never') : nearDay(group.latest, today)}</td>
      </tr>`,
  )
  const headings = [
    title,
    [t('People'), 'number'],
    [t('Heard from you within a year'), 'number'],
    t('Last contact'),
  ] as const
  return html`<section class="groups" aria-labelledby="${id}">
    <h2 id="${id}">${title} <small>${numberText(groups.length)}</small></h2>
    <ul ${attributes({ class: hasNames ? 'group-list named' : 'group-list' })}>
      ${items}
    </ul>
    ${asTable(table(headings, rows))}
  </section>`
}

/** As `Grace Hopper, Alan Turing and 12 others`. */
function namesIn(group: PeopleGroup, shown: readonly GroupFace[]): Html {
  const others = group.people - shown.length
  const named = shown.map(({ name }) => html`<bdi>${name}</bdi>`)
  return html`<p>
    ${joinHtml(named, ', ')}
    ${others > 0 ? t('and {others, plural, one {# other} other {# others}}', { others }) : NOTHING}
  </p>`
}

function lastContact(group: PeopleGroup, today: string): Html {
  if (group.latest === null) return html`<span>${t('no contact yet')}</span>`
  return isSilent(group) ? heard(group) : html`<span>${nearDay(group.latest, today)}</span>`
}

function heard(group: PeopleGroup): Html {
  const { recent, latest } = group
  if (recent > 0)
    return html`<span>${t('{recent} within a year', { recent: numberText(recent) })}</span>`
  if (latest === null) return NOTHING
  return html`<span class="late">${t('silent since {year}', { year: latest.slice(0, 4) })}</span>`
}

/** How long ago everyone was last contacted, as one band. */
function contactBand({ all, quarter, year, longer }: LastContactCounts): Html {
  const parts = [
    { name: 'quarter', count: quarter, label: t('in the last 3 months') },
    { name: 'year', count: year, label: t('3 to 12 months ago') },
    {
      name: 'longer',
      count: longer,
      label: t('longer ago'),
      path: listPath({ has: 'contact', silent: '365' }),
    },
    {
      name: 'never',
      count: all - quarter - year - longer,
      label: t('never'),
      path: listPath({ lacks: 'contact' }),
    },
  ].filter(({ count }) => count > 0)
  let at = 0
  const shapes = parts.map(({ name, count }) => {
    const width = (count / all) * 100
    const shape = html`<rect
      class="${name}"
      x="${at.toFixed(2)}"
      width="${Math.max(width - 0.3, 0.2).toFixed(2)}"
      height="8"
    />`
    at += width
    return shape
  })
  const items = parts.map(({ name, count, label, path }) => {
    const text = html`<b>${numberText(count)}</b> ${label}`
    const shown =
      path === undefined ? html`<span>${text}</span>` : html`<a href="${path}">${text}</a>`
    return html`<li><span class="swatch ${name}"></span>${shown}</li>`
  })
  return html`<section class="band" aria-labelledby="contacts">
    <h2 id="contacts">
      Last contact <small>${t('{all} people', { all: numberText(all) })}</small>
    </h2>
    <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">${shapes}</svg>
    <ul class="legend">
      ${items}
    </ul>
  </section>`
}

interface YearsView {
  readonly years: readonly ValueCount[]
  /** By the Monday of each week; the last one is the present week. */
  readonly weeks: readonly ValueCount[]
  /** YYYY-MM-DD */
  readonly today: string
}

export function yearsView({ years, weeks, today }: YearsView): Html {
  const met = years.map(({ value, count }, at) => ({
    label: value,
    count,
    path: listPath({ met: value }),
    tick: years.length > MAX_TICKS && (years.length - at) % 2 === 0 ? undefined : value,
    isNow: value === today.slice(0, 4),
  }))
  const contacts = weeks.map(({ value, count }, at) => ({
    label: dateText(value),
    count,
    path: listPath({ contacted: value }),
    tick: value.slice(0, 7) === weeks[at - 1]?.value.slice(0, 7) ? undefined : monthName(value),
    isNow: at === weeks.length - 1,
  }))
  const highest = Math.max(0, ...met.map(({ count }) => count))
  const most = met.filter(({ count }) => count === highest).map(({ label }) => label)
  const all = contacts.reduce((sum, { count }) => sum + count, 0)
  return html`<p class="says">
      <b>
        ${
          most.length === 0
            ? t('It is not known when you met anyone.')
            : t(
                '{years, plural, one {You met most people in {year}: {count}.} other {You met most people in {year}: {count} each.}}',
                { years: most.length, year: LIST().format(most), count: numberText(highest) },
              )
        }
      </b>
      ${t('{count, plural, one {# contact was} other {# contacts were}} logged in the last half year.', { count: all })}
    </p>
    <div class="charts">
      ${columns('years', t('When you met'), [t('Year'), t('people')], 'person', met)}
      ${columns('weeks', t('Contacts per week'), [t('Week of'), t('contacts')], 'contact', contacts)}
    </div>`
}

/** CSS pixels of both charts, which begin and end at the same places. */
const YEARS_WIDTH = 780
/** More names of neighbors would touch each other. */
const MAX_TICKS = 24

const MONTH = perLanguage((locale) => {
  const format = new Intl.DateTimeFormat(locale, { month: 'short', timeZone: 'UTC' })
  return (day: string) => format.format(Date.parse(day)).replace('.', '').slice(0, 4)
})

function monthName(day: string): string {
  return MONTH()(day)
}

function columns(
  id: string,
  title: string,
  headings: readonly [string, string],
  unit: string,
  bars: readonly Bar[],
): Html {
  if (bars.every(({ count }) => count === 0)) return NOTHING
  const caption = `${bars[0]?.label ?? ''} – ${bars.at(-1)?.label ?? ''}`
  const chart = columnChart(bars, { title, unit, caption, width: YEARS_WIDTH })
  return panel(id, title, html`${chart} ${barTable(bars, headings)}`)
}
