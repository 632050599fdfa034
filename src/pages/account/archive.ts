/**
 * Everything that a member has here as one JSON document, a row a line. It is read in pages, each as it is at that
 * moment: what is changed while it is read may be in it as before or as after.
 */

import { listApiTokens } from '../../access/api-token.ts'
import { listSessions } from '../../access/browser-session.ts'
import { listCloudAgents } from '../../access/cloud-agent.ts'
import { rfc3339 } from '../../base/clock.ts'
import { requireMember, type Member } from '../../members/member.ts'
import { listGrants } from '../../oauth/grant.ts'
import { pagedSections, type Section } from './archive-pages.ts'
import type { Database, MemberReader } from '../../db/database.ts'

export async function* archiveOf(
  database: Database,
  memberId: number,
  now: number,
): AsyncGenerator<string> {
  const reader = database.member(memberId).heavy
  const member = await requireMember(database, memberId)
  yield `{\n"format": "weft-export-1",\n"exported_at": ${JSON.stringify(rfc3339(now))}`
  yield `,\n"profile": ${JSON.stringify(ownProfile(member))}`
  for (const section of [...pagedSections(), ...accessSections(now)]) {
    yield `,\n${JSON.stringify(section.name)}: [`
    let isFirst = true
    for await (const page of section.pages(reader)) {
      const lines = page.map((row) => JSON.stringify(row))
      if (lines.length > 0) yield (isFirst ? '\n' : ',\n') + lines.join(',\n')
      isFirst &&= lines.length === 0
    }
    yield ']'
  }
  yield '\n}\n'
}

function ownProfile(member: Member): object {
  const { memberId: _, avatarUrl, isPublic, version: _version, ...others } = member
  const { joinedAt, updatedAt, disabledAt: _disabled, ...fields } = others
  return {
    ...fields,
    avatar_url: avatarUrl,
    is_public: isPublic,
    joined_at: rfc3339(joinedAt),
    updated_at: rfc3339(updatedAt),
  }
}

/** Who and what can reach the member's network, by name; nothing here opens anything. */
function accessSections(now: number): Section[] {
  return [
    whole(
      'connected_apps',
      (reader) => listGrants(reader, now),
      (grant) => ({
        name: grant.clientName,
        handed_to: grant.redirectHost,
        connected_at: rfc3339(grant.createdAt),
        last_used_at: rfc3339(grant.lastUsedAt),
      }),
    ),
    whole('api_tokens', listApiTokens, (token) => ({
      name: token.name,
      holder: token.holder,
      cloud_agent: token.agent,
      created_at: rfc3339(token.createdAt),
      expires_at: rfc3339(token.expiresAt),
      last_used_at: rfc3339(token.lastUsedAt),
    })),
    whole('cloud_agents', listCloudAgents, (agent) => ({
      name: agent.name,
      created_at: rfc3339(agent.createdAt),
    })),
    whole(
      'browsers',
      (reader) => listSessions(reader, now),
      (session) => ({
        user_agent: session.userAgent,
        signed_in_at: rfc3339(session.createdAt),
        last_seen_at: rfc3339(session.lastSeenAt),
      }),
    ),
  ]
}

/** Of what a member has few. */
function whole<Row>(
  name: string,
  list: (reader: MemberReader) => Promise<readonly Row[]>,
  shape: (row: Row) => object,
): Section {
  return {
    name,
    async *pages(reader) {
      yield (await list(reader)).map(shape)
    },
  }
}
