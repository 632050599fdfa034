/** The page to return to after signing in, which must be on this site. */

import { MEMBER_HOME_PATH } from '../../html/site-map.ts'

/** Its name in forms and query strings. */
export const RETURN_TO = 'return_to'

/**
 * Returns `requested` as a path of this site, or `fallback` if it is not one. Browsers treat `//host`, `/\host` and
 * variants with a tab in between as another site's URL, so both the raw text and the parsed URL are checked.
 */
export function returnPath(
  requested: string | null,
  publicUrl: string,
  fallback: string = MEMBER_HOME_PATH,
): string {
  if (requested === null || !isLocalPath(requested)) return fallback
  const url = URL.parse(requested, publicUrl)
  if (!url || url.origin !== new URL(publicUrl).origin) return fallback
  const path = url.pathname + url.search + url.hash
  return isLocalPath(path) ? path : fallback
}

/** Starts with exactly one slash, and has no character that a URL parser drops or treats as a slash. */
function isLocalPath(path: string): boolean {
  return /^\/(?!\/)[^\\\p{C}]*$/u.test(path)
}
