/**
 * The version of the keys by which imports match people (`connections/model/match-keys.ts`). Raise it when the stored keys
 * change: then those of all networks are renewed (`connections/model/renew-keys.ts`).
 */
export const KEY_VERSION = 5
