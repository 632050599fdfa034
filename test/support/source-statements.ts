/** The SQL statements of the source, and which of them are among texts that ran. */

import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { parse, type AnyNode } from 'acorn'

const ROOT = join(import.meta.dirname, '../..')

/** The functions of `src/db/statement.ts` that create statements. */
const CREATORS = /\b(?:statement|serviceStatement|memberStatement|recordedChange)\b/

export interface SourceStatement {
  /** File and line, relative to the project. */
  readonly place: string
  /** The text between the expressions of its template. */
  readonly parts: readonly string[]
}

/** Every statement that `src` creates. */
export function sourceStatements(): SourceStatement[] {
  return globSync('src/**/*.ts', { cwd: ROOT })
    .filter((file) => !file.endsWith('.test.ts') && file !== 'src/db/statement.ts')
    .toSorted()
    .flatMap((file) => {
      const source = readFileSync(join(ROOT, file), 'utf8')
      return CREATORS.test(source) ? Array.from(statementsIn(file, source)) : []
    })
}

function* statementsIn(file: string, source: string): Generator<SourceStatement> {
  const options = { ecmaVersion: 'latest', sourceType: 'module', locations: true } as const
  const nodes = [...nodesIn(parse(stripTypeScriptTypes(source), options))]
  const declared = new Map(nodes.flatMap(declarationOf))
  for (const node of nodes) {
    if (node.type !== 'CallExpression' || !createsStatement(node.callee)) continue
    for (const argument of node.arguments)
      yield { place: `${file}:${argument.loc?.start.line}`, parts: partsOf(argument, declared) }
  }
}

/** Returns the statements without those that ran. A statement whose parts are in a text in their order ran. */
export function missingStatements(
  statements: readonly SourceStatement[],
  ran: Iterable<string>,
): SourceStatement[] {
  const texts = [...ran]
  return statements.filter(({ parts }) => !texts.some((text) => hasParts(text, parts)))
}

/** A recorded change is a part of a larger statement. */
function hasParts(text: string, parts: readonly string[]): boolean {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    if (found < 0) return false
    at = found + part.length
  }
  return true
}

/** `statement(…)`, `serviceStatement(…)`, `memberStatement()(…)` or `recordedChange()(…)` */
function createsStatement(callee: AnyNode): boolean {
  const { name } = identifierOf(callee.type === 'CallExpression' ? callee.callee : callee)
  const isCurried = name === 'memberStatement' || name === 'recordedChange'
  return CREATORS.test(name) && isCurried === (callee.type === 'CallExpression')
}

/** Values of constants, and what functions return last, by their names. */
type Declared = ReadonlyMap<string, AnyNode>

function declarationOf(node: AnyNode): (readonly [string, AnyNode])[] {
  if (node.type === 'VariableDeclarator' && node.id.type === 'Identifier' && node.init)
    return [[node.id.name, node.init]]
  if (node.type !== 'FunctionDeclaration' || !node.id) return []
  const last = node.body.body.at(-1)
  return last?.type === 'ReturnStatement' && last.argument ? [[node.id.name, last.argument]] : []
}

/** Returns the text between what is only known when it runs. */
function partsOf(node: AnyNode, declared: Declared): string[] {
  if (node.type === 'Literal') return [String(node.value)]
  if (node.type === 'TemplateLiteral')
    return node.quasis.reduce<string[]>(
      (parts, { value }, index) => {
        const expression = node.expressions[index]
        const inner = expression === undefined ? [''] : partsOf(expression, declared)
        return joined(joined(parts, [value.cooked ?? '']), inner)
      },
      [''],
    )
  const value = declared.get(identifierOf(node.type === 'CallExpression' ? node.callee : node).name)
  return value === undefined ? ['', ''] : partsOf(value, declared)
}

/** Joins the last part and the first one. */
function joined(before: readonly string[], after: readonly string[]): string[] {
  const [first = '', ...rest] = after
  return [...before.slice(0, -1), `${before.at(-1)}${first}`, ...rest]
}

function identifierOf(node: AnyNode | null | undefined): { readonly name: string } {
  return node?.type === 'Identifier' ? node : { name: '' }
}

function* nodesIn(node: AnyNode): Generator<AnyNode> {
  yield node
  for (const child of Object.values(node).flat().filter(isNode)) yield* nodesIn(child)
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}
