/** The face of a person beside their name: a photo that is stored here, or initials in a circle. */

import { initialsOf } from '../base/initials.ts'
import { html, type Html } from './html.ts'
import { photoPath, smallPhotoPath } from './site-map.ts'

interface Person {
  readonly name: string
  /** The ID of a stored photo. */
  readonly photo?: string | null | undefined
}

/** The face of a connection in a row. Decorative, beside the name. */
export function face({ name, photo }: Person): Html {
  return faceAt(name, photo == null ? undefined : smallPhotoPath(photo))
}

/** A face that is the subject of its page: the photo as it was uploaded. */
export function largeFace({ name, photo }: Person): Html {
  return faceAt(name, photo == null ? undefined : photoPath(photo))
}

/** A face with the photo at this path. */
export function faceAt(name: string, path: string | undefined): Html {
  if (path === undefined)
    return html`<span class="face hue-${hueOf(name)}" aria-hidden="true">${initialsOf(name)}</span>`
  return html`<img class="face" src="${path}" alt="" loading="lazy" decoding="async" />`
}

const HUES = 6

/** One of the hues of the style sheet, the same for a name on every page. */
export function hueOf(name: string): number {
  let sum = 0
  for (const character of name.slice(0, 100)) sum += character.codePointAt(0) ?? 0
  return sum % HUES
}
