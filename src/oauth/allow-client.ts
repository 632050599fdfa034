/** What Allow on the consent page does: the grant, its limits, its activity entry and its code, in one transaction. */

import { findLimitsOfClient, saveLimits } from '../access/agent-limits.ts'
import { takeConfirmation } from '../access/reauthentication.ts'
import { requireLiveSession } from '../access/browser-session.ts'
import { submitOnce, type Submission } from '../forms/submission.ts'
import { NO_LIMITS, type AgentLimits } from '../http/caller.ts'
import { recordSecurityEvent } from '../tools/security-events.ts'
import { AUTHORIZATION_CODE_LIFETIME_MS, issueCode } from './authorization-code.ts'
import { recordGranted } from './client.ts'
import { createGrant, isGrantValid } from './grant.ts'
import { redirectHost } from './redirect-uri.ts'
import type { AuthorizationRequest } from './authorization-request.ts'
import type { Clock } from '../base/clock.ts'
import type { Database, MemberReader, Transaction } from '../db/database.ts'
import type { SignedIn } from '../http/browser-request.ts'

interface ConsentDeps {
  readonly database: Database
  readonly clock: Clock
}

interface Consent {
  readonly request: AuthorizationRequest
  /** Without limits, those chosen before apply. */
  readonly limits: AgentLimits | undefined
  readonly submission: Submission | undefined
  /** Proof that the member has just signed in, if it is required. */
  readonly proof: { readonly confirmation: string; readonly formToken: string } | undefined
}

/**
 * Creates the grant and its code in one transaction. A repeated submission gets another code for the same grant, because
 * the browser may have delivered the first one, and a code that is redeemed twice revokes the grant. Undefined if the proof
 * is not valid.
 */
export async function allowClient(
  { database, clock }: ConsentDeps,
  { memberId, sessionId }: SignedIn,
  consent: Consent,
): Promise<string | undefined> {
  const { client, redirectUri, codeChallenge } = consent.request
  const { clientId } = client
  const now = clock.now()
  const allowing = database.write(async (tx) => {
    const member = tx.member(memberId)
    await requireLiveSession(member, sessionId, now)
    const { grantId } = await submitOnce(
      member,
      consent.submission,
      () => grantAccess(tx, memberId, consent, now),
      (earlier) => isGrantValid(member, earlier.grantId, now + AUTHORIZATION_CODE_LIFETIME_MS),
    )
    return issueCode(member, { grantId, clientId, redirectUri, codeChallenge }, now)
  })
  return allowing.catch((error: unknown) => {
    if (error instanceof UnconfirmedError) return undefined
    throw error
  })
}

/** Rolls the transaction back. */
class UnconfirmedError extends Error {}

/** Creates the grant with its limits and its activity entry. */
async function grantAccess(
  tx: Transaction,
  memberId: number,
  { request, limits: chosen, proof }: Consent,
  now: number,
): Promise<{ readonly grantId: string }> {
  const { client, redirectUri, scope, resource } = request
  const { clientId, name: clientName } = client
  const member = tx.member(memberId)
  if (proof && !(await takeConfirmation(tx, proof.confirmation, connectingIn(proof), now)))
    throw new UnconfirmedError()
  const redirect = redirectHost(redirectUri)
  const grant = { clientId, clientName, redirectHost: redirect, scope, resource }
  const limits = chosen ?? (await previousLimits(member, clientId, now))
  const grantId = await createGrant(member, grant, now)
  await saveLimits(member, { credentialId: grantId, clientId }, limits, now)
  await recordGranted(tx, clientId, now)
  const details = { name: clientName, redirect_host: redirect }
  await recordSecurityEvent(member, { event: 'agent_connected', details }, now)
  return { grantId }
}

function connectingIn({ formToken }: { readonly formToken: string }) {
  return { action: 'connect_app', formToken } as const
}

/** The limits that the member chose for this client before, without an end that has passed. */
export async function previousLimits(
  reader: MemberReader,
  clientId: string,
  now: number,
): Promise<AgentLimits> {
  const limits = (await findLimitsOfClient(reader, clientId)) ?? NO_LIMITS
  return limits.endsAt !== null && limits.endsAt <= now ? { ...limits, endsAt: null } : limits
}
