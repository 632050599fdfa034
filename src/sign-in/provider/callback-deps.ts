/** The dependencies of the routes that complete a sign-in through an identity provider. */

import type { SignUp } from '../session/admission.ts'
import type { Provider } from './provider.ts'
import type { OperatorTexts } from '../../html/legal-links.ts'
import type { PageDeps } from '../../forms/page-route.ts'

export interface CallbackDeps extends PageDeps, OperatorTexts {
  readonly publicUrl: string
  readonly signUp: SignUp
  readonly provider: Provider
}
