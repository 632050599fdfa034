/** `/user/account`: sign-in methods, sessions, data export and account deletion. */

import { passkeySite } from '../../access/passkey-site.ts'
import { errorPage } from '../../html/message.page.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { ACCOUNT_CONFIRM_OPTIONS_PATH, confirmPath } from './confirm-fields.ts'
import { passwordConfirmation } from './confirm-password.ts'
import { deleteRoutes } from './delete.route.ts'
import { emailRoute } from './email.route.ts'
import { exportRoutes, type ExportDeps } from './export.route.ts'
import { showAccount, type AccountDeps } from './account-deps.ts'
import { passkeyConfirmRoutes } from './passkey-confirm.route.ts'
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
  const confirm = accountConfirmRoutes(deps)
  const verify = deps.sendsEmail ? verifyEmailRoutes(deps) : []
  const own = [...sessions, ...exportRoutes(deps), ...deleteRoutes(deps)]
  return [showRoute(deps), ...signIn, ...confirm, ...verify, ...own]
}

/** A passkey instead of the password. */
function accountConfirmRoutes(deps: AccountDeps): Route[] {
  const site = passkeySite(deps.publicUrl)
  if (!site) return []
  return passkeyConfirmRoutes({
    database: deps.database,
    clock: deps.clock,
    site,
    optionsPath: ACCOUNT_CONFIRM_OPTIONS_PATH,
    optionsId: 'askToConfirmOnAccount',
    forms: CONFIRM_FORMS,
    show(browser, shown, action) {
      if ('confirmation' in shown)
        return showAccount(deps, browser, {
          confirmed: { action, confirmation: shown.confirmation },
        })
      const field = action === 'delete_account' ? 'delete_password' : 'export_password'
      return showAccount(deps, browser, { invalid: { errors: { [field]: shown.error } } })
    },
  })
}

const CONFIRM_FORMS = [
  {
    action: 'export_data',
    path: confirmPath('export_data'),
    operationId: 'confirmExport',
    summary: 'Confirm with a passkey, to export all data',
  },
  {
    action: 'delete_account',
    path: confirmPath('delete_account'),
    operationId: 'confirmDeletion',
    summary: 'Confirm with a passkey, to delete the account',
  },
] as const

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
