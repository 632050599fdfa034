/** The form that creates a token: reading and executing it. */

import { t } from '../../languages/message.ts'
import { saveLimits } from '../../access/agent-limits.ts'
import { mintApiToken, type MintedApiToken } from '../../access/api-token.ts'
import { createCloudAgent } from '../../access/cloud-agent.ts'
import { RequestError } from '../../base/request-error.ts'
import { NO_LIMITS } from '../../http/caller.ts'
import {
  readLimits,
  type LimitErrors,
  type ReadLimits,
  type Zoned,
} from '../../oauth/consent/limits-form.ts'
import { fieldErrors, type FieldErrors } from '../../forms/field-errors.ts'
import type { SchemaProblem } from '../../base/schema.ts'
import type { MemberDatabase, MemberTransaction } from '../../db/database.ts'

/** The submitted form fields. */
export interface TokenDraft {
  readonly name: string
  /** `OWN_CLIENT`, `NEW_AGENT`, or the id of a cloud agent. */
  readonly holder: string
  /** The name of the new cloud agent. */
  readonly agent_name: string
  /** One of `LIFETIMES`. */
  readonly expires: string
  readonly limits: ReadLimits
}

type TextField = Exclude<keyof TokenDraft, 'limits'>

export const OWN_CLIENT = 'ai_client'
export const NEW_AGENT = 'new'

/** Lifetimes in days, by form value. */
export const LIFETIMES = { '30': 30, '90': 90, '365': 365, never: null } as const

export const EMPTY_TOKEN_DRAFT: TokenDraft = {
  name: '',
  holder: OWN_CLIENT,
  agent_name: '',
  expires: '90',
  limits: { ok: true, limits: NO_LIMITS },
}

export function readTokenDraft(form: URLSearchParams, zoned: Zoned): TokenDraft {
  const text = (field: TextField) => form.get(field) ?? ''
  return {
    name: text('name'),
    holder: text('holder'),
    agent_name: text('agent_name'),
    expires: text('expires'),
    limits: readLimits(form, zoned) ?? EMPTY_TOKEN_DRAFT.limits,
  }
}

/** Creates the token, and its cloud agent if that is new. Errors name the form field to correct. */
export async function mintFromDraft(
  tx: MemberTransaction,
  draft: TokenDraft,
  now: number,
): Promise<MintedApiToken> {
  const lifetime = await attempt('expires', () => lifetimeOf(draft))
  const holder = await attempt(draft.holder === NEW_AGENT ? 'agent_name' : 'holder', () =>
    holderOf(tx, draft, now),
  )
  // Runs even if another field is invalid, to check the name too. The caller's transaction is then rolled back.
  const token = {
    name: draft.name,
    lifetimeDays: 'value' in lifetime ? lifetime.value : null,
    ...('value' in holder ? holder.value : OWN_HOLDER),
  }
  const minted = await attempt('name', () => mintApiToken(tx, token, now))
  const { limits } = draft
  const invalid = [
    ...[lifetime, holder, minted].flatMap((one) => ('error' in one ? [one.error] : [])),
    ...(limits.ok ? [] : problemsOf(limits.errors)),
  ]
  if (invalid.length === 0 && 'value' in minted && limits.ok) {
    const credential = { credentialId: minted.value.tokenId, clientId: null }
    await saveLimits(tx, credential, limits.limits, now)
    return minted.value
  }
  throw new RequestError(
    'invalid_request',
    t('The token was not created. Fix the errors in the form.'),
    {
      errors: invalid,
    },
  )
}

/** What is wrong with a draft, by field, without creating anything: the transaction is rolled back. */
export async function draftErrors(
  db: MemberDatabase,
  draft: TokenDraft,
  now: number,
): Promise<FieldErrors> {
  try {
    await db.write(async (tx) => {
      await mintFromDraft(tx, draft, now)
      throw new Rollback()
    })
  } catch (error) {
    if (!(error instanceof Rollback)) return fieldErrors(error)
  }
  return {}
}

class Rollback extends Error {}

function problemsOf(errors: LimitErrors): SchemaProblem[] {
  return Object.entries(errors).map(([field, detail]) => ({ pointer: `/${field}`, detail }))
}

const OWN_HOLDER = { holder: 'ai_client' } as const

/** Returns the result of a check, or its error for this form field. */
async function attempt<T>(
  field: TextField,
  check: () => T | Promise<T>,
): Promise<{ readonly value: T } | { readonly error: SchemaProblem }> {
  try {
    return { value: await check() }
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    // The selected cloud agent no longer exists.
    const pointer = field === 'name' && error.code === 'not_found' ? '/holder' : `/${field}`
    return { error: { pointer, detail: error.message } }
  }
}

function lifetimeOf({ expires }: TokenDraft): number | null {
  const found = Object.entries(LIFETIMES).find(([name]) => name === expires)
  if (found) return found[1]
  throw new RequestError('invalid_request', t('Choose when the token expires.'))
}

async function holderOf(tx: MemberTransaction, { holder, agent_name }: TokenDraft, now: number) {
  if (holder === OWN_CLIENT) return OWN_HOLDER
  if (holder !== NEW_AGENT) return { holder: 'cloud_agent', agentId: holder } as const
  const { agentId } = await createCloudAgent(tx, agent_name, now)
  return { holder: 'cloud_agent', agentId } as const
}
