/** Where the operators' pages are, and where their forms are sent. */

export const ADMIN_PATH = '/admin'
export const MEMBERS_PATH = `${ADMIN_PATH}/members`
export const INVITES_PATH = `${ADMIN_PATH}/invites`
export const REVOKE_INVITE_PATH = `${INVITES_PATH}/revoke`

export function memberPath(username: string): string {
  return `${MEMBERS_PATH}/${username}`
}

/** `query` is what is searched for; empty for everybody. */
export function membersPath(query: string, cursor?: string): string {
  const search = new URLSearchParams({
    ...(query !== '' && { q: query }),
    ...(cursor !== undefined && { cursor }),
  })
  return search.size === 0 ? MEMBERS_PATH : `${MEMBERS_PATH}?${search.toString()}`
}
