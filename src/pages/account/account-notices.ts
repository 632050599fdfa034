/** Where the page is, where its forms are sent, and what it says first, after something was done. */

import { noticesOf } from '../ui/notices.ts'
import { ACCOUNT_PATH } from '../../html/site-map.ts'

export const ACCOUNT_NOTICES = noticesOf(ACCOUNT_PATH, {
  email_changed: 'Your e-mail address is changed.',
  password_changed:
    'Your password is changed. Wherever else you were signed in, you are not any more.',
  passkey_added: 'Your passkey is added. You can sign in with it from now on.',
  passkey_renamed: 'Your passkey is renamed.',
  passkey_removed: 'That passkey is removed.',
  session_ended: 'That browser is signed out.',
  others_ended: 'Every other browser is signed out.',
})
