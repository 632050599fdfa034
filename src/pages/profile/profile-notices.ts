/** The notices that the profile page shows after saving. */

import { noticesOf } from '../ui/notices.ts'
import { PROFILE_PATH } from '../../html/site-map.ts'

export const PROFILE_NOTICES = noticesOf(PROFILE_PATH, {
  saved: 'Profile saved.',
  unchanged: 'No changes to save.',
})
