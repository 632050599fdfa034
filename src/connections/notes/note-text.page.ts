/**
 * The text of a note as HTML: a small part of Markdown, which agents write, and links to people after an @. Everything else
 * is text, also HTML and images.
 */

import { publicConnectionId } from '../model/connection.ts'
import { MENTION, personAfter, type Mentioned } from '../told-contacts/mentions.ts'
import { html, joinHtml, LINE_BREAK, type Html } from '../../html/html.ts'
import { connectionPath } from '../../html/site-map.ts'

/** A fragment with the paragraphs, lists and other blocks of a note. It can contain no element that the text wrote. */
export function noteHtml(text: string, people: Mentioned): Html {
  return joinHtml(
    blocksOf(text).map((block) => blockHtml(block, people)),
    '',
  )
}

type BlockKind = 'text' | 'list' | 'steps' | 'quote' | 'heading' | 'code'

interface Block {
  readonly kind: BlockKind
  readonly lines: string[]
}

const STARTS: readonly (readonly [BlockKind, RegExp])[] = [
  ['heading', /^#{1,6} +/],
  ['list', /^ {0,6}[-*+•] +/],
  ['steps', /^ {0,6}\d{1,3}[.)] +/],
  ['quote', /^> ?/],
]

/** Consecutive lines of one kind are one block; an empty line ends it. */
function blocksOf(text: string): readonly Block[] {
  const blocks: Block[] = []
  let open: Block | undefined
  for (const line of text.split('\n')) {
    const isFence = line.startsWith('```')
    if (open?.kind === 'code') {
      if (isFence) open = undefined
      else open.lines.push(line)
    } else if (isFence) blocks.push((open = { kind: 'code', lines: [] }))
    else if (line.trim() === '') open = undefined
    else {
      const [kind, start] = STARTS.find(([, pattern]) => pattern.test(line)) ?? ['text' as const]
      if (open?.kind !== kind || kind === 'heading') blocks.push((open = { kind, lines: [] }))
      open.lines.push(start === undefined ? line : line.replace(start, ''))
    }
  }
  return blocks
}

function blockHtml({ kind, lines }: Block, people: Mentioned): Html {
  if (kind === 'code') return html`<pre tabindex="0"><code>${lines.join('\n')}</code></pre>`
  const shown = lines.map((line) => lineHtml(line, people))
  const items = shown.map((line) => html`<li dir="auto">${line}</li>`)
  if (kind === 'list')
    return html`<ul>
      ${items}
    </ul>`
  if (kind === 'steps')
    return html`<ol>
      ${items}
    </ol>`
  const body = joinHtml(shown, LINE_BREAK)
  if (kind === 'quote') return html`<blockquote dir="auto">${body}</blockquote>`
  return kind === 'heading'
    ? html`<p dir="auto"><strong>${body}</strong></p>`
    : html`<p dir="auto">${body}</p>`
}

/** One alternative for each kind of mark, with the text inside it. */
// regex-ok: every repetition has a limit and ends at the character that closes it
const MARKS = new RegExp(
  [
    /`(?<code>[^`]{1,500})`/,
    /\*\*(?<bold>[^*]{1,500})\*\*/,
    /(?<![\p{L}\p{N}*])\*(?<italic>[^*\s][^*]{0,300})\*/u,
    /(?<![\p{L}\p{N}_])_(?<slanted>[^_\s][^_]{0,300})_(?![\p{L}\p{N}])/u,
    /\[(?<label>[^[\]]{1,300})\]\((?<target>https?:\/\/[^\s()<>]{1,1000})\)/,
    /(?<url>https?:\/\/[^\s<>"()]{1,1000})/,
  ]
    .map(({ source }) => source)
    .concat(`(?<mention>${MENTION.source})`)
    .join('|'),
  'gu',
)

/** A part of a note on one line, without marks; also a mark that begins or ends elsewhere in the note. */
export function plainNote(text: string): string {
  const plain = text.replaceAll(MARKS, (mark: string, ...rest: readonly unknown[]) => {
    // Safe: the last argument is the groups.
    const { code, bold, italic, slanted, label } = rest.at(-1) as Groups
    const inner = bold ?? italic ?? slanted
    return code ?? label ?? (inner === undefined ? mark : plainNote(inner))
  })
  return plain.replaceAll(LOOSE_MARKS, '')
}

/** The beginning of a block, and marks without their other half. */
const LOOSE_MARKS = /^(?:#{1,6}|>|[-*+•]) +|\*\*|```/g

function lineHtml(line: string, people: Mentioned): Html {
  const parts: Html[] = []
  let from = 0
  for (const match of line.matchAll(MARKS)) {
    const shown = markHtml(match.groups ?? {}, people)
    if (!shown) continue
    parts.push(html`${line.slice(from, match.index)}`, shown.mark)
    from = match.index + (shown.length ?? match[0].length)
  }
  return joinHtml([...parts, html`${line.slice(from)}`], '')
}

type Groups = Readonly<Partial<Record<string, string>>>

function markHtml(
  { code, bold, italic, slanted, label, target, url, mention }: Groups,
  people: Mentioned,
): { readonly mark: Html; readonly length?: number } | undefined {
  if (code !== undefined) return { mark: html`<code>${code}</code>` }
  if (bold !== undefined) return { mark: html`<strong>${lineHtml(bold, people)}</strong>` }
  const slant = italic ?? slanted
  if (slant !== undefined) return { mark: html`<em>${lineHtml(slant, people)}</em>` }
  if (label !== undefined && target !== undefined) return { mark: linkTo(target, label) }
  if (url !== undefined) {
    const address = url.replace(/[.,;:!?]{1,10}$/, '')
    return { mark: linkTo(address, address.replace(/^https?:\/\//, '')), length: address.length }
  }
  const found = mention === undefined ? undefined : personAfter(mention.slice(1), people)
  if (!found) return undefined
  const path = connectionPath(publicConnectionId(found.person.connectionId))
  return { mark: html`<a href="${path}">@${found.name}</a>`, length: found.length + 1 }
}

function linkTo(address: string, label: string): Html {
  return html`<a href="${address}" rel="nofollow noopener noreferrer"><bdi>${label}</bdi></a>`
}
