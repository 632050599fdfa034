/** What pages are dressed with: the style sheet, the script, the icons. Named by their content, so kept for ever. */

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'

export interface Asset {
  /** As in its address: `weft-5f0c….css`. */
  readonly file: string
  readonly type: string
  readonly etag: string
  readonly bytes: Uint8Array
}

const TYPES = {
  'weft.css': 'text/css; charset=utf-8',
  'weft.js': 'text/javascript; charset=utf-8',
  'weft.svg': 'image/svg+xml',
  'icons.svg': 'image/svg+xml',
} as const

export type AssetName = keyof typeof TYPES

const ASSETS = {
  'weft.css': readAsset('weft.css'),
  'weft.js': readAsset('weft.js'),
  'weft.svg': readAsset('weft.svg'),
  'icons.svg': readAsset('icons.svg'),
} as const satisfies Record<AssetName, Asset>

export function assetPath(name: AssetName): string {
  return `/assets/${ASSETS[name].file}`
}

export function findAsset(file: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.file === file)
}

function readAsset(name: AssetName): Asset {
  const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url))
  const digest = hash('sha256', bytes, 'hex').slice(0, 16)
  return { file: name.replace('.', `-${digest}.`), type: TYPES[name], etag: `"${digest}"`, bytes }
}
