/** Reauthentication at the identity provider. It asks for credentials even if the person is signed in there. */

import { t } from '../../languages/message.ts'
import { createConfirmation } from '../../access/reauthentication.ts'
import { findIdentityHolder } from '../../access/provider-identity.ts'
import { messagePage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { CONTACT_DEVICES_PATH, INTEGRATIONS_PATH, SIGN_IN_PATH } from '../../html/site-map.ts'
import { roundTrips } from './round-trip.ts'
import { pageRoute } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { BrowserRequest } from '../../http/browser-request.ts'
import type { ProviderDeps } from './provider-deps.ts'
import type { Claims } from './provider.ts'

export const CONFIRM_AT_PROVIDER_PATH = `${SIGN_IN_PATH}/confirm`

/** The query parameter of the page that a confirmed member returns to. */
const CONFIRMATION = 'confirmation'

/** Redirects to the provider. Its callback is the same as for signing in. */
export function confirmAtProviderRoute(deps: ProviderDeps): Route {
  return pageRoute(deps, {
    path: CONFIRM_AT_PROVIDER_PATH,
    limit: LIMITS.callback,
    async handle({ search }) {
      const isDevice = new URLSearchParams(search).has('device')
      const page = isDevice ? CONTACT_DEVICES_PATH : INTEGRATIONS_PATH
      const { secret, cookie } = roundTrips(deps.publicUrl).begin(page, '', 'confirm')
      return seeOther(await deps.provider.authorizationUrl(secret, 'confirmed'), [cookie])
    },
  })
}

/** Redirects to the page that creates the token or device, with the confirmation. It signs no one in. */
export async function finishConfirm(
  { database, clock }: Pick<ProviderDeps, 'database' | 'clock'>,
  claims: Claims,
  { member, formToken }: BrowserRequest,
  page: string,
): Promise<Answer> {
  const holder = await findIdentityHolder(database, claims)
  if (!member || holder !== member.memberId) return otherMemberPage()
  const confirmation = await database.write((tx) =>
    createConfirmation(tx, { action: 'create_token', formToken }, clock.now()),
  )
  return seeOther(`${page}?${CONFIRMATION}=${confirmation}`)
}

function otherMemberPage(): Answer {
  return messagePage({
    status: 403,
    title: t('Wrong account'),
    text: t('You confirmed with a different account than the one you are signed in with.'),
    hint: t('Go back and confirm with the account that you use for Weft.'),
    action: { href: INTEGRATIONS_PATH, label: t('Back to agents & tokens') },
  })
}
