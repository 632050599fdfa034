// Web addresses as people and exports write them, brought to one form each.

import { oneLine } from './clean-text.ts'

/** A LinkedIn profile as https://www.linkedin.com/in/<slug>, whatever country, tracking or case. */
export function profileUrlIn(text: string): string | null {
  const slug = PROFILE.exec(text)?.[1]
  const plain = slug === undefined ? '' : plainSlug(slug)
  const url = `https://www.linkedin.com/in/${plain}`
  return plain !== '' && url.length <= URL_CAP ? url : null
}

/** An http(s) address with its scheme; null for every other scheme and for what is no address. */
export function linkIn(text: string): string | null {
  const written = oneLine(text, URL_CAP + 1)
  if (written.length > URL_CAP || /[\s"<>]/.test(written)) return null
  const url = URL.parse(withScheme(written))
  if (url === null || !/^https?:$/.test(url.protocol) || !HOST.test(url.hostname)) return null
  url.username = ''
  url.password = '' // a secret in an address is not ours to keep
  const href = url.href.replace(/^([^/]+\/\/[^/]+)\/$/, '$1')
  return href.length <= URL_CAP && !/\p{C}/u.test(href) ? href : null
}

const URL_CAP = 2000 // characters: what browsers and servers agree to carry

const PROFILE =
  /^\s*(?:https?:\/\/)?(?:[a-z0-9-]{1,10}\.){0,2}linkedin\.com\/(?:mwlite\/)?in\/([^/?#\s"<>]+)/i

const HOST = /[^.]\.[^.]|^\[|^localhost$/

/** `www.x.org/y` has no scheme; `x.org:8080` has none either, `javascript:x` has a wrong one. */
function withScheme(written: string): string {
  if (/^https?:\/\//i.test(written)) return written
  if (written.startsWith('//')) return `https:${written}`
  return /^[^\s/?#@:]+\.[^\s/?#@:]+(?::\d+)?(?:[/?#]|$)/.test(written)
    ? `https://${written}`
    : written
}

function plainSlug(slug: string): string {
  const decoded = decodedOrNull(slug)?.normalize('NFC').toLowerCase()
  const readable = decoded !== undefined && !/[\s/?#%\\"<>\p{C}]/u.test(decoded)
  return readable ? decoded : slug.replace(/[\\\p{C}]/gu, '').toLowerCase()
}

function decodedOrNull(slug: string): string | undefined {
  try {
    return decodeURIComponent(slug)
  } catch {
    return undefined
  }
}
