/** The pages that the palette leads to, and the parts of the settings, by their names and by usual words for them. */

import { phrase } from '../../languages/message.ts'
import { sidebarPages } from '../../html/sidebar.ts'
import {
  ACCOUNT_PATH,
  CALENDAR_PATH,
  INTEGRATIONS_PATH,
  NOTIFICATIONS_PATH,
  PROFILE_PATH,
} from '../../html/site-map.ts'
import type { PaletteLink } from './palette.page.ts'

/** The pages of the sidebar. */
export function pageLinks(member: Parameters<typeof sidebarPages>[0]): readonly PaletteLink[] {
  return sidebarPages(member).map((page) =>
    Object.assign({}, page, { also: WORDS[page.name] ?? '' }),
  )
}

const WORDS: Readonly<Record<string, string>> = {
  network: phrase('map places companies years'),
  agents: phrase('integrations mcp assistant'),
  profile: phrase('headline public page username photo'),
  import: phrase('upload csv vcf vcard'),
  calendar: phrase('meetings events appointments'),
  devices: phrase('carddav sync iphone android address book'),
  notifications: phrase('summary push messages'),
  deleted: phrase('trash bin restore'),
  account: phrase('settings preferences options'),
  credits: phrase('usage limit quota'),
  admin: phrase('invite invitation members users'),
  help: phrase('documentation manual support'),
}

/** The parts of the settings, which are found by what is typed. */
export const SETTING_PAGES: readonly PaletteLink[] = [
  part(phrase('Email'), `${ACCOUNT_PATH}#email-heading`),
  part(phrase('Password'), `${ACCOUNT_PATH}#password-heading`, phrase('change reset')),
  part(phrase('Appearance'), `${ACCOUNT_PATH}#appearance`, phrase('theme dark light mode colors')),
  part(phrase('Language'), `${ACCOUNT_PATH}#language-heading`, phrase('german english')),
  part(phrase('Time zone'), `${PROFILE_PATH}#time_zone`, phrase('timezone clock')),
  part(
    phrase('Where you are signed in'),
    `${ACCOUNT_PATH}#sessions`,
    phrase('sessions devices sign out'),
  ),
  part(phrase('Passkeys'), `${ACCOUNT_PATH}#passkeys`, phrase('add sign in password security')),
  part(phrase('API tokens'), `${INTEGRATIONS_PATH}#tokens`, phrase('token key bearer')),
  part(phrase('Connect a calendar'), `${CALENDAR_PATH}#connect`, phrase('ical ics sync')),
  part(
    phrase('Calendar feed'),
    `${NOTIFICATIONS_PATH}#calendar-feed`,
    phrase('ical ics subscribe'),
  ),
  part(phrase('Phones and computers'), `${NOTIFICATIONS_PATH}#devices`, phrase('push devices')),
  part(phrase('Webhooks'), `${NOTIFICATIONS_PATH}#webhooks`, phrase('hook events')),
  part(phrase('Delete account'), `${ACCOUNT_PATH}#delete`),
]

function part(label: string, path: string, also = ''): PaletteLink {
  return { label, path, also, icon: 'settings' }
}
