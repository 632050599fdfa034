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
import type { SignInDeps } from './session/sign-in-deps.ts'
import type { Route } from '../http/route.ts'

/** With an identity provider configured, passwords and passkeys are off. */
export function signInRoutes(deps: SignInDeps & { readonly oidc: OidcSettings | null }): Route[] {
  return deps.oidc ? providerRoutes(deps, deps.oidc) : passwordRoutes(deps)
}

function passwordRoutes(deps: SignInDeps): Route[] {
  const attempts = countSignInAttempts(deps)
  const site = passkeySite(deps.publicUrl)
  const shared = { ...deps, attempts, site }
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
  const provider = openProvider(settings, deps)
  const shared = { ...deps, attempts: countSignInAttempts(deps), provider }
  return [
    ...beginRoutes(shared),
    callbackRoute(shared),
    linkRoute(shared),
    confirmAtProviderRoute(shared),
    ...signOutRoutes(shared),
  ]
}
