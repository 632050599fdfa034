/** A configuration profile with which iPhones and Macs add the address book. */

import { hash } from 'node:crypto'
import { escapeXml } from '../../dav/xml.ts'
import { principalHref } from '../../dav/hrefs.ts'

interface ProfileDevice {
  readonly publicUrl: string
  readonly memberId: number
  readonly username: string
  readonly password: string
}

export const PROFILE_TYPE = 'application/x-apple-aspen-config; charset=utf-8'

export function appleProfile({ publicUrl, memberId, username, password }: ProfileDevice): string {
  const { hostname, port, protocol } = new URL(publicUrl)
  const isSecure = protocol === 'https:'
  const id = uuidOf(`${publicUrl} ${memberId} ${password}`)
  const account = dict({
    CardDAVAccountDescription: `Weft (${hostname})`,
    CardDAVHostName: hostname,
    CardDAVPort: Number(port || (isSecure ? 443 : 80)),
    CardDAVUseSSL: isSecure,
    CardDAVPrincipalURL: principalHref(memberId),
    CardDAVUsername: username,
    CardDAVPassword: password,
    PayloadIdentifier: `weft.${hostname}.${memberId}.contacts`,
    PayloadType: 'com.apple.carddav.account',
    PayloadUUID: uuidOf(`account ${id}`),
    PayloadVersion: 1,
  })
  const profile = dict({
    PayloadDisplayName: `Weft contacts (${hostname})`,
    PayloadIdentifier: `weft.${hostname}.${memberId}`,
    PayloadType: 'Configuration',
    PayloadUUID: id,
    PayloadVersion: 1,
    PayloadContent: [account],
  })
  return `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
<plist version="1.0">${profile}</plist>
`
}

/** An array holds dicts. */
function dict(values: Readonly<Record<string, string | number | boolean | readonly string[]>>) {
  const entries = Object.entries(values).map(([key, value]) => {
    if (Array.isArray(value)) return `<key>${key}</key><array>${value.join('')}</array>`
    if (typeof value === 'boolean') return `<key>${key}</key><${value}/>`
    if (typeof value === 'number') return `<key>${key}</key><integer>${value}</integer>`
    return `<key>${key}</key><string>${escapeXml(String(value))}</string>`
  })
  return `<dict>${entries.join('')}</dict>`
}

/** The same profile is installed once, however often it is downloaded. */
function uuidOf(text: string): string {
  const hex = hash('sha256', text, 'hex').toUpperCase()
  return [
    hex.slice(0, 8),
    hex.slice(8, 12),
    `4${hex.slice(13, 16)}`,
    `8${hex.slice(17, 20)}`,
    hex.slice(20, 32),
  ].join('-')
}
