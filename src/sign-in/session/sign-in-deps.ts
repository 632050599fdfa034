/** What the routes of this folder need. */

import type { PasswordHasher } from '../../access/passwords/password-hash.ts'
import type { PasskeySite } from '../../access/passkey-site.ts'
import type { Log } from '../../base/log.ts'
import type { PageDeps } from '../../forms/page-route.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { SignUp } from './admission.ts'
import type { SignInAttempts } from './sign-in-attempts.ts'

export interface SignInDeps extends PageDeps, OperatorTexts {
  readonly log: Log
  readonly hasher: PasswordHasher
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  readonly signUp: SignUp
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean
}

/** The routes of passwords and passkeys. */
export interface PasswordDeps extends SignInDeps {
  /** Those of passwords and passkeys are counted together. */
  readonly attempts: SignInAttempts
  /** Undefined if the public URL does not support passkeys. */
  readonly site: PasskeySite | undefined
}
