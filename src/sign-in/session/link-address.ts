/** The addresses that one-time links lead to. The secret is in the address, so each is good for one use. */

export const JOIN_PATH = '/join'
export const RESET_PATH = '/reset'

/** The name of the secret in these addresses, and in the forms they lead to. */
export const LINK = 'link'

export function joinAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}${JOIN_PATH}?${LINK}=${secret}`
}

export function resetAddress(publicUrl: string, secret: string): string {
  return `${publicUrl}${RESET_PATH}?${LINK}=${secret}`
}
