/**
 * Writes an error in the format the client prefers: a problem document, an HTML page for people who follow a link, or
 * Markdown for agents when a resource does not exist.
 */

import { negotiate } from './content/accept.ts'
import { MARKDOWN_TYPE, type Answer } from './response.ts'
import { problem } from './problem.ts'
import { heading, link, paragraph, text, writeMarkdown } from './content/write-markdown.ts'
import type { RequestError } from '../base/request-error.ts'
import type { ErrorResponder } from './route.ts'

/**
 * Formats other than a problem document, for clients that request them by name. Pages only cover errors that are not the
 * person's fault: an unknown URL, a rate limit, or a server failure.
 */
export function otherTypesOf(status: number): readonly ('text/html' | 'text/markdown')[] {
  if (status === 404) return ['text/html', 'text/markdown']
  return status === 429 || status >= 500 ? ['text/html'] : []
}

/** The error response for this Accept header. `page` renders the HTML. */
export async function notFoundError(
  accept: string | undefined,
  page: ErrorResponder,
  error: RequestError,
  requestId: string,
): Promise<Answer> {
  const others = otherTypesOf(error.status)
  if (others.length === 0) return problem(error, requestId)
  const type = negotiate(accept, [...PROBLEM_TYPES, ...others])
  const write = type === 'text/markdown' ? markdownNotFound : type === 'text/html' ? page : problem
  const { headers, ...answer } = await write(error, requestId)
  return { ...answer, headers: { ...headers, vary: 'Accept' } }
}

/** Either one selects a problem document. */
const PROBLEM_TYPES = ['application/json', 'application/problem+json'] as const

/** The message may quote the request, so it is escaped as text. */
async function markdownNotFound(error: RequestError, requestId: string): Promise<Answer> {
  const { hint, headers } = error.details
  const page = [
    heading(1, error.title),
    paragraph(text(error.message)),
    ...(hint === undefined ? [] : [paragraph(text(hint))]),
    paragraph(
      text('Start at '),
      link('/llms.txt', '/llms.txt'),
      text(', or see the API description at '),
      link('/openapi.json', '/openapi.json'),
      text('. Request ID: '),
      { type: 'inlineCode', value: requestId },
      text('.'),
    ),
  ]
  return {
    status: error.status,
    headers: { 'content-type': MARKDOWN_TYPE, 'cache-control': 'no-store', ...headers },
    body: await writeMarkdown(page),
  }
}
