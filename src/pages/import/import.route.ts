/** `/user/import`: upload a file, preview its contents, then import it. */

import { t } from '../../languages/message.ts'
import * as Type from '../../base/type.ts'
import { formatBytes } from '../../base/format-bytes.ts'
import { RequestError, shownText } from '../../base/request-error.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { findImportedUpload } from '../../imports/imported-upload.ts'
import { previewImport, readFileHeader } from '../../imports/preview-import.ts'
import { rememberMapping, type ColumnTexts } from '../../imports/reading/column-mappings.ts'
import { parseTarget } from '../../contact-files/fields/column-fields.ts'
import { creditBalance } from '../../credits/account.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { messagePage, errorPage, notFoundPage } from '../../html/message.page.ts'
import { seeOther, type Answer } from '../../http/response.ts'
import { readJobPage } from '../../jobs/job-list.ts'
import { findActiveJob } from '../../jobs/start-job.ts'
import { storeFormFile, type UploadTerms } from '../../jobs/upload-form.ts'
import {
  MAX_UPLOAD_BYTES,
  removeUpload,
  requireUpload,
  type StoredUpload,
} from '../../jobs/uploads.ts'
import { uploadQuota } from '../../jobs/store-upload.ts'
import { listBooks, type SubscribedBook } from '../../subscribed-books/book-store.ts'
import { CARDS, startFirstImport } from '../../subscribed-books/import-book.ts'
import { timesOf } from '../../ui/time.ts'
import { jobNoticePath } from '../../ui/job-notices.ts'
import { startJobOnce, type StartedOnce } from '../../ui/start-job-once.ts'
import { uploadPage, type UploadPage } from './upload.page.ts'
import { IMPORT_PATH, importPreviewPath } from '../../html/site-map.ts'
import { previewPage } from './preview.page.ts'
import { rejectedRoute } from './rejected.route.ts'
import {
  pageRoute,
  type PageRequest,
  type PageDeps,
  formRoute,
  type FormRequest,
  fileRoute,
} from '../../forms/page-route.ts'
import { submitOnce } from '../../forms/submission.ts'
import type { Route, ErrorResponder } from '../../http/route.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { FileForm } from '../../http/body/multipart-form.ts'

export interface ImportDeps extends PageDeps {
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  /** `WEFT_UPLOAD_QUOTA_MB` */
  readonly uploadQuotaMb: number
  /** Notifies the worker that a job is queued. */
  readonly wake: () => void
}

/** Allows for the multipart lines around the file. The file itself is measured while it is stored. */
const FORM_ALLOWANCE = 64 * 1024
const MAX_FORM_BYTES = 256 * 1024 // a header and a choice for each of up to 200 columns

const { credits } = fileImportJob
const BY_UPLOAD = Type.Object({ upload_id: Type.String() })
const ENCODING = Type.Object({ encoding: Type.Optional(Type.String({ maxLength: 30 })) })

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
  return pageRoute(deps, { path: IMPORT_PATH, handle: (request) => showUploadPage(request) })
}

function uploadRoute(deps: ImportDeps): Route {
  return fileRoute(deps, {
    path: IMPORT_PATH,
    limit: LIMITS.jobs,
    maxBytes: MAX_UPLOAD_BYTES + FORM_ALLOWANCE,
    onError: fileErrorPage,
    async handle(request) {
      const { body, db, now, signal } = request
      try {
        const encoding = body.fields.get('encoding') || undefined
        const terms = { now, quota: uploadQuota(deps.uploadQuotaMb) }
        const upload = await storeContactFile(db, body, terms, signal)
        return seeOther(importPreviewPath(upload.upload_id, encoding))
      } catch (error) {
        return await showUploadPage(request, aboutFile(error))
      }
    },
  })
}

function planRoute(deps: ImportDeps): Route {
  return pageRoute(deps, {
    path: importPreviewPath(':upload_id'),
    limit: LIMITS.jobs,
    params: BY_UPLOAD,
    query: ENCODING,
    async handle(request) {
      const { params, query, browser, db, now, signal } = request
      const upload = await findUpload(db, params.upload_id, now)
      if (!upload) return noFilePage()
      try {
        const isBook = (await findBook(db, upload)) !== undefined
        const reading = isBook ? CARDS : { allowUnknown: true, ...encodingIn(query) }
        const plan = await previewImport(db, { uploadId: upload.upload_id, now, reading }, signal)
        const balance = await creditBalance(db, deps.quota, now)
        const running = await findActiveJob(db, fileImportJob.kind)
        return previewPage({
          browser,
          upload,
          plan,
          balance,
          credits,
          isBook,
          running,
          ...encodingIn(query),
        })
      } catch (error) {
        return await showUploadPage(request, aboutFile(error))
      }
    },
  })
}

/** Redirects to the preview, with other columns or because another file is being imported, or to the page of the job. */
function startRoute(deps: ImportDeps): Route {
  return formRoute(deps, {
    path: importPreviewPath(':upload_id'),
    limit: LIMITS.jobs,
    params: BY_UPLOAD,
    query: ENCODING,
    maxBytes: MAX_FORM_BYTES,
    async handle({ params, query, body, db, now, submission, signal }) {
      const upload = await findUpload(db, params.upload_id, now)
      if (!upload) return noFilePage()
      const { upload_id } = upload
      const columns = chosenColumns(body)
      if (Object.keys(columns).length > 0) {
        const reading = { allowUnknown: true, ...encodingIn(query) }
        const file = { uploadId: upload_id, reading }
        const header = await readFileHeader(db, file, signal)
        await db.write((tx) => rememberMapping(tx, header, columns, now))
      }
      const preview = importPreviewPath(upload_id, query.encoding)
      if (body.get('action') === 'preview') return seeOther(preview)
      const book = await findBook(db, upload)
      const { jobId, started } = book
        ? await importBookOnce(db, { book, now, submission })
        : await startJobOnce(db, {
            definition: fileImportJob,
            input: { upload_id, ...encodingIn(query) },
            quota: deps.quota,
            now,
            submission,
          })
      if (started) deps.wake()
      else if ((await findImportedUpload(db, jobId))?.uploadId !== upload_id)
        return seeOther(preview)
      return seeOther(jobNoticePath(jobId, started ? 'started' : 'running'))
    },
  })
}

function importBookOnce(
  db: MemberDatabase,
  {
    book,
    now,
    submission,
  }: Pick<FormRequest, 'now' | 'submission'> & { readonly book: SubscribedBook },
): Promise<StartedOnce> {
  return db.write((tx) =>
    submitOnce(tx, submission, async () => {
      const { job, started } = await startFirstImport(tx, book, now)
      return { jobId: job.job_id, started }
    }),
  )
}

/** The address book whose first import waits with this upload, if any. */
async function findBook(
  db: MemberDatabase,
  { upload_id }: StoredUpload,
): Promise<SubscribedBook | undefined> {
  return (await listBooks(db)).find(({ previewId }) => previewId === upload_id)
}

/** The text encoding that the member named, if any. */
function encodingIn({ encoding }: { readonly encoding?: string }) {
  return encoding === undefined ? {} : { encoding }
}

/** Shows the form with the latest imports below it. */
async function showUploadPage(
  { browser, db, now }: Pick<PageRequest, 'browser' | 'db' | 'now'>,
  problem: FileProblem = {},
): Promise<Answer> {
  const { jobs } = await readJobPage(db, { kind: fileImportJob.kind, limit: RECENT_IMPORTS })
  return uploadPage({ browser, times: timesOf(browser, now), recent: jobs, ...problem })
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
    throw new RequestError('invalid_request', t('Choose a file first.'))
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

function tooLarge(): string {
  return t('This file is larger than {size}.', { size: formatBytes(MAX_UPLOAD_BYTES) })
}

/** The error for the file field. Rethrows errors that are not about the file. */
function aboutFile(error: unknown): FileProblem {
  if (!(error instanceof RequestError)) throw error
  const { code, status, details } = error
  if (code === 'payload_too_large') return { error: tooLarge(), status }
  const advised = shownText(error)
  if (code === 'upload_quota_exceeded') return { error: advised, status }
  if (code === 'unreadable_file') {
    const asksEncoding = details.members?.['reason'] === 'unknown_encoding'
    return { error: advised, status: 422, asksEncoding }
  }
  if (code === 'invalid_request') return { error: advised, status }
  throw error
}

/** A form whose Content-Length is too large is rejected without reading it. */
const fileErrorPage: ErrorResponder = (error, requestId) =>
  error.code === 'payload_too_large'
    ? messagePage({
        status: error.status,
        title: t('This file is too large'),
        text: tooLarge(),
        hint: t('Export fewer contacts per file and import the files one by one.'),
        action: { href: IMPORT_PATH, label: t('Choose another file') },
      })
    : errorPage(error, requestId)

function noFilePage(): Answer {
  return notFoundPage(
    t('File not found'),
    t('Uploaded files are kept for one day. Nothing was imported.'),
    { href: IMPORT_PATH, label: t('Upload the file again') },
  )
}
