/** Icons from the sprite `assets/icons.svg`. They take the color and size of the surrounding text. */

import { assetPath } from './assets.ts'
import { html, type Html } from './html.ts'

export type IconName =
  | 'account'
  | 'activity'
  | 'admin'
  | 'agents'
  | 'arrow-down'
  | 'arrow-up'
  | 'bell'
  | 'cake'
  | 'calendar'
  | 'chat'
  | 'check'
  | 'copy'
  | 'credits'
  | 'cross'
  | 'edit'
  | 'filter'
  | 'globe'
  | 'help'
  | 'home'
  | 'import'
  | 'jobs'
  | 'later'
  | 'left'
  | 'link'
  | 'list'
  | 'mail'
  | 'more'
  | 'network'
  | 'note'
  | 'people'
  | 'phone'
  | 'pin'
  | 'plus'
  | 'right'
  | 'search'
  | 'settings'
  | 'sign-out'
  | 'tag'
  | 'tidy'
  | 'today'
  | 'trash'
  | 'undo'
  | 'up-down'
  | 'view'
  | 'work'

/** A decorative fragment; always use it next to a text label. */
export function icon(name: IconName): Html {
  return html`<svg class="icon" aria-hidden="true">
    <use href="${assetPath('icons.svg')}#${name}"></use>
  </svg>`
}

/** A fragment: the Weft logo and name. */
export function brand(): Html {
  return html`<svg class="mark" aria-hidden="true">
      <use href="${assetPath('icons.svg')}#weft"></use>
    </svg>
    Weft`
}
