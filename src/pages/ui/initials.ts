/** A photo that is stored here, or initials in a circle: pages load nothing from other hosts. */

import { initialsOf } from '../../base/initials.ts'
import { html, type Html } from '../../html/html.ts'
import { photoPath } from '../../html/site-map.ts'

/** A decorative fragment beside the name. */
export function initialsBadge(name: string): Html {
  return html`<span class="initials hue-${hueOf(name)}" aria-hidden="true"
    >${initialsOf(name)}</span
  >`
}

const HUES = 6

/** One of the hues of the style sheet, the same for a name on every page. */
function hueOf(name: string): number {
  let sum = 0
  for (const character of name.slice(0, 100)) sum += character.codePointAt(0) ?? 0
  return sum % HUES
}

/** The photo of a connection, or their initials. Decorative, beside the name. */
export function personBadge(name: string, photoId: string | undefined): Html {
  return photoBadge(name, photoId === undefined ? undefined : photoPath(photoId))
}

/** The photo at this path, or initials. Decorative, beside the name. */
export function photoBadge(name: string, path: string | undefined): Html {
  if (path === undefined) return initialsBadge(name)
  return html`<img class="initials" src="${path}" alt="" loading="lazy" />`
}
