/** Uploads of files for jobs. */

import * as Type from '../base/type.ts'
import type { Static } from 'typebox'
import { rfc3339, type Clock } from '../base/clock.ts'
import { LIMITS } from '../guards/rate-limit-policies.ts'
import { isType } from '../http/body/parse-request.ts'
import { json, type Answer } from '../http/response.ts'
import { defineRoute, type Route } from '../http/route.ts'
import { filenameOf } from './filename.ts'
import { storeUpload, uploadQuota } from './store-upload.ts'
import { storeForm } from './upload-form.ts'
import { MAX_UPLOAD_BYTES, type StoredUpload } from './uploads.ts'
import type { Database } from '../db/database.ts'
import type { RequireTool } from '../tools/allowed-tools.ts'

interface UploadRouteDeps {
  readonly database: Database
  readonly clock: Clock
  /** `WEFT_UPLOAD_QUOTA_MB`. */
  readonly uploadQuotaMb: number
  /** Agents may upload files if they may import them. */
  readonly requireTool: RequireTool
}

/** Bytes for the multipart framing around the file. The size of the file itself is checked while it is stored. */
const FORM_ALLOWANCE = 64 * 1024

const NO_STORE = { 'cache-control': 'no-store' }

const UPLOAD = Type.Object({
  object: Type.Literal('upload'),
  upload_id: Type.String(),
  filename: Type.Union([Type.String(), Type.Null()]),
  bytes: Type.Integer(),
  expires_at: Type.String({ format: 'date-time' }),
})

const BYTES = Type.String({ contentMediaType: 'application/octet-stream' })
const FORM = Type.Object({ file: BYTES })

export function uploadRoute({
  database,
  clock,
  uploadQuotaMb,
  requireTool,
}: UploadRouteDeps): Route {
  return defineRoute({
    method: 'POST',
    path: '/api/uploads',
    operationId: 'uploadFile',
    summary: 'Upload a file for a job',
    description:
      'Send the raw bytes with `Content-Type` and the name in `Content-Disposition`, or one file as multipart/form-data. Uploads are kept for 24 hours.',
    access: 'bearer',
    limit: LIMITS.jobs,
    body: {
      kind: 'stream',
      maxBytes: MAX_UPLOAD_BYTES + FORM_ALLOWANCE,
      content: { 'application/octet-stream': BYTES, 'multipart/form-data': FORM },
    },
    answers: {
      201: { description: 'The upload', schema: UPLOAD },
      400: { description: 'An empty file, or a form without exactly one file' },
      403: { description: 'The member does not allow this agent to do it' },
      413: {
        description: 'More than 50 MB, or over the upload quota of the account',
      },
    },
    async handle(request) {
      const { body, caller } = request
      requireTool(caller, 'import_connections')
      const db = database.member(caller.memberId)
      const terms = { now: clock.now(), quota: uploadQuota(uploadQuotaMb) }
      const contentType = request.header('content-type') ?? null
      if (contentType !== null && isType(contentType, ['multipart/form-data']))
        return uploadAnswer(await storeForm(db, contentType, body, terms))
      const filename = filenameOf(request.header('content-disposition'))
      return uploadAnswer(await storeUpload(db, { filename, contentType, bytes: body, ...terms }))
    },
  })
}

function uploadAnswer(upload: StoredUpload): Answer {
  const published: Static<typeof UPLOAD> = {
    object: 'upload',
    upload_id: upload.upload_id,
    filename: upload.filename,
    bytes: upload.bytes,
    expires_at: rfc3339(upload.expires_at),
  }
  return json(published, 201, NO_STORE)
}
