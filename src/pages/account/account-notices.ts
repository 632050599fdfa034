/** Where the page is, where its forms are sent, and what it says first, after something was done. */

import { noticesOf } from '../ui/notices.ts'

export const ACCOUNT_PATH = '/user/account'

export const EMAIL_PATH = `${ACCOUNT_PATH}/email`
export const PASSWORD_PATH = `${ACCOUNT_PATH}/password`
export const END_SESSION_PATH = `${ACCOUNT_PATH}/end-session`
export const END_OTHERS_PATH = `${ACCOUNT_PATH}/end-other-sessions`
export const EXPORT_PATH = `${ACCOUNT_PATH}/export`

export function exportFilePath(exportId: string): `${typeof EXPORT_PATH}/${string}` {
  return `${EXPORT_PATH}/${exportId}`
}

export const DELETE_PATH = `${ACCOUNT_PATH}/delete`

export const PASSKEYS_PATH = `${ACCOUNT_PATH}/passkeys`
export const PASSKEY_ADD_PATH = `${PASSKEYS_PATH}/add`
export const PASSKEY_RENAME_PATH = `${PASSKEYS_PATH}/rename`
export const PASSKEY_REMOVE_PATH = `${PASSKEYS_PATH}/remove`

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
