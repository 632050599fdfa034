// The links and accounts of a card. An account that is a link is one.

import { SERVICE_OF_SCHEME } from '../values/account-services.ts'
import { isWebAddress } from '../contact/urls.ts'
import { keepCustom, labeledValue, labelOf, ordered, rank, type Card } from './vcard-card.ts'
import { textOf, type CardProperty } from './vcard-property.ts'
import type { DraftValue } from '../contact/contact.ts'
import type { AccountHandle } from '../contact/details.ts'

/** Properties for one kind of link, with its label. */
const LABELED_LINKS: ReadonlyMap<string, string> = new Map([
  ['X-EVOLUTION-BLOG-URL', 'blog'],
  ['X-EVOLUTION-VIDEO-URL', 'video'],
])

export const LINK_PROPERTIES = [
  'URL',
  ...LABELED_LINKS.keys(),
  'X-SOCIALPROFILE',
  'SOCIALPROFILE',
  'X-LINKEDIN',
  'IMPP',
  'X-LINKEDIN-URL',
  'CALURI',
  'CONTACT-URI',
  'ORG-DIRECTORY',
]

/** Links of every kind. An account that is not a link becomes a handle. */
export function urlsOf(card: Card): readonly DraftValue[] {
  return LINK_PROPERTIES.flatMap((name) =>
    ordered(card.properties, name, rank).flatMap((property) => {
      const text = textOf(property.value)
      const label = name === 'URL' ? labelOf(property, card) : (LABELED_LINKS.get(name) ?? '')
      if (isLink(text)) return [labeledValue(text, label)]
      if (!HANDLE_PROPERTIES.has(name)) keepCustom(card, name, text)
      return []
    }),
  )
}

function isLink(text: string): boolean {
  const hasScheme = /^[\w.+-]+:/.test(text.trim())
  if (hasScheme && !/^https?:/i.test(text.trim())) return false
  return isWebAddress(text)
}

/** Properties with an account in each value. The service is in a parameter, in the scheme of the value, or here. */
export const HANDLE_PROPERTIES: ReadonlyMap<string, string> = new Map([
  ['IMPP', ''],
  ['X-SOCIALPROFILE', ''],
  ['SOCIALPROFILE', ''],
  ['X-MS-IMADDRESS', 'im'],
  ['X-KADDRESSBOOK-X-IMADDRESS', 'im'],
  ['X-FM-ONLINE-TWITTER', 'x'],
  ['X-MESSAGING/AIM-ALL', 'aim'],
  ['X-MESSAGING/ICQ-ALL', 'icq'],
  ['X-MESSAGING/MSN-ALL', 'msn'],
  ['X-MESSAGING/SKYPE-ALL', 'skype'],
  ['X-MESSAGING/XMPP-ALL', 'jabber'],
  ['X-MESSAGING/YAHOO-ALL', 'yahoo'],
  ['X-AIM', 'aim'],
  ['X-ICQ', 'icq'],
  ['X-JABBER', 'jabber'],
  ['X-MSN', 'msn'],
  ['X-YAHOO', 'yahoo'],
  ['X-SKYPE', 'skype'],
  ['X-SKYPE-USERNAME', 'skype'],
  ['X-QQ', 'qq'],
  ['X-GTALK', 'gtalk'],
  ['X-GOOGLE-TALK', 'gtalk'],
  ['X-TWITTER', 'x'],
  ['X-FACEBOOK', 'facebook'],
  ['X-INSTAGRAM', 'instagram'],
  ['X-WECHAT', 'wechat'],
  ['X-GADUGADU', 'gadu-gadu'],
  ['X-GROUPWISE', 'groupwise'],
  ['X-MATRIX', 'matrix'],
  ['X-MASTODON', 'mastodon'],
  ['X-SIGNAL', 'signal'],
  ['X-SIP', 'sip'],
  ['X-TELEGRAM', 'telegram'],
])

export function handlesOf(card: Card): readonly AccountHandle[] {
  return [...HANDLE_PROPERTIES].flatMap(([name, service]) =>
    ordered(card.properties, name, rank).flatMap((property) => {
      const text = textOf(property.value).trim()
      if (LINK_PROPERTIES.includes(name) && isLink(text)) return []
      const form = card.isOwn ? OWN_HANDLE : HANDLE
      const [, scheme = '', rest = text] = form.exec(text) ?? []
      const named = property.service || service || serviceOf(property, scheme)
      const place =
        card.labels.get(property.group) ??
        ['work', 'home', 'other'].find((label) => property.types.includes(label))
      // Apple writes what is no URL of a service with escapes: `x-apple:ann%40books.example`.
      const value = scheme.toLowerCase() === 'x-apple' ? unescapedUri(rest) : rest
      return [{ service: named, value, ...(place !== undefined && { label: place }) }]
    }),
  )
}

function unescapedUri(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch {
    return text
  }
}

const HANDLE = /^([a-z][\w.+-]*):(?:\/\/)?(.+)$/i
const OWN_HANDLE = /^([\w-]+):(.+)$/

function serviceOf({ types }: CardProperty, scheme: string): string {
  const known = scheme.toLowerCase()
  if (known !== '' && known !== 'x-apple') return SERVICE_OF_SCHEME.get(known) ?? known
  return types.find((type) => !['pref', 'home', 'work', 'other', 'internet'].includes(type)) ?? 'im'
}
