/** The people before and after one of the list, for the page that was opened from there. */

import { RequestError } from '../../base/request-error.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { readCustomFields } from '../../connections/custom-fields/custom-fields.ts'
import { findListed } from '../../connections/people/find-people.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { timesOf } from '../../ui/time.ts'
import { peopleQueryOf } from '../../connections/people/list-query.ts'
import { readListState } from '../../connections/people/list-state.ts'
import { PAGE_SIZE, type ListDeps } from './list.route.ts'
import type { FindNeighbors } from '../person/details.page.ts'

/** Finds nothing if the list is invalid or no longer has the person. */
export function neighborFinder({ embedder }: ListDeps): FindNeighbors {
  return async ({ db, browser, now, signal }, list, connectionId) => {
    try {
      const state = readListState(list)
      const fields = await readCustomFields(db)
      const { today, timeZone } = timesOf(browser, now)
      const query = peopleQueryOf(state, { fields, today, now })
      const { ids, total } = await findListed(db, query, { embedder, now, timeZone, signal })
      const at = ids.indexOf(connectionId)
      if (at < 0) return undefined
      const page = Math.floor(at / PAGE_SIZE) + 1
      const idAt = (index: number) => ids.slice(index, index + 1).map(publicConnectionId)[0]
      return {
        position: at + 1,
        total,
        previous: at === 0 ? undefined : idAt(at - 1),
        next: idAt(at + 1),
        listPath: listPath({ ...state, page: page === 1 ? '' : String(page) }),
      }
    } catch (error) {
      if (error instanceof RequestError) return undefined
      throw error
    }
  }
}
