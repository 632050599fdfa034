/** `/user/account`: sign-in methods, sessions, data export and account deletion. */

import { ACCOUNT_PATH } from '../../html/site-map.ts'
import { sessionRoutes } from './session.route.ts'
import { languageRoute } from './language.route.ts'
import { keysRoute } from './keys.route.ts'
import { passkeySite } from '../../access/passkey-site.ts'
import { emailRoute } from './email.route.ts'
import { verifyEmailRoutes } from './verify-email.route.ts'
import { ACCOUNT_CONFIRM_OPTIONS_PATH, PASSWORD_FIELDS, confirmPath } from './confirm-form.ts'
import { type AccountPasswordDeps, type AccountDeps, ACCOUNT_NOTICES } from './account-view.ts'
import { showAccount } from './account.page.ts'
import { passwordRoute } from './password.route.ts'
import { deleteRoutes } from './delete.route.ts'
import { passkeyRoutes } from './passkey.route.ts'
import { type ExportDeps, exportRoutes } from './export.route.ts'
import { pageRoute } from '../../forms/page-route.ts'
import { passkeyConfirmRoutes } from './passkey-confirm.route.ts'
import { passwordConfirmation } from './confirm-identity.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'
import type { PasswordHasher } from '../../access/passwords/password-hash.ts'
import type { Route } from '../../http/route.ts'

export interface AccountRouteDeps extends Omit<ExportDeps, 'passwords'> {
  readonly hasher: PasswordHasher
  /** With an identity provider there are no passwords or passkeys; the provider alone authenticates members. */
  readonly oidc: OidcSettings | null
}

export function accountRoutes({ hasher, oidc, ...others }: AccountRouteDeps): Route[] {
  const passwords = oidc
    ? undefined
    : { hasher, confirm: passwordConfirmation({ ...others, hasher }) }
  const deps = { ...others, passwords }
  const show = pageRoute(deps, {
    path: ACCOUNT_PATH,
    handle: (request) =>
      showAccount(deps, request, { notice: ACCOUNT_NOTICES.read(request.search) }),
  })
  return [
    show,
    ...sessionRoutes(deps),
    languageRoute(deps),
    keysRoute(deps),
    ...exportRoutes(deps),
    ...deleteRoutes(deps),
    ...(passwords ? signInRoutes({ ...deps, passwords }) : []),
  ]
}

function signInRoutes(deps: AccountPasswordDeps): Route[] {
  return [
    emailRoute(deps),
    passwordRoute(deps),
    ...passkeyRoutes(deps),
    ...accountConfirmRoutes(deps),
    ...(deps.sendsEmail ? verifyEmailRoutes(deps) : []),
  ]
}

function accountConfirmRoutes(deps: AccountDeps): Route[] {
  const site = passkeySite(deps.publicUrl)
  if (!site) return []
  const actions = ['export_data', 'delete_account'] as const
  return passkeyConfirmRoutes({
    ...deps,
    site,
    optionsPath: ACCOUNT_CONFIRM_OPTIONS_PATH,
    forms: actions.map((action) => ({
      action,
      path: confirmPath(action),
      show: (request, { confirmation, error = '' }) =>
        confirmation === undefined
          ? showAccount(deps, request, {
              invalid: { errors: { [PASSWORD_FIELDS[action]]: error } },
            })
          : showAccount(deps, request, { confirmed: { action, confirmation } }),
    })),
  })
}
