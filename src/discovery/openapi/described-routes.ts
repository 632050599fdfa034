/** Which routes the documents tell of, and how they write a path. */

import type { Route } from '../../http/route.ts'

/** All routes except pages for people and patterns that only refuse. */
export function describedRoutes(routes: readonly Route[]): Route[] {
  return routes.filter(
    ({ access, path, forPeople, described = access === 'public' || access === 'bearer' }) =>
      described && !forPeople && !path.includes('*'),
  )
}

/** The same without those that repeat another, as the sandbox does: for lists that say so in one sentence. */
export function originalRoutes(routes: readonly Route[]): Route[] {
  return describedRoutes(routes).filter(({ copyOf }) => copyOf === undefined)
}
