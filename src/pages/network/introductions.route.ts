/** `/user/network/introductions`: who may know a person, someone at a company, or people with an occupation. */

import {
  findIntroductions,
  type Introduction,
} from '../../connections/introductions/introductions.ts'
import { contactTimesOf } from '../../connections/last-contact/read-contact-times.ts'
import { facesOf, groupByCompany } from '../../connections/overview/places.ts'
import { MAX_FILTER_LENGTH } from '../../connections/search/query-lengths.ts'
import { pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { INTRODUCTIONS_PATH } from '../../html/site-map.ts'
import { timesOf } from '../../ui/time.ts'
import { introductionsPage, type Contact, type Way } from './introductions.page.ts'
import { selfOf } from './neighborhood.ts'
import { strengthOf } from './read-neighborhood.ts'
import type { Listed } from '../../connections/model/connection.ts'
import type { Route } from '../../http/route.ts'

const [MAX_SHOWN, MAX_COMPANIES] = [20, 8]

export function introductionsRoute(deps: PageDeps): Route {
  return pageRoute(deps, {
    path: INTRODUCTIONS_PATH,
    async handle({ search, browser, db, now }) {
      const target = (new URLSearchParams(search).get('to') ?? '')
        .trim()
        .slice(0, MAX_FILTER_LENGTH)
      const { today } = timesOf(browser, now)
      const view = { browser, target, today, self: selfOf(browser) }
      if (target === '') {
        const companies = (await groupByCompany(db, today)).slice(0, MAX_COMPANIES)
        const faces = await facesOf(db.heavy, 'company', companies)
        return introductionsPage({ ...view, companies, faces, known: [], ways: [] })
      }
      const { known, introductions } = await findIntroductions(db, { target, now })
      const listed = [...known, ...introductions.map(({ connection }) => connection)]
      const times = await contactTimesOf(
        db,
        listed.map(({ connectionId }) => connectionId),
      )
      const contactOf = ({ connectionId }: Listed): Contact => {
        const lastContactOn = times.get(connectionId)?.lastContactOn ?? null
        return { lastContactOn, strength: strengthOf(lastContactOn, today) }
      }
      const ways = introductions.map((one) =>
        Object.assign({}, one, { contact: contactOf(one.connection) }),
      )
      return introductionsPage({
        ...view,
        companies: [],
        faces: new Map(),
        known: known.slice(0, MAX_SHOWN).map((one) => [one, contactOf(one)] as const),
        ways: ways.toSorted((one, other) => worth(other) - worth(one)).slice(0, MAX_SHOWN),
      })
    },
  })
}

/** Added to the worth of a reason, so that a recent contact decides between equal ones. */
const BONUS = { quarter: 0.3, year: 0.15, longer: 0 } as const
/** Added for any contact: more than the best reason is worth. */
const SPOKEN = 1.5

function worth({ score, contact }: Pick<Way, 'contact'> & Pick<Introduction, 'score'>): number {
  return score + BONUS[contact.strength] + (contact.lastContactOn === null ? 0 : SPOKEN)
}
