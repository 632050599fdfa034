/**
 * Finds the texts of an HTML template, so that templates are written in English and shown in any language. A text is what
 * stands between two block elements, with the inline elements and values in it: `Signed in {0}. <a>End all</a>`. Texts of
 * attributes such as `aria-label` are texts too.
 */

/** A part of a template: markup, the index of a value, or a text. */
export type TemplatePart = string | number | TemplateText

export interface TemplateText {
  /** With values as `{0}` and inline elements as `<a>…</a>`, `<a2>…</a2>`: ICU MessageFormat, with character references. */
  readonly source: string
  /** The indexes of the values `{0}`, `{1}` and so on. */
  readonly values: readonly number[]
  /** The inline elements by their names in `source`: the element and its start tag. */
  readonly tags: Readonly<Record<string, Tag>>
}

interface Tag {
  readonly element: string
  readonly start: readonly TemplatePart[]
}

/** Stands for a value in the joined template. */
const VALUE = /\uE000(\d+)\uE001/
const VALUES = /\uE000(\d+)\uE001/g
// regex-ok: our own templates
const TOKEN = /<(\/?)([a-z][a-z0-9]*)((?:"[^"]*"|[^>"])*)>|<!(?:"[^"]*"|[^>"])*>|[^<]+|</g
const INLINE = /^(?:a|abbr|b|bdi|code|em|i|kbd|mark|small|span|strong|time)$/
const CODE = /^(?:code|kbd|pre|script|style)$/
const TEXT_ATTRIBUTE =
  /(\s(?:aria-label|aria-description|alt|placeholder|title|data-[a-z-]*text)=")([^"]*)(?=")/g

interface Token {
  readonly source: string
  /** The name of the element, if it is a tag. */
  readonly name?: string | undefined
  readonly isEnd: boolean
}

/** The parts of a template, from its strings. */
export function templateParts(strings: readonly string[]): TemplatePart[] {
  const joined = strings
    .map((text, at) => (at === 0 ? text : `\uE000${at - 1}\uE001${text}`))
    .join('')
  const tokens = [...joined.matchAll(TOKEN)].map(([source, end, name]): Token => ({
    source,
    name,
    isEnd: end === '/',
  }))
  const parts: TemplatePart[] = []
  let run: Token[] = []
  for (const token of tokens) {
    if (isInText(token)) run.push(token)
    else {
      const isCode = CODE.test(token.name ?? '') && token.isEnd
      parts.push(...(isCode ? run.flatMap(markupOf) : textParts(run)), ...tagParts(token.source))
      run = []
    }
  }
  return [...parts, ...textParts(run)]
}

function isInText({ source, name }: Token): boolean {
  return name === undefined ? !source.startsWith('<!') : INLINE.test(name)
}

/** A run of text, values and inline elements. Elements around all of it, and spaces, are not part of the text. */
function textParts(run: readonly Token[]): TemplatePart[] {
  if (!hasWords(run)) return run.flatMap(markupOf)
  const first = run[0]
  const last = run.at(-1)
  if (first && last && run.length > 1) {
    if (isBlank(first)) return [first.source, ...textParts(run.slice(1))]
    if (isBlank(last)) return [...textParts(run.slice(0, -1)), last.source]
    if (closingAt(run, 0) === run.length - 1)
      return [...tagParts(first.source), ...textParts(run.slice(1, -1)), last.source]
    const unmatched = run.findIndex(({ name }, at) => name !== undefined && !isMatched(run, at))
    const tag = run[unmatched]
    if (tag)
      return [
        ...textParts(run.slice(0, unmatched)),
        ...tagParts(tag.source),
        ...textParts(run.slice(unmatched + 1)),
      ]
  }
  const source = run.map((token) => token.source).join('')
  const before = source.slice(0, source.length - source.trimStart().length)
  const after = source.slice(source.trimEnd().length)
  return [before, textOf(run), after]
}

function markupOf({ source, name }: Token): TemplatePart[] {
  return name === undefined ? split(source) : tagParts(source)
}

function isBlank({ source, name }: Token): boolean {
  return name === undefined && source.trim() === ''
}

function hasWords(run: readonly Token[]): boolean {
  let inCode = 0
  return run.some(({ source, name, isEnd }) => {
    if (name !== undefined && CODE.test(name)) inCode += isEnd ? -1 : 1
    return name === undefined && inCode === 0 && /\p{L}/u.test(withoutValues(source))
  })
}

function withoutValues(source: string): string {
  return source.replaceAll(VALUES, '').replaceAll(/&[a-z0-9#]+;/g, '')
}

/** Where the element that starts here ends; -1 if it does not, or if no element starts here. */
function closingAt(run: readonly Token[], start: number): number {
  const { name, isEnd } = run[start] ?? {}
  if (name === undefined || isEnd !== false) return -1
  let depth = 0
  return run.findIndex((token, at) => {
    if (at < start || token.name !== name) return false
    depth += token.isEnd ? -1 : 1
    return depth === 0
  })
}

function isMatched(run: readonly Token[], at: number): boolean {
  if (run[at]?.isEnd === false) return closingAt(run, at) > 0
  return run.some((_, start) => closingAt(run, start) === at)
}

function textOf(run: readonly Token[]): TemplateText {
  const values: number[] = []
  const tags: Record<string, Tag> = {}
  const open: string[] = []
  const source = run.map((token) => {
    if (token.name === undefined) return numbered(token.source, values)
    if (token.isEnd) return `</${open.pop()}>`
    const tag = freeName(token.name, tags)
    tags[tag] = { element: token.name, start: tagParts(token.source) }
    open.push(tag)
    return `<${tag}>`
  })
  return { source: source.join('').replaceAll(/\s+/g, ' ').trim(), values, tags }
}

/** `a`, `a2`, `a3` and so on. */
function freeName(name: string, taken: Readonly<Record<string, Tag>>): string {
  const count = Object.values(taken).filter(({ element }) => element === name).length
  return count === 0 ? name : `${name}${count + 1}`
}

/** Replaces values by `{0}` and so on, and adds their indexes to the list. */
function numbered(source: string, values: number[]): string {
  return source.replaceAll(VALUES, (_, index) => `{${values.push(Number(index)) - 1}}`)
}

/** A tag: markup, values, and texts of attributes. */
function tagParts(source: string): TemplatePart[] {
  const parts: TemplatePart[] = []
  let end = 0
  for (const match of source.matchAll(TEXT_ATTRIBUTE)) {
    const [attribute, start = '', text = ''] = match
    if (!/\p{L}/u.test(withoutValues(text))) continue
    const values: number[] = []
    const numberedText = numbered(text, values).replaceAll(/\s+/g, ' ').trim()
    parts.push(...split(source.slice(end, match.index)), start, {
      source: numberedText,
      values,
      tags: {},
    })
    end = match.index + attribute.length
  }
  return [...parts, ...split(source.slice(end))]
}

/** Markup and values. */
function split(source: string): TemplatePart[] {
  return source
    .split(VALUE)
    .map((piece, at) => (at % 2 === 1 ? Number(piece) : piece))
    .filter((piece) => piece !== '')
}

/** The texts of a template, for catalogs. */
export function textsOf(parts: readonly TemplatePart[]): string[] {
  return parts.flatMap((part) =>
    typeof part === 'object'
      ? [part.source, ...Object.values(part.tags).flatMap(({ start }) => textsOf(start))]
      : [],
  )
}
