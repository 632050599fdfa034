/** A token as a member asks for it in the form, and what becomes of that. */

import { mintApiToken, type MintedApiToken } from '../../access/api-token.ts'
import { createCloudAgent } from '../../access/cloud-agent.ts'
import { Refusal } from '../../base/refusal.ts'
import type { MemberTransaction } from '../../db/database.ts'

/** The fields of the form, as they were sent. */
export interface TokenDraft {
  readonly name: string
  /** `OWN_CLIENT`, `NEW_AGENT`, or the id of a cloud agent. */
  readonly holder: string
  /** Of the new cloud agent. */
  readonly agent_name: string
  /** One of `LIFETIMES`. */
  readonly expires: string
}

export const OWN_CLIENT = 'ai_client'
export const NEW_AGENT = 'new'

/** In days, as the form names them. */
export const LIFETIMES = { '30': 30, '90': 90, '365': 365, never: null } as const

export const EMPTY_DRAFT: TokenDraft = {
  name: '',
  holder: OWN_CLIENT,
  agent_name: '',
  expires: '90',
}

export function readTokenDraft(form: URLSearchParams): TokenDraft {
  const text = (field: keyof TokenDraft) => form.get(field) ?? ''
  return {
    name: text('name'),
    holder: text('holder'),
    agent_name: text('agent_name'),
    expires: text('expires'),
  }
}

/** Makes the token, and the cloud agent that is to hold it where that is new. A refusal names the field to correct. */
export async function mintFromDraft(
  tx: MemberTransaction,
  draft: TokenDraft,
  now: number,
): Promise<MintedApiToken> {
  const lifetimeDays = lifetimeOf(draft)
  const holding = await holderOf(tx, draft, now)
  try {
    return await mintApiToken(tx, { name: draft.name, lifetimeDays, ...holding }, now)
  } catch (error) {
    const isGone = error instanceof Refusal && error.code === 'not_found'
    throw inField(isGone ? 'holder' : 'name', error)
  }
}

function lifetimeOf({ expires }: TokenDraft): number | null {
  const found = Object.entries(LIFETIMES).find(([name]) => name === expires)
  if (found) return found[1]
  throw inField('expires', new Refusal('invalid_request', 'Choose when the token expires.'))
}

async function holderOf(tx: MemberTransaction, { holder, agent_name }: TokenDraft, now: number) {
  if (holder === OWN_CLIENT) return { holder: 'ai_client' } as const
  if (holder !== NEW_AGENT) return { holder: 'cloud_agent', agentId: holder } as const
  try {
    const { agentId } = await createCloudAgent(tx, agent_name, now)
    return { holder: 'cloud_agent', agentId } as const
  } catch (error) {
    throw inField('agent_name', error)
  }
}

/** What refuses a value does not know which field of this form it came from. */
function inField(field: keyof TokenDraft, error: unknown): unknown {
  if (!(error instanceof Refusal)) return error
  const errors = [{ pointer: `/${field}`, detail: error.message }]
  return new Refusal(error.code, error.message, { errors })
}
