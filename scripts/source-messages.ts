/**
 * Finds the messages of the source: the texts of templates, the arguments of `t`, `phrase` and `countOf`, and the titles of
 * tools and jobs.
 */

import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parse, type AnyNode } from 'acorn'
import { templateParts, textsOf } from '../src/languages/template.ts'
import { countMessage } from '../src/ui/numbers.ts'

const ROOT = join(import.meta.dirname, '..')

/** Messages by file, relative to the project, in the order of the source. */
export function sourceMessages(): Map<string, readonly string[]> {
  const files = globSync('src/**/*.ts', { cwd: ROOT })
    .toSorted()
    .filter((file) => !file.endsWith('.test.ts') && !IN_ENGLISH.test(file))
    .map((file) => [file, readFileSync(join(ROOT, file), 'utf8')] as const)
    .filter(([, source]) => /\bhtml`|\b(?:t|phrase|countOf)\(|^ {2,4}title: /m.test(source))
  const messages = files.map(([file, source]) => {
    const title = /\.(?:tool|job)\.ts$/.test(file) && /^ {2,4}title: '(.*)',$/m.exec(source)?.[1]
    return [file, [...(title ? [title] : []), ...messagesIn(source)]] as const
  })
  return new Map(messages.filter(([, found]) => found.length > 0))
}

/** Documentation is in English. */
const IN_ENGLISH = /^src\/(?:discovery\/docs\/(?:docs\.page|markdown-html)|languages\/message)\.ts$/

export function* messagesIn(source: string): Generator<string> {
  const options = { ecmaVersion: 'latest', sourceType: 'module' } as const
  yield* visit(parse(stripTypeScriptTypes(source), options))
}

function* visit(node: AnyNode): Generator<string> {
  if (node.type === 'TaggedTemplateExpression' && isNamed(node.tag, 'html'))
    yield* textsOf(templateParts(node.quasi.quasis.map(({ value }) => value.raw)))
  if (node.type === 'CallExpression') {
    const [first, second] = node.arguments
    if (isNamed(node.callee, 't') || isNamed(node.callee, 'phrase')) yield* textIn(first)
    if (isNamed(node.callee, 'countOf')) for (const word of textIn(second)) yield countMessage(word)
  }
  for (const child of Object.values(node).flat().filter(isNode)) yield* visit(child)
}

/** The text of a literal, or of both literals of a choice. */
function* textIn(node: AnyNode | undefined): Generator<string> {
  if (node?.type === 'Literal' && typeof node.value === 'string') yield node.value
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0)
    yield node.quasis[0]?.value.cooked ?? ''
  if (node?.type === 'ConditionalExpression') {
    yield* textIn(node.consequent)
    yield* textIn(node.alternate)
  }
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
