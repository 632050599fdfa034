/** `GET /assets/:file`: what pages are dressed with. */

import Type from 'typebox'
import { Refusal } from '../base/refusal.ts'
import { accepts } from '../http/accept.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { findAsset, type Asset } from './assets.ts'

/** The address changes with the content (RFC 8246). */
const CACHE_CONTROL = 'public, max-age=31536000, immutable'

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
        200: { description: 'The file', type: '*/*' },
        404: { description: 'No such file, or not in this version', type: 'problem' },
      },
      async handle({ params, header }) {
        const asset = findAsset(params.file)
        if (!asset) throw new Refusal('not_found', 'There is no such file in this version of Weft.')
        const { encoding, bytes } = encodedFor(asset, header('accept-encoding'))
        return {
          status: 200,
          headers: {
            'content-type': asset.type,
            'cache-control': CACHE_CONTROL,
            vary: 'Accept-Encoding',
            // Each encoding is a representation with a tag of its own (RFC 9110 section 8.8.3.3).
            etag: `"${asset.file}${encoding === undefined ? '' : `.${encoding}`}"`,
            ...(encoding !== undefined && { 'content-encoding': encoding }),
          },
          body: bytes,
        }
      },
    }),
  ]
}

interface EncodedAsset {
  /** As Content-Encoding has it; undefined for the file as it is. */
  readonly encoding: 'br' | 'gzip' | undefined
  readonly bytes: Uint8Array
}

/** The smallest that the browser can read. */
function encodedFor({ bytes, encoded }: Asset, acceptEncoding: string | undefined): EncodedAsset {
  if (encoded && accepts(acceptEncoding, 'br')) return { encoding: 'br', bytes: encoded.br() }
  if (encoded && accepts(acceptEncoding, 'gzip')) return { encoding: 'gzip', bytes: encoded.gzip() }
  return { encoding: undefined, bytes }
}
