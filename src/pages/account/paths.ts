/** Where the page is, where its forms are sent, and what it says first, after something was done. */

import { noticesOf } from '../notices.ts'

export const ACCOUNT_PATH = '/user/account'

export const EMAIL_PATH = `${ACCOUNT_PATH}/email`
export const PASSWORD_PATH = `${ACCOUNT_PATH}/password`
export const END_SESSION_PATH = `${ACCOUNT_PATH}/end-session`
export const END_OTHERS_PATH = `${ACCOUNT_PATH}/end-other-sessions`
export const EXPORT_PATH = `${ACCOUNT_PATH}/export`
export const DELETE_PATH = `${ACCOUNT_PATH}/delete`

export const ACCOUNT_NOTICES = noticesOf(ACCOUNT_PATH, {
  email_changed: 'Your e-mail address is changed.',
  password_changed:
    'Your password is changed. Wherever else you were signed in, you are not any more.',
  session_ended: 'That browser is signed out.',
  others_ended: 'Every other browser is signed out.',
})
