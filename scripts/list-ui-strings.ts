/**
 * Prints the visible strings of every page as markdown, so that a reviewer can read them in one place:
 * `node scripts/list-ui-strings.ts > ui-strings.md`.
 *
 * The strings come from the source, so messages that only some requests show are listed too.
 */

import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { dirname, join } from 'node:path'
import process from 'node:process'
import { parse, type AnyNode, type Expression, type TemplateLiteral } from 'acorn'

const ROOT = join(import.meta.dirname, '..')

/** The files that write pages. */
const SOURCES = [
  'src/pages/**/*.ts',
  'src/sign-in/**/*.ts',
  'src/oauth/{authorization-request,authorization-response,authorize.route,consent.page}.ts',
  'src/discovery/home/*.ts',
  'src/discovery/docs/{docs.page,mcp-page.route}.ts',
  'src/html/*.ts',
  'src/http/form-guard.ts',
]

interface UiString {
  /** Its element or property, such as `heading`, `button`, `label` or `hint`. */
  readonly kind: string
  readonly text: string
}

function uiStringsDocument(): string {
  const files = SOURCES.flatMap((pattern) => globSync(pattern, { cwd: ROOT }).toSorted())
    .filter((file) => !file.endsWith('.test.ts'))
    .map((file) => ({ file, strings: stringsIn(readFileSync(join(ROOT, file), 'utf8')) }))
    .filter(({ strings }) => strings.length > 0)
  const folders = Map.groupBy(files, ({ file }) => dirname(file))
  const sections = [...folders].map(([folder, entries]) =>
    [`## ${folder.replace('src/', '')}`, ...entries.map(fileSection)].join('\n\n'),
  )
  return [INTRODUCTION, ...sections, ''].join('\n\n').replace(/\n+$/, '\n')
}

const INTRODUCTION = `# UI strings

Every visible string of the pages, by source file. \`{name}\` stands for a value.`

function fileSection({ file, strings }: { file: string; strings: readonly UiString[] }): string {
  const lines = strings.map(({ kind, text }) => `- ${kind}: ${escapeMarkdown(text)}`)
  return [`### ${file.split('/').at(-1)}`, [...new Set(lines)].join('\n')].join('\n\n')
}

function escapeMarkdown(text: string): string {
  return text.replaceAll(/[\\`*<>[\]]|(?<!\w)_|_(?!\w)/g, String.raw`\$&`)
}

function stringsIn(source: string): UiString[] {
  const program = parse(stripTypeScriptTypes(source), {
    ecmaVersion: 'latest',
    sourceType: 'module',
  })
  return [...visit(program, 'text')]
}

/** In the order of the source. `kind` is the name of the property whose value is a string. */
function* visit(node: AnyNode, kind: string): Generator<UiString> {
  if (isInvisible(node)) return
  if (node.type === 'TaggedTemplateExpression') {
    yield* stringsInHtml(withPlaceholders(node.quasi))
    for (const expression of node.quasi.expressions) yield* visit(expression, 'text')
    return
  }
  if (node.type === 'Literal' && typeof node.value === 'string') yield* proseIn(node.value, kind)
  if (node.type === 'TemplateLiteral') yield* proseIn(withPlaceholders(node), kind)
  const below = node.type === 'Property' ? nameOf(node.key) : kind
  for (const child of childrenOf(node)) yield* visit(child, below)
}

function childrenOf(node: AnyNode): AnyNode[] {
  const children = node.type === 'Property' ? [node.value] : Object.values(node).flat()
  return children.filter(isNode)
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

/** Properties that describe routes and tools for programs, or are not text. */
const INVISIBLE_PROPERTIES = new Set([
  'answers',
  'autocomplete',
  'description',
  'headers',
  'kind',
  'operationId',
  'scope',
  'summary',
  'vary',
])
const INVISIBLE_CALLS = /^(?:Error|TypeError|statement|memberStatement|RegExp|log\w*)$/

function isInvisible(node: AnyNode): boolean {
  if (node.type === 'ImportDeclaration') return true
  if (node.type === 'BinaryExpression') return node.operator !== '+'
  if (node.type === 'Property') return INVISIBLE_PROPERTIES.has(nameOf(node.key))
  if (node.type !== 'NewExpression' && node.type !== 'CallExpression') return false
  const { callee } = node
  const called = callee.type === 'CallExpression' ? callee.callee : callee
  return INVISIBLE_CALLS.test(nameOf(called))
}

function nameOf(node: AnyNode): string {
  if (node.type === 'Identifier') return node.name
  if (node.type === 'MemberExpression') return nameOf(node.property)
  if (node.type === 'CallExpression') return nameOf(node.callee)
  return node.type === 'Literal' ? String(node.value) : '…'
}

function withPlaceholders({ quasis, expressions }: TemplateLiteral): string {
  return quasis
    .map(({ value }, index) => (value.cooked ?? '') + placeholderOf(expressions[index]))
    .join('')
}

function placeholderOf(expression: Expression | undefined): string {
  if (expression === undefined) return ''
  return `{${nameOf(expression)}}`
}

/** A sentence, or a capitalized word as on a button. Excludes paths, names of headers, class names and SQL. */
const PROSE = /^(?:[A-Z][a-z]+|[A-Z“'{][^]*\s[^]*[a-z][^]*|[a-z]+(?: [a-z{}]+)+[.:]?)$/
const NOT_PROSE =
  /^\s*(?:[a-z-]+:|[{/#?]\S*$|select |insert |update |delete |with )|^[^ ]*[/=]|:member_id|="|doctype|autofocus/

function* proseIn(text: string, kind: string): Generator<UiString> {
  if (PROSE.test(text) && !NOT_PROSE.test(text)) yield { kind, text: collapse(text) }
}

const ELEMENTS: Readonly<Record<string, string>> = {
  title: 'title',
  h1: 'heading',
  h2: 'heading',
  h3: 'heading',
  button: 'button',
  label: 'label',
  legend: 'label',
  summary: 'button',
  th: 'column',
  dt: 'term',
  a: 'link',
  option: 'option',
}
/** Elements within a sentence. */
const INLINE = /^(?:a|abbr|b|bdi|br|code|em|i|kbd|small|span|strong|time)$/
const TEXT_ATTRIBUTE = /\s(aria-label|alt|placeholder|title|data-[a-z-]*(?:label|text))="([^"]*)"/g

/** The text of each block, and of the attributes that people read. */
function* stringsInHtml(markup: string): Generator<UiString> {
  let kind = 'text'
  let text = ''
  for (const [token, closing, element] of markup.matchAll(
    /<(\/?)([a-z][a-z0-9]*)[^>]*>|[^<]+|</gi,
  )) {
    if (element === undefined) {
      text += token
      continue
    }
    const isSentence = text.trim() !== ''
    if (!INLINE.test(element) || (!isSentence && closing === '')) {
      yield* blockOf(kind, text)
      text = ''
      kind = closing === '' ? (ELEMENTS[element] ?? 'text') : 'text'
    }
    for (const [, name = '', value = ''] of token.matchAll(TEXT_ATTRIBUTE))
      if (hasWords(value)) yield { kind: name, text: collapse(value) }
  }
  yield* blockOf(kind, text)
}

function* blockOf(kind: string, text: string): Generator<UiString> {
  if (hasWords(text)) yield { kind, text: collapse(text) }
}

function hasWords(text: string): boolean {
  return /\p{L}/u.test(text.replaceAll(/!?\{[^}]*\}/g, ''))
}

function collapse(text: string): string {
  return text
    .replaceAll(/!(?=\{)/g, '')
    .replaceAll(/\s+/g, ' ')
    .trim()
}

process.stdout.write(uiStringsDocument())
