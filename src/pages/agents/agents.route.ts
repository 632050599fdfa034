/** `/user/integrations/mcp`: the agents and tokens with access to a member's network. */

import { phrase } from '../../languages/message.ts'
import { listApiTokens, revokeApiToken, tokenNames } from '../../access/api-token.ts'
import { listCloudAgents, removeCloudAgent } from '../../access/cloud-agent.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { createConfirmation } from '../../access/reauthentication.ts'
import { submitOnce } from '../../forms/submission.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { revokeGrant } from '../../oauth/grant.ts'
import { credentialNames } from '../../access/credential-name.ts'
import { fieldErrors } from '../../forms/field-errors.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import {
  proofFor,
  readProof,
  confirmingOf,
  createOnce,
  proofOf,
  proofRoutes,
  type ConfirmDeps,
  type UseProof,
  CONFIRM_PATH,
} from './confirm-new-token.ts'
import { limitRoutes } from './limits.route.ts'
import { NOTICES, type NoticeName, gonePage } from './agent-notices.ts'
import {
  DISCONNECT_AGENT_PATH,
  INTEGRATIONS_PATH,
  REMOVE_CLOUD_AGENT_PATH,
  REVOKE_TOKEN_PATH,
} from '../../html/site-map.ts'
import {
  draftErrors,
  EMPTY_TOKEN_DRAFT,
  mintFromDraft,
  readTokenDraft,
  type TokenDraft,
} from './token-draft.ts'
import { CONFIRMATION } from '../account/confirm-form.ts'
import { pageRoute, type PageDeps, formRoute, type FormRequest } from '../../forms/page-route.ts'
import type { Route } from '../../http/route.ts'
import type { SecurityEventName } from '../../tools/activity-action.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'
import { showAgents, type CreatedToken, type IntegrationDeps } from './agents.page.ts'

/** The page of agents and tokens, and its forms. */
export function integrationRoutes(deps: IntegrationDeps): Route[] {
  const confirm = { ...deps, confirming: confirmingOf(deps) }
  return [
    showRoute(confirm),
    makeTokenRoute(confirm),
    ...proofRoutes(confirm, CONFIRM_PATH, (request, proof, errors) =>
      showAgents(deps, request, {
        proof,
        ...(errors && { invalid: { draft: EMPTY_TOKEN_DRAFT, errors } }),
      }),
    ),
    ...ENDINGS.map((ending) => endRoute(deps, ending)),
    ...limitRoutes(deps),
  ]
}

/** A new token, which the next page shows once. */
function mintedResults(publicUrl: string) {
  return resultCookies<CreatedToken>(publicUrl, INTEGRATIONS_PATH)
}

type TokenDeps = IntegrationDeps & ConfirmDeps

function showRoute(deps: TokenDeps): Route {
  const results = mintedResults(deps.publicUrl)
  return pageRoute(deps, {
    path: INTEGRATIONS_PATH,
    async handle(request) {
      const proof = await proofOf(deps, request)
      return results.show(request, (minted) =>
        showAgents(deps, request, {
          proof,
          ...(minted ? { minted } : { notice: NOTICES.read(request.search) }),
        }),
      )
    },
  })
}

/** Redirects to a page that shows the secret. Reloading that page hides the secret and creates no second token. */
function makeTokenRoute(deps: TokenDeps): Route {
  const results = mintedResults(deps.publicUrl)
  return formRoute(deps, {
    path: INTEGRATIONS_PATH,
    async handle(request) {
      const { body, browser, now } = request
      const draft = readTokenDraft(body, { timeZone: browser.timeZone, now })
      let useProof: UseProof | undefined
      try {
        useProof = await readProof(deps, request)
        const minted = await mintOnce(deps, request, draft, useProof)
        return results.redirect(browser.member, minted)
      } catch (error) {
        return rejectedToken(deps, request, { draft, error, isConfirmed: useProof !== undefined })
      }
    },
  })
}

function mintOnce(
  deps: TokenDeps,
  request: FormRequest,
  draft: TokenDraft,
  useProof: UseProof,
): Promise<CreatedToken> {
  return createOnce(deps, request, useProof, {
    event: 'token_created',
    async create(own) {
      const { tokenId, name, secret } = await mintFromDraft(own, draft, request.now)
      return { tokenId, name, secret }
    },
    isCurrent: async (own, earlier) =>
      (await listApiTokens(own)).some(({ tokenId }) => tokenId === earlier.tokenId),
  })
}

interface RejectedToken {
  readonly draft: TokenDraft
  readonly error: unknown
  /** Whether the member confirmed, so that the form need not ask again. */
  readonly isConfirmed: boolean
}

async function rejectedToken(
  deps: TokenDeps,
  request: FormRequest,
  { draft, error, isConfirmed }: RejectedToken,
): Promise<Answer> {
  const { browser, db, now } = request
  const errors = {
    ...fieldErrors(error),
    ...(!isConfirmed && (await draftErrors(db, draft, now))),
  }
  const confirmed = { action: 'create_token', formToken: browser.formToken } as const
  const confirmation =
    isConfirmed && !(CONFIRMATION in errors)
      ? await deps.database.write((tx) => createConfirmation(tx, confirmed, now))
      : ''
  const proof = await proofFor(deps, request, confirmation)
  return showAgents(deps, request, { proof, invalid: { draft, errors } })
}

interface Ending {
  readonly path: string
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
    field: 'grant_id',
    notice: 'disconnected',
    gone: phrase('This app is not connected'),
    event: 'agent_disconnected',
    nameOf: async (reader, id) => (await credentialNames(reader)).get(id),
    end: revokeGrant,
  },
  {
    path: REVOKE_TOKEN_PATH,
    field: 'token_id',
    notice: 'token_revoked',
    gone: phrase('Token not found'),
    event: 'token_revoked',
    nameOf: async (reader, id) => (await tokenNames(reader)).get(id)?.name,
    end: revokeApiToken,
  },
  {
    path: REMOVE_CLOUD_AGENT_PATH,
    field: 'agent_id',
    notice: 'agent_removed',
    gone: phrase('Cloud agent not found'),
    event: 'cloud_agent_removed',
    nameOf: async (reader, id) =>
      (await listCloudAgents(reader)).find(({ agentId }) => agentId === id)?.name,
    end: removeCloudAgent,
  },
]

function endRoute(deps: PageDeps, ending: Ending): Route {
  const { path, field, notice, gone, event } = ending
  return formRoute(deps, {
    path,
    async handle({ body, db, now, submission }) {
      const id = body.get(field) ?? ''
      const end = async (tx: MemberTransaction) => {
        const details = { name: (await ending.nameOf(tx, id)) ?? '' }
        if (!(await ending.end(tx, id, now))) return undefined
        await recordSecurityEvent(tx, { event, details }, now)
        return { isEnded: true }
      }
      const ended = await db.write((tx) => submitOnce(tx, submission, () => end(tx)))
      return ended ? seeOther(NOTICES.pathTo(notice)) : gonePage(gone)
    },
  })
}
