/** Where the page is, and what it says after the form was sent. */

import { noticesOf } from '../ui/notices.ts'
import { PROFILE_PATH } from '../../html/site-map.ts'

export const PROFILE_NOTICES = noticesOf(PROFILE_PATH, {
  saved: 'Saved.',
  unchanged: 'Nothing was different, so nothing was changed.',
})
