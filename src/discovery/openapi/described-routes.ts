/** The routes that documents describe, and their path templates. */

import type { Route } from '../../http/route.ts'

/** All routes except pages for people and patterns that only return errors. */
export function describedRoutes(routes: readonly Route[]): Route[] {
  return routes.filter(
    ({ access, path, forPeople, described = access === 'public' || access === 'bearer' }) =>
      described && !forPeople && !path.includes('*'),
  )
}

/** The same without routes for devices, whose protocol OpenAPI cannot describe. */
export function httpRoutes(routes: readonly Route[]): Route[] {
  return describedRoutes(routes).filter(({ access }) => access !== 'device')
}

/** The same without copies of other routes, such as those of the sandbox. */
export function originalRoutes(routes: readonly Route[]): Route[] {
  return httpRoutes(routes).filter(({ copyOf }) => copyOf === undefined)
}
