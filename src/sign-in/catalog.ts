/** The routes to sign in, join, reset a password and sign out: with passwords and passkeys, or through a provider. */

import { passkeySite } from '../access/passkey-site.ts'
import { countSignInAttempts } from './session/sign-in-attempts.ts'
import { joinRoutes } from './invitations/join.route.ts'
import { beginRoutes } from './provider/begin.route.ts'
import { callbackRoute } from './provider/callback.route.ts'
import { confirmAtProviderRoute } from './provider/confirm.route.ts'
import { linkRoute } from './provider/link.route.ts'
import { openProvider, type OidcSettings } from './provider/provider.ts'
import { passkeySignInRoutes } from './passkey/passkey.route.ts'
import { forgotRoutes } from './reset/forgot.page.ts'
import { resetRoutes } from './reset/reset.page.ts'
import { passwordSignInRoutes } from './password/sign-in.page.ts'
import { signOutRoutes } from './provider/sign-out.route.ts'
import type { OperatorTexts } from '../html/legal-links.ts'
import type { PasswordHasher } from '../access/passwords/password-hash.ts'
import type { Clock } from '../base/clock.ts'
import type { Log } from '../base/log.ts'
import type { Database } from '../db/database.ts'
import type { Route } from '../http/route.ts'
import type { SignUp } from './session/admission.ts'

export interface SignInDeps extends OperatorTexts {
  readonly database: Database
  readonly clock: Clock
  readonly log: Log
  readonly hasher: PasswordHasher
  /** `WEFT_PUBLIC_URL`, without a trailing slash. */
  readonly publicUrl: string
  readonly signUp: SignUp
  /** Whether a mail server is configured. */
  readonly sendsEmail: boolean
  /** With an identity provider configured, passwords and passkeys are off. */
  readonly oidc: OidcSettings | null
}

export function signInRoutes(deps: SignInDeps): Route[] {
  return deps.oidc ? providerRoutes(deps, deps.oidc) : passwordRoutes(deps)
}

function passwordRoutes(deps: SignInDeps): Route[] {
  const attempts = countSignInAttempts(deps)
  const site = passkeySite(deps.publicUrl)
  const shared = { ...deps, provider: undefined, attempts, site }
  return [
    ...passwordSignInRoutes(shared),
    ...(site ? passkeySignInRoutes({ ...shared, site }) : []),
    ...joinRoutes(shared),
    ...resetRoutes(shared),
    ...(deps.sendsEmail ? forgotRoutes(shared) : []),
    ...signOutRoutes(shared),
  ]
}

function providerRoutes(deps: SignInDeps, settings: OidcSettings): Route[] {
  const provider = openProvider({ ...deps, settings })
  const shared = { ...deps, provider, attempts: countSignInAttempts(deps) }
  return [
    ...beginRoutes(shared),
    callbackRoute(shared),
    linkRoute(shared),
    confirmAtProviderRoute(shared),
    ...signOutRoutes({ ...deps, provider: provider.name }),
  ]
}
