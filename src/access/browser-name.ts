/** Describes a browser by its User-Agent: "Firefox on Windows". */

import { t } from '../languages/message.ts'

/** Order matters: User-Agents of earlier entries also contain the names of later ones. */
const BROWSERS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\bEdg(?:e|A|iOS)?\//, 'Edge'],
  [/\b(?:OPR|Opera)\//, 'Opera'],
  [/\bSamsungBrowser\//, 'Samsung Internet'],
  [/\b(?:Firefox|FxiOS)\//, 'Firefox'],
  [/\b(?:Chrome|CriOS|HeadlessChrome)\//, 'Chrome'],
  [/\bSafari\//, 'Safari'],
]

const SYSTEMS: readonly (readonly [pattern: RegExp, name: string])[] = [
  [/\biPhone\b/, 'an iPhone'],
  [/\biPad\b/, 'an iPad'],
  [/\bAndroid\b/, 'Android'],
  [/\bCrOS\b/, 'ChromeOS'],
  [/\bWindows\b/, 'Windows'],
  [/\bMacintosh\b/, 'a Mac'],
  [/\bLinux\b/, 'Linux'],
]

/** Never quotes an unknown User-Agent, because it is attacker-controlled. */
export function browserName(userAgent: string | null): string {
  const browser = nameIn(BROWSERS, userAgent) ?? t('An unknown browser')
  const system = nameIn(SYSTEMS, userAgent)
  return system === undefined ? browser : t('{browser} on {system}', { browser, system })
}

function nameIn(names: typeof BROWSERS, userAgent: string | null): string | undefined {
  return userAgent === null ? undefined : names.find(([pattern]) => pattern.test(userAgent))?.[1]
}
