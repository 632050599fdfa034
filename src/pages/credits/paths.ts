/** Where the page is. */

export const CREDITS_PATH = '/user/credits'
