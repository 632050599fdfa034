/** Metadata of a public page for search engines and link previews (https://ogp.me). */

import { assetPath } from './assets.ts'
import { html, type Html } from './html.ts'

interface LinkPreview {
  readonly title: string
  readonly description: string
  /** The absolute URL of the page. */
  readonly url: string
  /** The absolute URL of a square image; the icon of Weft by default. */
  readonly image?: string | null
  readonly type?: 'website' | 'profile'
}

export function linkPreview(page: LinkPreview): Html {
  const { title, description, url, image, type = 'website' } = page
  return html`<meta name="description" content="${description}" />
    <meta property="og:type" content="${type}" />
    <meta property="og:site_name" content="Weft" />
    <meta property="og:title" content="${title}" />
    <meta property="og:description" content="${description}" />
    <meta property="og:url" content="${url}" />
    <meta property="og:image" content="${image ?? new URL(assetPath('icon-512.png'), url).href}" />
    <meta name="twitter:card" content="summary" />`
}
