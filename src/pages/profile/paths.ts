/** Where the page is, and what it says after the form was sent. */

import { noticesOf } from '../ui/notices.ts'

export const PROFILE_PATH = '/user/profile'
export const PREVIEW_PATH = `${PROFILE_PATH}/preview`

export const PROFILE_NOTICES = noticesOf(PROFILE_PATH, {
  saved: 'Saved.',
  unchanged: 'Nothing was different, so nothing was changed.',
})
