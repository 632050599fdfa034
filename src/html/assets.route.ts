/** `GET /assets/:file`: style sheets, scripts, icons and fonts of the pages. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { findAsset } from './assets.ts'

/** The URL changes with the content (RFC 8246). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

/** One route for all assets. */
export function assetRoutes(): Route[] {
  return [
    defineRoute({
      method: 'GET',
      path: '/assets/:file',
      operationId: 'getAsset',
      summary: 'Read a style sheet, script, image or font of the pages',
      access: 'public',
      params: Type.Object({ file: Type.String() }),
      answers: {
        200: { description: 'The file', type: '*/*', headers: ['ETag'] },
        404: { description: 'The file does not exist in this version', type: 'problem' },
      },
      async handle({ params }) {
        const asset = findAsset(params.file)
        if (!asset) throw new RequestError('not_found', 'Asset not found in this version of Weft.')
        const { type, bytes, encodings } = asset
        const headers = {
          'content-type': type,
          'cache-control': CACHE_CONTROL,
          etag: `"${asset.file}"`,
        }
        return { status: 200, headers, body: bytes, ...(encodings && { encodings }) }
      },
    }),
  ]
}
