/** `/user/account`: sign-in methods, sessions, data export and account deletion. */

import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { passwordConfirmation } from './confirm-password.ts'
import { deleteRoutes } from './delete.route.ts'
import { emailRoute } from './email.route.ts'
import { exportRoutes, type ExportDeps } from './export.route.ts'
import { showAccount, type AccountDeps } from './account-deps.ts'
import { passkeyRoutes } from './passkey.route.ts'
import { passwordRoute } from './password.route.ts'
import { ACCOUNT_NOTICES } from './account-notices.ts'
import { verifyEmailRoutes } from './verify-email.route.ts'
import { sessionRoutes } from './session.route.ts'
import { ACCOUNT_PATH } from '../../html/site-map.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'

export interface AccountRouteDeps extends Omit<ExportDeps, 'passwords'> {
  readonly hasher: PasswordHasher
  /** With an identity provider there are no passwords or passkeys; the provider alone authenticates members. */
  readonly oidc: OidcSettings | null
}

export function accountRoutes({ hasher, oidc, ...others }: AccountRouteDeps): Route[] {
  const sessions = sessionRoutes(others)
  if (oidc !== null) {
    const deps = { ...others, passwords: undefined }
    return [showRoute(deps), ...sessions, ...exportRoutes(deps), ...deleteRoutes(deps)]
  }
  const passwords = { hasher, confirm: passwordConfirmation({ ...others, hasher }) }
  const deps = { ...others, passwords }
  const signIn = [emailRoute(deps), passwordRoute(deps), ...passkeyRoutes(deps)]
  const verify = deps.sendsEmail ? verifyEmailRoutes(deps) : []
  const own = [...sessions, ...exportRoutes(deps), ...deleteRoutes(deps)]
  return [showRoute(deps), ...signIn, ...verify, ...own]
}

function showRoute(deps: AccountDeps): Route {
  return defineRoute({
    method: 'GET',
    path: ACCOUNT_PATH,
    operationId: 'showAccount',
    summary: 'Show the account page',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    handle: ({ search, browser }) =>
      showAccount(deps, browser, { notice: ACCOUNT_NOTICES.read(search) }),
  })
}
