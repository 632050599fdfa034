/** `/user/network`: charts of the network, and of the people around one person or company. */

import * as Type from '../../base/type.ts'
import { countYears } from '../../connections/overview/count-years.ts'
import { countCompanyTags, countWeeks } from '../../connections/overview/network-charts.ts'
import { countBy, summarizeNetwork } from '../../connections/overview/network-summary.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-limits.ts'
import { readTyped } from '../../forms/field-errors.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { NOTHING } from '../../html/html.ts'
import { NETWORK_PATH } from '../../html/site-map.ts'
import { readNetworkState } from '../../tools/call-state.ts'
import { timesOf } from '../ui/time.ts'
import { chartsPage } from './network.page.ts'
import { aroundCompany, aroundPerson } from './read-neighborhood.ts'
import type { Route } from '../../http/route.ts'

const [MAX_YEARS, MAX_ROWS] = [30, 12]

const Asked = Type.Object({
  around: Type.Optional(Type.String({ pattern: '^c_[1-9][0-9]{0,15}$' })),
  company: Type.Optional(Type.String({ maxLength: MAX_FILTER_LENGTH })),
})

export function networkRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: NETWORK_PATH,
    async handle({ search, db, browser, now }) {
      const sent = Object.fromEntries(new URLSearchParams(search))
      const { around, company } = readTyped(Asked, {
        around: sent['around'] ?? '',
        company: sent['company'] ?? '',
      })
      const network = await readNetworkState(db)
      const summary = await summarizeNetwork(db, network)
      const top = async (by: 'company' | 'location') =>
        (await countBy(db, network, by)).counts.slice(0, MAX_ROWS)
      const [years, weeks, companies, locations, companyTags, chart] = await Promise.all([
        countYears(db, network, MAX_YEARS),
        countWeeks(db, timesOf(browser, now).today),
        top('company'),
        top('location'),
        countCompanyTags(db, network),
        around !== undefined
          ? aroundPerson(db, around)
          : company !== undefined
            ? aroundCompany(db, company)
            : NOTHING,
      ])
      const charts = { years, weeks, companies, locations, companyTags }
      return chartsPage({ browser, people: summary.live, ...charts, around: chart })
    },
  })
}
