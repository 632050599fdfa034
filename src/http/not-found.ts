/** A 404 as whoever asked for the address reads it: a problem document, markdown for an agent, a page for a person. */

import { toMarkdown } from 'mdast-util-to-markdown'
import { prefers } from './accept.ts'
import { MARKDOWN_TYPE, type Answer } from './answer.ts'
import { problem } from './problem.ts'
import type { BlockContent, PhrasingContent } from 'mdast'
import type { Refusal } from '../base/refusal.ts'
import type { WriteRefusal } from './route.ts'

/** The writer of refusals for a request with this Accept header; `page` writes what a browser shows. */
export function refusalWriter(accept: string | undefined, page: WriteRefusal): WriteRefusal {
  return (refusal, requestId) => {
    if (refusal.status !== 404) return problem(refusal, requestId)
    const { headers, ...answer } = notFoundWriter(accept, page)(refusal, requestId)
    return { ...answer, headers: { ...headers, vary: 'Accept' } }
  }
}

function notFoundWriter(accept: string | undefined, page: WriteRefusal): WriteRefusal {
  if (prefers(accept, 'text/markdown', 'application/json')) return markdownNotFound
  return prefers(accept, 'text/html', 'application/json') ? page : problem
}

/** The sentence may hold what the caller sent; it stays text. */
function markdownNotFound(refusal: Refusal, requestId: string): Answer {
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
    body: toMarkdown({ type: 'root', children: page }),
  }
}

function paragraph(...children: PhrasingContent[]): BlockContent {
  return { type: 'paragraph', children }
}

function link(path: string): PhrasingContent {
  return { type: 'link', url: path, children: [{ type: 'text', value: path }] }
}
