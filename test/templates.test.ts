/** Rules for the templates of pages that their types cannot express. */

import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { join } from 'node:path'
import { test } from 'node:test'
import { parse, type AnyNode, type TemplateLiteral } from 'acorn'

const ROOT = join(import.meta.dirname, '..')

/** The only files that trust a string to be markup. */
const RAW_HTML = new Set([
  'src/discovery/docs/markdown-html.ts',
  'src/html/form.ts',
  'src/html/html.ts',
  'src/pages/activity/change-title.ts',
  'src/pages/public-profile/profile-head.ts',
])

const EXCLAMATION =
  'write ${…} without an exclamation mark: a fragment is inserted unchanged because its type is Html'
const UNQUOTED =
  'a value inside a tag needs quotes, as name="${…}", or attributes, as ${attributes({ name: … })}'

const templates = globSync('{src,test}/**/*.ts', { cwd: ROOT })
  .toSorted()
  .map((file) => ({ file, source: readFileSync(join(ROOT, file), 'utf8') }))
  .filter(({ source }) => source.includes('html`'))
  .flatMap(({ file, source }) => templatesIn(source).map((template) => ({ file, template })))

test('no template has an exclamation mark before a value', () => {
  assert.ok(templates.length > 300, String(templates.length))
  const found = templates.flatMap(({ file, template: { quasis } }) =>
    quasis
      .slice(0, -1)
      .filter(({ value }) => value.raw.endsWith('!'))
      .map(({ value }) => `${file}: ${value.raw}`),
  )
  assert.deepEqual(found, [], EXCLAMATION)
})

test('a value inside a tag is quoted, or made by attributes', () => {
  const found = templates.flatMap(({ file, template }) =>
    unquotedIn(template).map((before) => `${file}: ${before}`),
  )
  assert.deepEqual(found, [], UNQUOTED)
})

test('the check for unquoted values recognizes them', () => {
  const checked = (source: string) => templatesIn(source).flatMap(unquotedIn).length
  assert.equal(checked('html`<a href=${x}>${x}</a>`'), 1)
  assert.equal(checked('html`<${x}><b ${x} ${y}>`'), 3)
  assert.equal(checked('html`<a title="a > ${x}" ${attributes({})}>1 < 2 ${x}</a>`'), 0)
  assert.equal(checked("html`<a title='${x}'>${html`<b ${x}>`}</a>`"), 1)
})

test('only listed files trust a string to be markup', () => {
  const found = globSync('src/**/*.ts', { cwd: ROOT }).filter(
    (file) =>
      !file.endsWith('.test.ts') && /\brawHtml\b/.test(readFileSync(join(ROOT, file), 'utf8')),
  )
  assert.deepEqual(
    new Set(found),
    RAW_HTML,
    'escape text with html`${text}`, or list the file here',
  )
})

function templatesIn(source: string): TemplateLiteral[] {
  const program = parse(stripTypeScriptTypes(source), {
    ecmaVersion: 'latest',
    sourceType: 'module',
  })
  return [...visit(program)]
}

function* visit(node: AnyNode): Generator<TemplateLiteral> {
  if (node.type === 'TaggedTemplateExpression' && isNamed(node.tag, 'html')) yield node.quasi
  for (const child of Object.values(node).flat().filter(isNode)) yield* visit(child)
}

function isNode(value: unknown): value is AnyNode {
  return typeof value === 'object' && value !== null && 'type' in value && 'start' in value
}

function isNamed(node: AnyNode, name: string): boolean {
  return node.type === 'Identifier' && node.name === name
}

/** The text before each value that is inside a tag, but neither in quotes nor a call of `attributes`. */
function unquotedIn({ quasis, expressions }: TemplateLiteral): string[] {
  let position = ''
  return expressions.flatMap((expression, index) => {
    const text = quasis[index]?.value.raw ?? ''
    position = positionAfter(position, text)
    const isAttributes =
      expression.type === 'CallExpression' && isNamed(expression.callee, 'attributes')
    return position === '<' && !isAttributes ? [text.slice(-60)] : []
  })
}

/** `<` inside a tag, a quote inside an attribute, and otherwise empty. */
function positionAfter(before: string, text: string): string {
  let position = before
  for (const { 0: character, index } of text.matchAll(/[<>"']/g)) {
    if (position === '') position = character === '<' && opensTag(text.slice(index + 1)) ? '<' : ''
    else if (position === '<') position = character === '>' ? '' : character
    else if (position === character) position = '<'
  }
  return position
}

/** HTML Living Standard, section 13.2.5.6. An empty rest is a tag whose name is a value. */
function opensTag(rest: string): boolean {
  return rest === '' || /^[a-z/!?]/i.test(rest)
}
