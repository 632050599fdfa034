/** `/user/first-day`: saves the cadences that were chosen on the first day, or ends it. */

import { countCadences, endFirstDay } from '../../connections/cadence/likely-people.ts'
import { readConnectionId } from '../../connections/model/connection.ts'
import { formRoute, type PageDeps } from '../../forms/page-route.ts'
import { FIRST_DAY_PATH, USER_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { changeNoticePath } from '../../ui/change-notice.ts'
import { todayPathIn } from '../../ui/return-to.ts'
import { setTypedCadence } from '../../connections/cadence/cadence-form.page.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { NO_CADENCE_CHOICE, PICK_CADENCES, PICKS } from './pick-list.ts'
import { withQuery } from '../../ui/with-query.ts'
import type { Route } from '../../http/route.ts'

export function firstDayRoute(deps: PageDeps): Route {
  return formRoute(deps, {
    path: FIRST_DAY_PATH,
    async handle(request) {
      const { body, browser, db } = request
      const back = todayPathIn(body.get('back')) ?? USER_PATH
      if (body.has('end')) {
        await db.write((tx) => endFirstDay(tx, request.now))
        return seeOther(USER_PATH)
      }
      // Only people who do not have the cadence yet change.
      const activityId = await changeManually(request, async (changing) => {
        const dated = { ...changing, timeZone: browser.timeZone }
        const changed: (number | undefined)[] = []
        for (const cadence of [...PICK_CADENCES.map(([value]) => value), NO_CADENCE_CHOICE]) {
          const people = peopleWith(body, cadence)
          if (people.length > 0) changed.push(await setTypedCadence(dated, people, { cadence }))
        }
        return changed.find((one) => one !== undefined)
      })
      const isChosen = (await countCadences(db)) >= PICKS
      const after = isChosen ? withQuery(back, { chosen: String(PICKS) }) : back
      return seeOther(changeNoticePath(after, activityId))
    },
  })
}

function peopleWith(body: URLSearchParams, cadence: string): string[] {
  return [...body].flatMap(([name, value]) =>
    value === cadence && readConnectionId(name) !== undefined ? [name] : [],
  )
}
