/** The dependencies of the routes that complete a sign-in through an identity provider. */

import { type SignUp } from '../session/admission.ts'
import { type Provider } from './provider.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database } from '../../db/database.ts'

export interface CallbackDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly provider: Provider
}
