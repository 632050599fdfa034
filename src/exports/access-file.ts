/** Lists the names of everything that has access to the member's network, without secrets. */

import { listApiTokens } from '../access/api-token.ts'
import { listDevices } from '../access/device-password.ts'
import { listSessions } from '../access/browser-session.ts'
import { listCloudAgents } from '../access/cloud-agent.ts'
import { listPasskeys } from '../access/passkey.ts'
import { rfc3339 } from '../base/clock.ts'
import { readBook } from '../connections/cards/book-state.ts'
import { listGrants } from '../oauth/grant.ts'
import type { MemberReader } from '../db/database.ts'

export async function accessOf(reader: MemberReader, now: number): Promise<object> {
  return {
    connected_apps: (await listGrants(reader, now)).map((grant) => ({
      name: grant.clientName,
      handed_to: grant.redirectHost,
      connected_at: rfc3339(grant.createdAt),
      last_used_at: rfc3339(grant.lastUsedAt),
    })),
    api_tokens: (await listApiTokens(reader)).map((token) => ({
      name: token.name,
      holder: token.holder,
      cloud_agent: token.agent,
      created_at: rfc3339(token.createdAt),
      expires_at: rfc3339(token.expiresAt),
      last_used_at: rfc3339(token.lastUsedAt),
    })),
    cloud_agents: (await listCloudAgents(reader)).map((agent) => ({
      name: agent.name,
      created_at: rfc3339(agent.createdAt),
    })),
    devices: (await listDevices(reader)).map((device) => ({
      name: device.name,
      is_read_only: device.readOnly === 1,
      tag: device.tag,
      created_at: rfc3339(device.createdAt),
      last_used_at: rfc3339(device.lastUsedAt),
    })),
    devices_have_custom_fields: (await readBook(reader)).showsFields === 1,
    passkeys: (await listPasskeys(reader)).map((passkey) => ({
      name: passkey.name,
      is_synced: passkey.isSynced,
      created_at: rfc3339(passkey.createdAt),
      last_used_at: rfc3339(passkey.lastUsedAt),
    })),
    browsers: (await listSessions(reader, now)).map((session) => ({
      user_agent: session.userAgent,
      signed_in_at: rfc3339(session.createdAt),
      last_seen_at: rfc3339(session.lastSeenAt),
    })),
  }
}
