/** `/user/account`: how a member signs in, where they are signed in, and their way out with all they have. */

import { refusePage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { passwordConfirmation } from './confirm-password.ts'
import { deleteRoutes } from './delete.route.ts'
import { emailRoute } from './email.route.ts'
import { exportRoutes, type ExportParts } from './export.route.ts'
import { showAccount, type AccountParts } from './account-deps.ts'
import { passkeyRoutes } from './passkey.route.ts'
import { passwordRoute } from './password.route.ts'
import { ACCOUNT_NOTICES, ACCOUNT_PATH } from './account-notices.ts'
import { sessionRoutes } from './session.route.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'

export interface AccountRouteParts extends Omit<AccountParts, 'passwords'>, ExportParts {
  readonly hasher: PasswordHasher
  /** Where there is a provider, nobody has a password or passkey: it alone says who comes in. */
  readonly oidc: OidcSettings | null
}

export function accountRoutes({ hasher, oidc, ...others }: AccountRouteParts): Route[] {
  const shared = [...sessionRoutes(others), ...exportRoutes(others)]
  if (oidc !== null) {
    const parts = { ...others, passwords: undefined }
    return [showRoute(parts), ...shared, ...deleteRoutes(parts)]
  }
  const passwords = { hasher, confirm: passwordConfirmation({ ...others, hasher }) }
  const parts = { ...others, passwords }
  const signIn = [emailRoute(parts), passwordRoute(parts), ...passkeyRoutes(parts)]
  return [showRoute(parts), ...signIn, ...shared, ...deleteRoutes(parts)]
}

function showRoute(parts: AccountParts): Route {
  return defineRoute({
    method: 'GET',
    path: ACCOUNT_PATH,
    operationId: 'showAccount',
    summary: "The page of the member's account",
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    refuse: refusePage,
    handle: ({ search, visit }) =>
      showAccount(parts, visit, { notice: ACCOUNT_NOTICES.shown(search) }),
  })
}
