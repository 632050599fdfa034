/** The notices that the account page shows after an action. */

import { noticesOf } from '../ui/notices.ts'
import { ACCOUNT_PATH } from '../../html/site-map.ts'

export const ACCOUNT_NOTICES = noticesOf(ACCOUNT_PATH, {
  email_changed: 'Email address changed.',
  email_changed_unverified:
    'Email address changed. To confirm it, open the link that we sent to it.',
  email_verified: 'Email address confirmed.',
  verification_sent: 'Email sent. Open the link in it to confirm your address.',
  verification_limited:
    'Three emails were sent in the last hour. Check your spam folder, or try again later.',
  password_changed: 'Password changed. You were signed out of your other browsers.',
  passkey_added: 'Passkey added. You can now sign in with it.',
  passkey_renamed: 'Passkey renamed.',
  passkey_removed: 'Passkey removed.',
  session_ended: 'Browser signed out.',
  others_ended: 'Signed out of all other browsers.',
})
