/** Downloads an archive with a token. */

import * as Type from '../base/type.ts'
import { RequestError } from '../base/request-error.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { exportAnswer, ZIP_TYPE } from './export-response.ts'
import { EXPORT_API_PATH } from './export-url.ts'
import { findExport } from './export-store.ts'
import { requireAllData, type RequireTool } from '../tools/allowed-tools.ts'
import type { Clock } from '../base/clock.ts'
import type { Database } from '../db/database.ts'

interface ExportRouteDeps {
  readonly database: Database
  readonly clock: Clock
  readonly requireTool: RequireTool
}

export function exportRoute({ database, clock, requireTool }: ExportRouteDeps): Route {
  return defineRoute({
    method: 'GET',
    path: EXPORT_API_PATH,
    operationId: 'downloadExport',
    summary: 'Download an export',
    description:
      'The zip file of an `export_data` job with everything the member has. It is available for 7 days, or until the next export.',
    access: 'bearer',
    limit: LIMITS.jobs,
    params: Type.Object({ export_id: Type.String() }),
    answers: {
      200: { description: 'The zip file', type: ZIP_TYPE },
      403: { description: 'The member does not allow this agent to do it' },
      404: { description: 'Export not found or expired' },
    },
    async handle({ params, caller }) {
      requireTool(caller, 'export_connections')
      requireAllData(caller)
      const db = database.member(caller.memberId)
      const stored = await findExport(db, params.export_id, clock.now())
      if (!stored) throw exportNotFound()
      return exportAnswer(db, stored)
    },
  })
}

function exportNotFound(): RequestError {
  return new RequestError('not_found', 'Export not found or expired.', {
    hint: 'Exports are kept for 7 days. Create a new one with POST /api/jobs {"kind":"export_data"}.',
  })
}
