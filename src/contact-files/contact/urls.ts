// Normalizes URLs as people and exports write them.

import { decodedUri } from '../../base/parse-text.ts'
import { normalForm } from '../../base/normal-form.ts'
import { oneLine } from './clean-text.ts'
import { MAX_URI_LENGTH } from '../../base/limits.ts'

/** A LinkedIn profile as https://www.linkedin.com/in/<slug>, without country subdomain or tracking, in lower case. */
export function profileUrlIn(text: string): string | null {
  const slug = PROFILE.exec(text)?.[1]
  const plain = slug === undefined ? '' : plainSlug(slug)
  const url = `https://www.linkedin.com/in/${plain}`
  return plain !== '' && url.length <= MAX_URI_LENGTH ? url : null
}

/** An http(s) URL with its scheme; null for other schemes and for text that is not a URL. */
export function linkIn(text: string): string | null {
  const written = oneLine(text, MAX_URI_LENGTH + 1)
  if (written.length > MAX_URI_LENGTH || /[\s"<>]/.test(written)) return null
  const url = URL.parse(withScheme(written))
  if (url === null || !/^https?:$/.test(url.protocol) || !HOST.test(url.hostname)) return null
  url.username = ''
  url.password = '' // credentials in a URL are not stored
  const href = url.href.replace(/^([^/]+\/\/[^/]+)\/$/, '$1')
  return href.length <= MAX_URI_LENGTH && !/\p{C}/u.test(href) ? href : null
}

/** Whether the text is a LinkedIn profile or a link. */
export function isWebAddress(text: string): boolean {
  return PLAIN_URL.test(text) || profileUrlIn(text) !== null || linkIn(text) !== null
}

/** Most URLs. Parsing them takes longer. */
const PLAIN_URL = /^https?:\/\/[\w.-]{1,200}\.[a-z]{2,20}(?:[/?#][!#-;=?-~]{0,1000})?$/i

const PROFILE =
  /^\s*(?:https?:\/\/)?(?:[a-z0-9-]{1,10}\.){0,2}linkedin\.com\/(?:mwlite\/)?in\/([^/?#\s"<>,]+)/i

const HOST = /[^.]\.[^.]|^\[|^localhost$/

/** `www.x.org/y` and `x.org:8080` have no scheme; `javascript:x` has one that is not allowed. */
function withScheme(written: string): string {
  if (/^https?:\/\//i.test(written)) return written
  if (written.startsWith('//')) return `https:${written}`
  return /^(?=[^\s/?#@:]+\.[^\s/?#@:])[^\s/?#@:]+(?::\d+)?(?:[/?#]|$)/.test(written)
    ? `https://${written}`
    : written
}

function plainSlug(slug: string): string {
  const whole = decodedUri(slug)
  const decoded = whole === undefined ? undefined : normalForm(whole, 'NFC').toLowerCase()
  const readable = decoded !== undefined && !/[\s/?#%\\"<>\p{C}]/u.test(decoded)
  return readable ? decoded : slug.replace(/[\\\p{C}]/gu, '').toLowerCase()
}
