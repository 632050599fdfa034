/**
 * Style sheets, scripts, icons and fonts of the pages. File names include a content hash, so they are cached
 * permanently.
 */

import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { encodingsOf } from '../http/content-encoding.ts'
import { type Encodings } from '../http/response.ts'

interface Asset {
  /** The file name in its URL: `weft-5f0c….css`. */
  readonly file: string
  readonly type: string
  readonly bytes: Uint8Array
  /** Undefined for formats that are already compressed. */
  readonly encodings: Encodings | undefined
}

const SVG = 'image/svg+xml'
const STYLE = 'text/css; charset=utf-8'
const SCRIPT = 'text/javascript; charset=utf-8'
const FONT = 'font/woff2'
const PNG = 'image/png'

/** One variable font for all weights, in two files. Browsers fetch the second only if a page needs its characters. */
const FONTS = {
  'figtree-latin.woff2': readFont('figtree-latin'),
  'figtree-latin-ext.woff2': readFont('figtree-latin-ext'),
} as const satisfies Record<string, Asset>

const ASSETS = {
  ...FONTS,
  'weft.css': textAsset('weft.css', STYLE, FONTS),
  'docs.css': textAsset('docs.css', STYLE),
  'workspace.js': joinedAsset('workspace.js', SCRIPT, [
    'list.js',
    'swap.js',
    'tags.js',
    'keys.js',
    'mentions.js',
    'drafts.js',
  ]),
  'workspace.css': joinedAsset('workspace.css', STYLE, [
    'member-layout.css',
    'list.css',
    'command-palette.css',
    'network.css',
    'activity.css',
    'today.css',
  ]),
  'weft.js': textAsset('weft.js', SCRIPT),
  'passkey.js': textAsset('passkey.js', SCRIPT),
  'push.js': textAsset('push.js', SCRIPT),
  'weft.svg': textAsset('weft.svg', SVG),
  'icons.svg': textAsset('icons.svg', SVG),
  'land.svg': textAsset('land.svg', SVG),
  'icon-180.png': imageAsset('icon-180.png'),
  'icon-192.png': imageAsset('icon-192.png'),
  'icon-512.png': imageAsset('icon-512.png'),
} as const satisfies Record<string, Asset>

type AssetName = keyof typeof ASSETS

/** The URL path, which contains a hash of the content. */
export function assetPath(name: AssetName): string {
  return `/assets/${ASSETS[name].file}`
}

/** `file` is the hashed name from `assetPath`. */
export function findAsset(file: string): Asset | undefined {
  return Object.values(ASSETS).find((asset) => asset.file === file)
}

function readFont(name: string): Asset {
  const path = `@fontsource-variable/figtree/files/${name}-wght-normal.woff2`
  const bytes = readFileSync(createRequire(import.meta.url).resolve(path))
  return { file: fileOf(`${name}.woff2`, bytes), type: FONT, bytes, encodings: undefined }
}

function imageAsset(name: string): Asset {
  const bytes = readFileSync(new URL(`./assets/${name}`, import.meta.url))
  return { file: fileOf(name, bytes), type: PNG, bytes, encodings: undefined }
}

/** One file from several, in this order: one for each area of the pages. */
function joinedAsset(name: string, type: string, parts: readonly string[]): Asset {
  const bytes = Buffer.concat(parts.map((part) => textAsset(part, type).bytes))
  return { file: fileOf(name, bytes), type, bytes, encodings: encodingsOf(bytes) }
}

/** Strips comments, and replaces `url(…)` references to `deps` with their hashed file names. */
function textAsset(name: string, type: string, deps: Readonly<Record<string, Asset>> = {}): Asset {
  const source = readFileSync(new URL(`./assets/${name}`, import.meta.url), 'utf8')
  const text = Object.entries(deps).reduce(
    (made, [part, { file }]) => made.replace(`url(${part})`, `url(${file})`),
    withoutComments(source),
  )
  const bytes = Buffer.from(text)
  return { file: fileOf(name, bytes), type, bytes, encodings: encodingsOf(bytes) }
}

/** Strips `//` lines and block comments that start a line. */
function withoutComments(source: string): string {
  // regex-ok: our own files
  return source.replaceAll(/^\s*(?:\/\/.*|\/\*[^]*?\*\/)\n/gm, '').replaceAll(/^\s+/gm, '')
}

function fileOf(name: string, bytes: Uint8Array): string {
  return name.replace('.', `-${hash('sha256', bytes, 'hex').slice(0, 16)}.`)
}
