/** The HTML document of every page: head, style sheet and script. */

import { assetPath } from './assets.ts'
import { currentLanguage } from '../languages/language.ts'
import { t } from '../languages/message.ts'
import { NOTHING, attributes, html, type Html } from './html.ts'
import { MANIFEST_PATH } from './site-map.ts'
import type { Theme } from '../http/browser-request.ts'

interface Document {
  /** Plain text for the window title. */
  readonly title: string
  /** The body class, which selects the layout in the style sheet. */
  readonly layout: 'card' | 'member' | 'public'
  /** Undefined follows the system. */
  readonly theme?: Theme | undefined
  /** A fragment with additional head elements. */
  readonly head?: Html
  /** A fragment with the content of the body. */
  readonly body: Html
}

/** A complete document, as the body of `pageAnswer`. */
export function renderDocument({ title, layout, theme, head = NOTHING, body }: Document): Html {
  return html`<!doctype html>
    <html lang="${currentLanguage()}" ${attributes({ 'data-theme': theme, ...scriptTexts() })}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="${theme ?? 'light dark'}" />
        <title>${title} · Weft</title>
        <link
          rel="preload"
          href="${assetPath('figtree-latin.woff2')}"
          as="font"
          type="font/woff2"
          crossorigin
        />
        <link rel="stylesheet" href="${assetPath('weft.css')}" />
        ${layout === 'member' ? WORKSPACE : ''}
        <link rel="icon" href="${assetPath('weft.svg')}" type="image/svg+xml" />
        <link rel="apple-touch-icon" href="${assetPath('icon-180.png')}" />
        <link rel="manifest" href="${MANIFEST_PATH}" />
        <script type="module" src="${assetPath('weft.js')}"></script>
        ${head}
      </head>
      <body class="${layout}">
        ${body}
      </body>
    </html>`
}

/** What scripts write into a page. */
function scriptTexts() {
  return {
    'data-text-calendar': t('Calendar'),
    'data-text-copied': t('Copied'),
    'data-text-hide': t('Hide'),
    'data-text-people': t('People'),
    'data-text-search': t('Search'),
    'data-text-show': t('Show'),
    'data-text-shortcuts': t('Keyboard shortcuts'),
  }
}

/** The styles and scripts of member pages only. */
const WORKSPACE = html`<link rel="stylesheet" href="${assetPath('workspace.css')}" />
  <script type="module" src="${assetPath('workspace.js')}"></script>`
