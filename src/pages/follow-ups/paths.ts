/** Where the page is, and where its form is sent. */

export const FOLLOW_UPS_PATH = '/user/follow-ups'
export const DONE_PATH = `${FOLLOW_UPS_PATH}/done`
