/**
 * Writes an error in the format the client prefers: a problem document, an HTML page for people who follow a link, or
 * Markdown for agents when a resource does not exist.
 */

import { negotiate } from './content/accept.ts'
import { MARKDOWN_TYPE, type Answer } from './response.ts'
import { problem } from './problem.ts'
import { writeMarkdown } from './content/write-markdown.ts'
import type { BlockContent, PhrasingContent } from 'mdast'
import type { RequestError } from '../base/request-error.ts'
import type { ErrorResponder } from './route.ts'

/**
 * Formats other than a problem document, for clients that request them by name. Pages only cover errors that are not the
 * person's fault: an unknown URL, a rate limit, or a server failure.
 */
export function otherTypesOf(status: number): readonly string[] {
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
  const { status } = error
  if (otherTypesOf(status).length === 0) return problem(error, requestId)
  const write = status === 404 ? notFoundWriter(accept, page) : pageOrProblem(accept, page)
  const { headers, ...answer } = await write(error, requestId)
  return { ...answer, headers: { ...headers, vary: 'Accept' } }
}

function notFoundWriter(
  accept: string | undefined,
  page: ErrorResponder,
): ErrorResponder | typeof markdownNotFound {
  const type = negotiate(accept, [...PROBLEM_TYPES, 'text/html', 'text/markdown'])
  if (type === 'text/markdown') return markdownNotFound
  return type === 'text/html' ? page : problem
}

function pageOrProblem(accept: string | undefined, page: ErrorResponder): ErrorResponder {
  return negotiate(accept, [...PROBLEM_TYPES, 'text/html']) === 'text/html' ? page : problem
}

/** Either one selects a problem document. */
const PROBLEM_TYPES = ['application/json', 'application/problem+json'] as const

/** The message may quote the request, so it is escaped as text. */
async function markdownNotFound(error: RequestError, requestId: string): Promise<Answer> {
  const { hint, headers } = error.details
  const page: BlockContent[] = [
    { type: 'heading', depth: 1, children: [{ type: 'text', value: error.title }] },
    paragraph({ type: 'text', value: error.message }),
    ...(hint === undefined ? [] : [paragraph({ type: 'text', value: hint })]),
    paragraph(
      { type: 'text', value: 'Start at ' },
      link('/llms.txt'),
      { type: 'text', value: ', or see the API description at ' },
      link('/openapi.json'),
      { type: 'text', value: '. Request ID: ' },
      { type: 'inlineCode', value: requestId },
      { type: 'text', value: '.' },
    ),
  ]
  return {
    status: error.status,
    headers: { 'content-type': MARKDOWN_TYPE, 'cache-control': 'no-store', ...headers },
    body: await writeMarkdown(page),
  }
}

function paragraph(...children: PhrasingContent[]): BlockContent {
  return { type: 'paragraph', children }
}

function link(path: string): PhrasingContent {
  return { type: 'link', url: path, children: [{ type: 'text', value: path }] }
}
