/** What the routes of an identity provider need. */

import type { SignInDeps } from '../session/sign-in-deps.ts'
import type { SignInAttempts } from '../session/sign-in-attempts.ts'
import type { Provider } from './provider.ts'

export interface ProviderDeps extends SignInDeps {
  readonly attempts: SignInAttempts
  readonly provider: Provider
}
