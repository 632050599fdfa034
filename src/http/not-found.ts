/**
 * A refusal as whoever asked reads it: a problem document; a page for a person who only followed a link; and where
 * there is nothing, markdown for an agent.
 */

import { negotiate } from './accept.ts'
import { MARKDOWN_TYPE, type Answer } from './response.ts'
import { problem } from './problem.ts'
import { writeMarkdown } from './write-markdown.ts'
import type { BlockContent, PhrasingContent } from 'mdast'
import type { RequestError } from '../base/request-error.ts'
import type { ErrorResponder } from './route.ts'

/**
 * What a refusal may be, beside a problem document, for who asks for that by name: a page where the person did nothing
 * wrong, as the address is nobody's, it was asked for too often, or the service failed.
 */
export function otherTypesOf(status: number): readonly string[] {
  if (status === 404) return ['text/html', 'text/markdown']
  return status === 429 || status >= 500 ? ['text/html'] : []
}

/** What a request with this Accept header is refused with. `page` writes what a browser shows. */
export async function notFoundError(
  accept: string | undefined,
  page: ErrorResponder,
  refusal: RequestError,
  requestId: string,
): Promise<Answer> {
  const { status } = refusal
  if (otherTypesOf(status).length === 0) return problem(refusal, requestId)
  const write = status === 404 ? notFoundWriter(accept, page) : pageOrProblem(accept, page)
  const { headers, ...answer } = await write(refusal, requestId)
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

/** Either stands for a problem document. */
const PROBLEM_TYPES = ['application/json', 'application/problem+json'] as const

/** The sentence may hold what the caller sent; it stays text. */
async function markdownNotFound(refusal: RequestError, requestId: string): Promise<Answer> {
  const { hint, headers } = refusal.details
  const page: BlockContent[] = [
    { type: 'heading', depth: 1, children: [{ type: 'text', value: refusal.title }] },
    paragraph({ type: 'text', value: refusal.message }),
    ...(hint === undefined ? [] : [paragraph({ type: 'text', value: hint })]),
    paragraph(
      { type: 'text', value: 'What there is: ' },
      link('/llms.txt'),
      { type: 'text', value: ', and for programs ' },
      link('/openapi.json'),
      { type: 'text', value: '. This request was ' },
      { type: 'inlineCode', value: requestId },
      { type: 'text', value: '.' },
    ),
  ]
  return {
    status: refusal.status,
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
