/** `/user/import`: upload a file, preview its contents, then import it. */

import * as Type from '../../base/type.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { RequestError } from '../../base/request-error.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { findImportedUpload } from '../../imports/imported-upload.ts'
import { previewImport, readFileHeader } from '../../imports/preview-import.ts'
import { rememberMapping, type ColumnTexts } from '../../imports/reading/column-mappings.ts'
import { parseTarget } from '../../contact-files/columns/column-fields.ts'
import { creditBalance } from '../../credits/account.ts'
import { submissionOf } from '../../guards/form-submission.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { messagePage, errorPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { defineRoute, type Route, type ErrorResponder } from '../../http/route.ts'
import { readJobPage } from '../../jobs/job-list.ts'
import { findActiveJob } from '../../jobs/start-job.ts'
import { storeFormFile, type UploadTerms } from '../../jobs/upload-form.ts'
import { MAX_UPLOAD_BYTES, removeUpload, requireUpload } from '../../jobs/uploads.ts'
import { uploadQuota } from '../../jobs/store-upload.ts'
import { timesOf } from '../ui/time.ts'
import { jobNoticePath } from '../ui/job-notices.ts'
import { startJobOnce } from '../ui/start-job-once.ts'
import { uploadPage, type UploadPage } from './upload.page.ts'
import { IMPORT_PATH, importPreviewPath } from '../../html/site-map.ts'
import { previewPage } from './preview.page.ts'
import { rejectedRoute } from './rejected.route.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { FileForm } from '../../http/multipart-form.ts'
import type { StoredUpload } from '../../jobs/uploads.ts'
import type { ImportDeps } from './import-deps.ts'

/** Allows for the multipart lines around the file. The file itself is measured while it is stored. */
const FORM_ALLOWANCE = 64 * 1024
const MAX_FORM_BYTES = 256 * 1024 // a header and a choice for each of up to 200 columns

const { credits } = fileImportJob
const BY_UPLOAD = Type.Object({ upload_id: Type.String() })
const ENCODING = Type.Object({ encoding: Type.Optional(Type.String({ maxLength: 30 })) })

const NO_FILE = { description: 'File not found or expired', type: 'text/html' }

export function importRoutes(deps: ImportDeps): Route[] {
  return [
    chooseRoute(deps),
    uploadRoute(deps),
    planRoute(deps),
    startRoute(deps),
    rejectedRoute(deps),
  ]
}

function chooseRoute(deps: ImportDeps): Route {
  return defineRoute({
    method: 'GET',
    path: IMPORT_PATH,
    operationId: 'showImport',
    summary: 'Show the import page',
    access: 'session',
    answers: { 200: { description: 'The page', type: 'text/html' } },
    onError: errorPage,
    handle: ({ browser }) => showUploadPage(deps, browser),
  })
}

function uploadRoute(deps: ImportDeps): Route {
  const { database, clock, uploadQuotaMb } = deps
  return defineRoute({
    method: 'POST',
    path: IMPORT_PATH,
    operationId: 'uploadContactFile',
    summary: 'Upload a contact file for preview',
    access: 'session',
    limit: LIMITS.jobs,
    body: { kind: 'file-form', maxBytes: MAX_UPLOAD_BYTES + FORM_ALLOWANCE },
    answers: {
      303: { description: 'Stored; redirects to the preview' },
      400: {
        description: 'The file is missing or empty; the page with the error',
        type: 'text/html',
      },
      413: { description: 'The file exceeds 50 MB or the upload quota', type: 'text/html' },
      422: {
        description: 'The file is not a list of contacts; the page with the error',
        type: 'text/html',
      },
    },
    onError: fileErrorPage,
    async handle({ body, browser, signal }) {
      try {
        const db = database.member(browser.member.memberId)
        const encoding = body.fields.get('encoding') || undefined
        const terms = { now: clock.now(), quota: uploadQuota(uploadQuotaMb) }
        const upload = await storeContactFile(db, body, terms, signal)
        return seeOther(importPreviewPath(upload.upload_id, encoding))
      } catch (error) {
        return await showUploadPage(deps, browser, aboutFile(error))
      }
    },
  })
}

function planRoute(deps: ImportDeps): Route {
  const { database, clock, quota } = deps
  return defineRoute({
    method: 'GET',
    path: importPreviewPath(':upload_id'),
    operationId: 'showImportPlan',
    summary: 'Preview an import',
    access: 'session',
    limit: LIMITS.jobs,
    params: BY_UPLOAD,
    query: ENCODING,
    answers: {
      200: { description: 'The page', type: 'text/html' },
      404: NO_FILE,
      422: { description: 'The file is damaged; the page to choose another', type: 'text/html' },
    },
    onError: errorPage,
    async handle({ params, query: { encoding }, browser, signal }) {
      const now = clock.now()
      const db = database.member(browser.member.memberId)
      const upload = await findUpload(db, params.upload_id, now)
      if (!upload) return noFilePage()
      try {
        const reading = { allowUnknown: true, ...(encoding !== undefined && { encoding }) }
        const plan = await previewImport(db, { uploadId: upload.upload_id, now, reading }, signal)
        const balance = await creditBalance(db, quota, now)
        return previewPage({
          browser,
          upload,
          plan,
          balance,
          credits,
          running: await findActiveJob(db, fileImportJob.kind),
          ...(encoding !== undefined && { encoding }),
        })
      } catch (error) {
        return await showUploadPage(deps, browser, aboutFile(error))
      }
    },
  })
}

function startRoute({ database, clock, quota, wake }: ImportDeps): Route {
  return defineRoute({
    method: 'POST',
    path: importPreviewPath(':upload_id'),
    operationId: 'startImport',
    summary: 'Import an uploaded file',
    access: 'session',
    limit: LIMITS.jobs,
    params: BY_UPLOAD,
    query: ENCODING,
    body: { kind: 'form', maxBytes: MAX_FORM_BYTES },
    answers: {
      303: {
        description:
          'Redirects to the page of the job that was started or already running, or to the preview, with other columns or because another file is being imported',
      },
      402: { description: 'The monthly credits do not cover it', type: 'text/html' },
      404: NO_FILE,
    },
    onError: errorPage,
    async handle({ params, query: { encoding }, body, browser, signal }) {
      const now = clock.now()
      const db = database.member(browser.member.memberId)
      const upload = await findUpload(db, params.upload_id, now)
      if (!upload) return noFilePage()
      const columns = chosenColumns(body)
      if (Object.keys(columns).length > 0) {
        const reading = { allowUnknown: true, ...(encoding !== undefined && { encoding }) }
        const header = await readFileHeader(db, { uploadId: upload.upload_id, reading }, signal)
        await db.write((tx) => rememberMapping(tx, header, columns, now))
      }
      if (body.get('action') === 'preview')
        return seeOther(importPreviewPath(upload.upload_id, encoding))
      const form = importPreviewPath(upload.upload_id)
      const { jobId, started } = await startJobOnce(db, {
        definition: fileImportJob,
        input: { upload_id: upload.upload_id, ...(encoding !== undefined && { encoding }) },
        quota,
        now,
        submission: submissionOf({ browser, body, form, now }),
      })
      if (started) wake()
      else if ((await findImportedUpload(db, jobId))?.uploadId !== upload.upload_id)
        return seeOther(importPreviewPath(upload.upload_id, encoding))
      return seeOther(jobNoticePath(jobId, started ? 'started' : 'running'))
    },
  })
}

/** With the latest imports below the form. */
async function showUploadPage(
  { database, clock }: ImportDeps,
  browser: SignedInRequest,
  problem: FileProblem = {},
): Promise<Answer> {
  const db = database.member(browser.member.memberId)
  const { jobs } = await readJobPage(db, { kind: fileImportJob.kind, limit: RECENT_IMPORTS })
  const times = timesOf(browser, clock.now())
  return uploadPage({ browser, times, credits, recent: jobs, ...problem })
}

const RECENT_IMPORTS = 5

type FileProblem = Pick<UploadPage, 'error' | 'status' | 'asksEncoding'>

/** The columns for which the member chose a field, by name. */
function chosenColumns(form: URLSearchParams): ColumnTexts {
  const chosen: Record<string, string> = {}
  for (const [name, field] of form) {
    const at = /^column\.(\d+)$/.exec(name)?.[1]
    const header = form.get(`header.${at}`)
    if (at !== undefined && field !== '' && header !== null && parseTarget(field) !== null)
      chosen[header] = field
  }
  return chosen
}

/**
 * Deletes a file that is not a contact file.
 *
 * @throws {RequestError} `unreadable_file` when the file is not a contact file.
 */
async function storeContactFile(
  db: MemberDatabase,
  form: FileForm,
  terms: UploadTerms,
  signal: AbortSignal,
): Promise<StoredUpload> {
  // Browsers send an empty file name if no file was chosen.
  if (!form.file || form.file.filename === '')
    throw new RequestError('invalid_request', 'Choose a file first.')
  const upload = await storeFormFile(db, form, terms)
  try {
    const encoding = form.fields.get('encoding') || 'auto'
    const reading = { encoding, allowUnknown: true }
    await readFileHeader(db, { uploadId: upload.upload_id, reading }, signal)
  } catch (error) {
    await removeUpload(db, upload.upload_id)
    throw error
  }
  return upload
}

async function findUpload(
  db: MemberDatabase,
  uploadId: string,
  now: number,
): Promise<StoredUpload | undefined> {
  try {
    return await requireUpload(db, uploadId, now)
  } catch (error) {
    if (error instanceof RequestError) return undefined
    throw error
  }
}

const TOO_LARGE = `This file is larger than ${formatBytes(MAX_UPLOAD_BYTES)}.`

/** The error for the file field. Rethrows errors that are not about the file. */
function aboutFile(error: unknown): FileProblem {
  if (!(error instanceof RequestError)) throw error
  const { code, message, status, details } = error
  if (code === 'payload_too_large') return { error: TOO_LARGE, status }
  if (code === 'upload_quota_exceeded') return { error: `${message} ${details.hint ?? ''}`, status }
  if (code === 'unreadable_file') {
    const asksEncoding = details.members?.['reason'] === 'unknown_encoding'
    return { error: `${message} ${details.hint ?? ''}`, status: 422, asksEncoding }
  }
  if (code === 'invalid_request') return { error: message, status }
  throw error
}

/** A form whose Content-Length is too large is rejected without reading it. */
const fileErrorPage: ErrorResponder = (error, requestId) =>
  error.code === 'payload_too_large'
    ? messagePage({
        status: error.status,
        title: 'This file is too large',
        text: TOO_LARGE,
        hint: 'Export fewer contacts per file and import the files one by one.',
        action: { href: IMPORT_PATH, label: 'Choose another file' },
      })
    : errorPage(error, requestId)

function noFilePage(): Answer {
  return messagePage({
    status: 404,
    title: 'File not found',
    text: 'Uploaded files are kept for one day. Nothing was imported.',
    action: { href: IMPORT_PATH, label: 'Upload the file again' },
  })
}
