/** A photo that is stored here, or initials in a circle: pages load nothing from other hosts. */

import { lazy } from '../../base/lazy.ts'
import { html, type Html } from '../../html/html.ts'
import { photoPath } from '../../html/site-map.ts'

/** A decorative fragment beside the name. */
export function initialsBadge(name: string): Html {
  return html`<span class="initials" aria-hidden="true">${initialsOf(name)}</span>`
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

/** The first grapheme of the first and last word. */
export function initialsOf(name: string): string {
  const words = name.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '')
  const ends = words.length > 1 ? [words.at(0), words.at(-1)] : [words[0] ?? name]
  return ends.map((word = '') => firstCharacter(word).toUpperCase()).join('')
}

function firstCharacter(word: string): string {
  const [first] = CHARACTERS().segment(word)
  return first?.segment ?? ''
}

const CHARACTERS = lazy(() => new Intl.Segmenter('en', { granularity: 'grapheme' }))
