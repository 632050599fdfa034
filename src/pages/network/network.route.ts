/** `/user/network`: charts of the network: where people are, their companies, when they were met, and who is around one. */

import * as Type from '../../base/type.ts'
import { monthsLater } from '../../dates/calendar-day.ts'
import { countYears } from '../../connections/overview/count-years.ts'
import { countWeeks } from '../../connections/overview/network-charts.ts'
import { summarizeNetwork } from '../../connections/overview/network-summary.ts'
import {
  countLastContacts,
  facesOf,
  groupByCity,
  groupByCompany,
} from '../../connections/overview/places.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-lengths.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { NETWORK_PATH } from '../../html/site-map.ts'
import { readNetworkState } from '../../tools/network-state.ts'
import { timesOf } from '../../ui/time.ts'
import {
  NETWORK_VIEWS,
  companiesView,
  networkPage,
  placesView,
  yearsView,
  type NetworkViewName,
} from './network.page.ts'
import { aroundCompany, aroundPerson, choosePerson } from './read-neighborhood.ts'
import { selfOf, type Face } from './neighborhood.ts'
import type { Html } from '../../html/html.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { NetworkState } from '../../tools/network-state.ts'
import type { Route } from '../../http/route.ts'

const MAX_YEARS = 30
const MAX_LISTED = 20

const Asked = Type.Object({
  view: Type.Optional(Type.Enum([...NETWORK_VIEWS], { type: 'string' })),
  around: Type.Optional(Type.String({ pattern: '^c_[1-9][0-9]{0,15}$' })),
  company: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
  who: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
})

type Asked = Type.Static<typeof Asked>

export function networkRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: NETWORK_PATH,
    async handle({ search, db, browser, now }) {
      const sent = new URLSearchParams(search)
      const names = ['view', 'around', 'company', 'who'] as const
      const asked = readTyped(
        Asked,
        Object.fromEntries(names.map((name) => [name, sent.get(name) ?? ''])),
      )
      const network = await readNetworkState(db)
      const { live: people } = await summarizeNetwork(db, network)
      const { today } = timesOf(browser, now)
      const isAround = [asked.around, asked.company, asked.who].some((one) => one !== undefined)
      const view = isAround ? 'around' : (asked.view ?? 'places')
      const body = await bodyOf(view, { db, network, today, people, asked, self: selfOf(browser) })
      return networkPage({ browser, view, people: isAround ? Math.max(people, 2) : people, body })
    },
  })
}

interface Reading {
  readonly db: MemberDatabase
  readonly network: NetworkState
  /** YYYY-MM-DD */
  readonly today: string
  readonly people: number
  readonly asked: Asked
  readonly self: Face
}

async function bodyOf(view: NetworkViewName, reading: Reading): Promise<Html> {
  const { db, network, today, people, asked, self } = reading
  if (view === 'years') {
    const [years, weeks] = await Promise.all([
      countYears(db, network, MAX_YEARS),
      countWeeks(db, today),
    ])
    return yearsView({ years, weeks, today })
  }
  if (view === 'around') {
    if (asked.around !== undefined) return aroundPerson(db, asked.around, { today, self })
    if (asked.company !== undefined) return aroundCompany(db, asked.company, { today, self })
    return choosePerson(db, asked.who ?? '')
  }
  const since = { quarter: monthsLater(today, -3), year: monthsLater(today, -12) }
  const group = view === 'places' ? groupByCity : groupByCompany
  const [groups, contacts] = await Promise.all([
    group(db, since.year),
    countLastContacts(db, since),
  ])
  const listed = groups.slice(0, MAX_LISTED)
  const faces = await facesOf(db.heavy, view === 'places' ? 'location' : 'company', listed)
  const shown = { people, groups, listed, faces, contacts, today }
  return view === 'places' ? placesView(shown) : companiesView(shown)
}
