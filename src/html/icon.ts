/** Icons from the sprite `assets/icons.svg`; they take the color and size of the text beside them. */

import { assetPath } from './assets.ts'
import { html } from './html.ts'

export type IconName =
  | 'account'
  | 'activity'
  | 'agents'
  | 'check'
  | 'connections'
  | 'credits'
  | 'cross'
  | 'follow-ups'
  | 'import'
  | 'jobs'
  | 'menu'
  | 'admin'
  | 'profile'
  | 'search'
  | 'sign-out'

/** A fragment; only an ornament beside words that say the same. */
export function icon(name: IconName): string {
  return html`<svg class="icon" aria-hidden="true">
    <use href="${assetPath('icons.svg')}#${name}"></use>
  </svg>`
}

/** A fragment: the mark of Weft and its name. */
export function brand(): string {
  return html`<svg class="mark" aria-hidden="true">
      <use href="${assetPath('icons.svg')}#weft"></use>
    </svg>
    Weft`
}
