/** Where a person goes after signing in: a page of this site and of no other. */

import { MEMBER_HOME_PATH } from '../../html/site-map.ts'

/** What forms and addresses call it. */
export const RETURN_TO = 'return_to'

/**
 * The path to go to, `otherwise` where what was asked for is not one of ours. Browsers read `//host`, `/\host` and such
 * with a tab in between as another site's address, so the text is judged both as it stands and as a URL parser
 * understands it.
 */
export function returnPath(
  asked: string | null,
  publicUrl: string,
  otherwise: string = MEMBER_HOME_PATH,
): string {
  if (asked === null || !isPathOfOurs(asked)) return otherwise
  const url = URL.parse(asked, publicUrl)
  if (!url || url.origin !== new URL(publicUrl).origin) return otherwise
  const path = url.pathname + url.search + url.hash
  return isPathOfOurs(path) ? path : otherwise
}

/** One slash first, no second one, and nothing that a URL parser drops or takes for a slash. */
function isPathOfOurs(path: string): boolean {
  return /^\/(?!\/)[^\\\p{C}]*$/u.test(path)
}
