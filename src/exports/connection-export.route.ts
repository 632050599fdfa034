/** Downloads a contact file that the same agent exported. */

import { isDeepStrictEqual } from 'node:util'
import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { connectionExportFile, requireConnectionExport, toldTo } from './connection-export.ts'
import { contactFileAnswer } from './export-response.ts'
import { CONNECTION_EXPORT_PATH } from './export-url.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'
import type { Caller } from '../http/caller.ts'
import type { RequireTool } from '../tools/allowed-tools.ts'

interface ConnectionExportDeps {
  readonly database: Database
  readonly clock: Clock
  readonly requireTool: RequireTool
  /** @throws {RequestError} `unauthorized` when the token is not valid. */
  readonly authenticate: (authorization: string | undefined) => Promise<Caller>
}

export function connectionExportRoute(deps: ConnectionExportDeps): Route {
  const { database, clock, requireTool, authenticate } = deps
  return defineRoute({
    method: 'GET',
    path: CONNECTION_EXPORT_PATH,
    operationId: 'downloadConnectionExport',
    summary: 'Download exported connections',
    description:
      'The CSV or vCard file of an export of the tool `export_connections`, for the token that created it; the ID is the ' +
      'end of its `uri`. It has the connections as they are now, and is available for a day.',
    access: 'bearer',
    limit: LIMITS.jobs,
    params: Type.Object({ export_id: Type.String() }),
    answers: {
      200: { description: 'The file', type: 'text/csv' },
      403: { description: 'The member does not allow this agent to do it' },
      404: { description: 'Export not found or expired' },
    },
    async handle({ params, caller, header }) {
      requireTool(caller, 'export_connections')
      const db = database.member(caller.memberId)
      const credentialId = caller.credential.id
      const sought = { exportId: params.export_id, credentialId, now: clock.now() }
      const exported = await requireConnectionExport(db, sought)
      const file = connectionExportFile(db, exported, toldTo(caller.limits))
      const callerNow = () => authenticate(header('authorization'))
      return contactFileAnswer(exported, whileAllowed(file, caller, callerNow))
    },
  })
}

/**
 * The same pieces, as long as the caller has the same access: the file has the connections as they are when a slow client
 * reads it.
 *
 * @throws {RequestError} `unauthorized` or `forbidden` when the access has ended or changed.
 */
async function* whileAllowed<Piece>(
  pieces: AsyncIterable<Piece>,
  { limits }: Caller,
  callerNow: () => Promise<Caller>,
): AsyncGenerator<Piece, void> {
  for await (const piece of pieces) {
    if (!isDeepStrictEqual((await callerNow()).limits, limits))
      throw new RequestError('forbidden', 'The limits of this agent changed during the download.')
    yield piece
  }
}
