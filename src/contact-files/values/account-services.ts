// The URI schemes of messaging services in vCard's IMPP (RFC 6350 section 6.4.3).

const SCHEMES: readonly (readonly [scheme: string, service: string])[] = [
  ['ymsgr', 'yahoo'],
  ['xmpp', 'jabber'],
  ['msnim', 'msn'],
  ['twitter', 'x'],
]

const SAME: readonly string[] = ['skype', 'aim', 'icq', 'gtalk', 'matrix', 'irc']

/** A service that is not listed is named after its scheme. */
export const SERVICE_OF_SCHEME: ReadonlyMap<string, string> = new Map(SCHEMES)

/** Services with their own scheme in address books. */
export const SCHEME_OF_SERVICE: ReadonlyMap<string, string> = new Map([
  ...SCHEMES.map(([scheme, service]) => [service, scheme] as const),
  ...SAME.map((service) => [service, service] as const),
])
