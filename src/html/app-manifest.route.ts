/** `/manifest.webmanifest`: lets browsers install Weft as an app that receives shared text (W3C Web Application Manifest). */

import { defineRoute, type Route } from '../http/route.ts'
import { content } from '../http/response.ts'
import { assetPath } from './assets.ts'
import {
  CONNECTIONS_PATH,
  MANIFEST_PATH,
  NEW_CONNECTION_PATH,
  SHARE_PATH,
  USER_PATH,
} from './site-map.ts'

const TYPE = 'application/manifest+json'

/** The background of the icons. */
const COLOR = '#16202e'

export function manifestRoute(): Route {
  return defineRoute({
    method: 'GET',
    path: MANIFEST_PATH,
    operationId: 'readAppManifest',
    summary: 'Manifest of the installable app (W3C Web Application Manifest)',
    access: 'public',
    answers: { 200: { description: 'The manifest', type: TYPE, headers: ['ETag'] } },
    async handle() {
      const headers = { 'cache-control': 'public, max-age=86400' }
      return content(JSON.stringify(manifest()), TYPE, 200, headers)
    },
  })
}

/** One purpose each: browsers warn about an icon with two. The icons keep the margin of a maskable one. */
function icon(size: 192 | 512, purpose: 'any' | 'maskable'): object {
  return {
    src: assetPath(`icon-${size}.png`),
    sizes: `${size}x${size}`,
    type: 'image/png',
    purpose,
  }
}

function manifest(): object {
  return {
    id: USER_PATH,
    name: 'Weft',
    short_name: 'Weft',
    description: 'Your network of people',
    start_url: USER_PATH,
    scope: '/',
    display: 'standalone',
    background_color: COLOR,
    theme_color: COLOR,
    icons: [icon(192, 'any'), icon(512, 'any'), icon(512, 'maskable')],
    shortcuts: [
      { name: 'Add person', url: NEW_CONNECTION_PATH },
      { name: 'Search connections', url: CONNECTIONS_PATH },
    ],
    share_target: {
      action: SHARE_PATH,
      method: 'GET',
      params: { title: 'title', text: 'text', url: 'url' },
    },
  }
}
