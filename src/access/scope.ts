/** The OAuth scope of access tokens. There is only one; it covers all tools. */
export const SCOPE = 'network'
