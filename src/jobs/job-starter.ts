/** Finds who a job changes things for, for the activity log. */

import { memberStatement, statement } from '../db/statement.ts'
import type { MemberTransaction } from '../db/database.ts'
import type { RunningJob } from './job.ts'

/** Who, and with which credential, the changes of a job are recorded by. */
export async function changedByJob(
  tx: MemberTransaction,
  job: Pick<RunningJob, 'credentialId' | 'now'>,
) {
  const { credentialId } = job
  return { credentialId, actor: await readStarter(tx, credentialId), now: job.now() }
}

/** The name of the agent that holds the credential, or the member when there is none. */
export async function readStarter(
  tx: MemberTransaction,
  credentialId: string | null,
): Promise<string> {
  if (credentialId !== null)
    return (await tx.get(CREDENTIAL, { credential_id: credentialId }))?.name ?? 'an agent'
  const member = await tx.shared.get(MEMBER, { member_id: tx.memberId })
  if (!member) throw new Error(`member ${tx.memberId} does not exist`)
  return member.name
}

/** The name of an API token, or the client name of a grant; both are kept after revocation. */
const CREDENTIAL = memberStatement<{ credential_id: string }, { name: string }>()(`
  select name from api_tokens where member_id = :member_id and token_id = :credential_id
  union all
  select name from credential_names where member_id = :member_id and credential_id = :credential_id`)

const MEMBER = statement<{ member_id: number }, { name: string }>(
  'select name from members where member_id = :member_id',
)
