/** `/user/integrations/mcp`: the agents and tokens with access to a member's network. */

import {
  listApiTokens,
  revokeApiToken,
  tokenNames,
  type MintedApiToken,
} from '../../access/api-token.ts'
import { requireLiveSession } from '../../access/browser-session.ts'
import { listCloudAgents, removeCloudAgent } from '../../access/cloud-agent.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { createConfirmation } from '../../access/confirmation.ts'
import { passkeySite } from '../../access/passkey-site.ts'
import { submissionOf, submitOnce } from '../../guards/form-submission.ts'
import { errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route } from '../../http/route.ts'
import { revokeGrant } from '../../oauth/grant.ts'
import { credentialNames } from '../../access/credential-name.ts'
import { fieldErrors } from '../../sign-in/session/field-errors.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import type { SecurityEventName } from '../../tools/activity-action.ts'
import { passwordConfirmation } from '../account/confirm-password.ts'
import { timesOf } from '../ui/time.ts'
import { proofFor, readProof, type Confirming, type ConfirmDeps } from './confirm.ts'
import { CONFIRM_OPTIONS_PATH, CONFIRM_PATH } from './form-ids.ts'
import { gonePage } from './gone.page.ts'
import { limitRoutes } from './limits.route.ts'
import { passkeyConfirmRoutes } from '../account/passkey-confirm.route.ts'
import { CONFIRMATION } from '../account/passkey-confirm-form.ts'
import { NOTICES, type NoticeName } from './notices.ts'
import { readAgentAccess } from './overview.ts'
import { integrationsPage, type IntegrationsPage } from './agents.page.ts'
import {
  DISCONNECT_AGENT_PATH,
  INTEGRATIONS_PATH,
  REMOVE_CLOUD_AGENT_PATH,
  REVOKE_TOKEN_PATH,
} from '../../html/site-map.ts'
import { draftErrors, EMPTY_TOKEN_DRAFT, mintFromDraft, readTokenDraft } from './token-draft.ts'
import type { AttemptRecorder } from '../../oauth/attempt-recorder.ts'
import type { PasswordHasher } from '../../access/password-hash.ts'
import type { Clock } from '../../base/clock.ts'
import type { Database, MemberReader, MemberTransaction } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'

export interface IntegrationDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_PUBLIC_URL`, without a slash at its end. */
  readonly publicUrl: string
  readonly hasher: PasswordHasher
  readonly attempts: AttemptRecorder
  /** With an identity provider, members have no passwords or passkeys. */
  readonly oidc: OidcSettings | null
}

/** These forms hold two names and an id. */
const MAX_FORM_BYTES = 16 * 1024

export function integrationRoutes(deps: IntegrationDeps): Route[] {
  const confirm = { ...deps, confirming: confirmingOf(deps) }
  return [
    showRoute(confirm),
    makeTokenRoute(confirm),
    ...confirmRoutes(confirm),
    ...ENDINGS.map((ending) => endRoute(deps, ending)),
    ...limitRoutes(deps),
  ]
}

/** A new token, which the next page shows once. */
function mintedResults(publicUrl: string) {
  return resultCookies<Pick<MintedApiToken, 'name' | 'secret'>>(publicUrl, INTEGRATIONS_PATH)
}

type PageDeps = IntegrationDeps & ConfirmDeps

function confirmingOf({ oidc, ...deps }: IntegrationDeps): Confirming {
  if (oidc) return { by: 'provider', provider: new URL(oidc.issuer).host }
  const site = passkeySite(deps.publicUrl)
  return { by: 'password', confirmPassword: passwordConfirmation(deps), site }
}

function confirmRoutes(deps: PageDeps): Route[] {
  const { database, clock, confirming } = deps
  if (confirming.by === 'provider' || !confirming.site) return []
  return passkeyConfirmRoutes({
    database,
    clock,
    site: confirming.site,
    optionsPath: CONFIRM_OPTIONS_PATH,
    optionsId: 'askToConfirm',
    forms: [
      {
        action: 'create_token',
        path: CONFIRM_PATH,
        operationId: 'confirmWithPasskey',
        summary: 'Confirm with a passkey, to create an API token',
      },
    ],
    async show(browser, shown) {
      const confirmation = 'confirmation' in shown ? shown.confirmation : ''
      const invalid = 'error' in shown ? { [CONFIRMATION]: shown.error } : undefined
      return showPage(deps, browser, {
        proof: await proofFor(deps, browser, confirmation),
        ...(invalid && { invalid: { draft: EMPTY_TOKEN_DRAFT, errors: invalid } }),
      })
    },
  })
}

async function showPage(
  { database, clock, publicUrl, attempts: recorder }: PageDeps,
  browser: SignedInRequest,
  shown: Pick<IntegrationsPage, 'proof' | 'notice' | 'minted' | 'invalid'>,
): Promise<Answer> {
  const now = clock.now()
  const { memberId } = browser.member
  const overview = await readAgentAccess(database.member(memberId), now)
  const attempts = { attempts: await recorder.list(memberId), now }
  const times = timesOf(browser, now)
  return integrationsPage({ browser, publicUrl, times, overview, attempts, ...shown })
}

function showRoute(deps: PageDeps): Route {
  const results = mintedResults(deps.publicUrl)
  return defineRoute({
    method: 'GET',
    path: INTEGRATIONS_PATH,
    operationId: 'showIntegrations',
    summary: 'List connected agents, API tokens and cloud agents',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    async handle({ search, browser, header }) {
      const confirmation = new URLSearchParams(search).get(CONFIRMATION) ?? ''
      const proof = await proofFor(deps, browser, confirmation)
      const minted = results.read(header('cookie'), browser.member)
      return minted
        ? results.shownOnce(await showPage(deps, browser, { proof, minted }))
        : showPage(deps, browser, { proof, notice: NOTICES.read(search) })
    },
  })
}

/** Redirects to a page that shows the secret. Reloading that page hides the secret and creates no second token. */
function makeTokenRoute(deps: PageDeps): Route {
  const { database, clock, publicUrl } = deps
  const results = mintedResults(publicUrl)
  return defineRoute({
    method: 'POST',
    path: INTEGRATIONS_PATH,
    operationId: 'makeApiToken',
    summary: 'Create an API token',
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Created; redirects to the page, which shows the token once' },
      422: { description: 'Something has to be corrected: the page again', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser, address }) {
      const { memberId, sessionId } = browser.member
      const now = clock.now()
      const draft = readTokenDraft(body, { timeZone: browser.timeZone, now })
      const submission = submissionOf({ browser, body, form: INTEGRATIONS_PATH, now })
      let isConfirmed = false
      try {
        const useProof = await readProof(deps, body, { browser, address })
        isConfirmed = true
        const minted = await database.write(async (tx) => {
          const own = tx.member(memberId)
          await requireLiveSession(own, sessionId, now)
          const mint = async () => {
            await useProof(tx)
            const { tokenId, name, secret } = await mintFromDraft(own, draft, now)
            await recordSecurityEvent(own, { event: 'token_created', details: { name } }, now)
            return { tokenId, name, secret }
          }
          return submitOnce(own, submission, mint, async (earlier) =>
            (await listApiTokens(own)).some(({ tokenId }) => tokenId === earlier.tokenId),
          )
        })
        return results.redirect(INTEGRATIONS_PATH, browser.member, minted)
      } catch (error) {
        const errors = {
          ...fieldErrors(error),
          ...(!isConfirmed && (await draftErrors(database.member(memberId), draft, now))),
        }
        const confirmation =
          isConfirmed && !(CONFIRMATION in errors)
            ? await database.write((tx) =>
                createConfirmation(
                  tx,
                  { action: 'create_token', formToken: browser.formToken },
                  now,
                ),
              )
            : ''
        const proof = await proofFor(deps, browser, confirmation)
        return showPage(deps, browser, { proof, invalid: { draft, errors } })
      }
    },
  })
}

/** A kind of access, and the form that ends it. */
interface Ending {
  readonly path: string
  readonly operationId: string
  readonly summary: string
  /** The form field with the ID of the access to end. */
  readonly field: string
  readonly notice: NoticeName
  /** The error title for an unknown ID. */
  readonly gone: string
  readonly event: SecurityEventName
  nameOf(reader: MemberReader, id: string): Promise<string | undefined>
  /** Resolves to false if there was nothing to end. */
  end(tx: MemberTransaction, id: string, now: number): Promise<boolean>
}

const ENDINGS: readonly Ending[] = [
  {
    path: DISCONNECT_AGENT_PATH,
    operationId: 'disconnectAgent',
    summary: 'Disconnect an app',
    field: 'grant_id',
    notice: 'disconnected',
    gone: 'This app is not connected',
    event: 'agent_disconnected',
    nameOf: async (reader, id) => (await credentialNames(reader)).get(id),
    end: revokeGrant,
  },
  {
    path: REVOKE_TOKEN_PATH,
    operationId: 'revokeApiToken',
    summary: 'Revoke an API token',
    field: 'token_id',
    notice: 'token_revoked',
    gone: 'Token not found',
    event: 'token_revoked',
    nameOf: async (reader, id) => (await tokenNames(reader)).get(id)?.name,
    end: revokeApiToken,
  },
  {
    path: REMOVE_CLOUD_AGENT_PATH,
    operationId: 'removeCloudAgent',
    summary: 'Remove a cloud agent and revoke its tokens',
    field: 'agent_id',
    notice: 'agent_removed',
    gone: 'Cloud agent not found',
    event: 'cloud_agent_removed',
    nameOf: async (reader, id) =>
      (await listCloudAgents(reader)).find(({ agentId }) => agentId === id)?.name,
    end: removeCloudAgent,
  },
]

function endRoute({ database, clock }: IntegrationDeps, ending: Ending): Route {
  const { path, operationId, summary, field, notice, gone } = ending
  return defineRoute({
    method: 'POST',
    path,
    operationId,
    summary,
    access: 'session',
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: { description: 'Done; back to the page' },
      404: { description: 'Not found or already ended', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ body, browser }) {
      const id = body.get(field) ?? ''
      const now = clock.now()
      const db = database.member(browser.member.memberId)
      const submission = submissionOf({ browser, body, form: path, now })
      const end = async (tx: MemberTransaction) => {
        const details = { name: (await ending.nameOf(tx, id)) ?? '' }
        if (!(await ending.end(tx, id, now))) return undefined
        await recordSecurityEvent(tx, { event: ending.event, details }, now)
        return { isEnded: true }
      }
      const ended = await db.write((tx) => submitOnce(tx, submission, () => end(tx)))
      return ended ? seeOther(NOTICES.pathTo(notice)) : gonePage(gone)
    },
  })
}
