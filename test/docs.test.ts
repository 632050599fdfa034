/** The documents that are made from the records are as the records are; and what the README names is there. */

import assert from 'node:assert/strict'
import { access, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createLog } from '../src/base/log.ts'
import { listTools } from '../src/service/catalog.ts'
import { SETTINGS } from '../src/service/config.ts'
import { createStore } from './support/store.ts'
import type { Tool } from '../src/tools/tool.ts'

const ROOT = new URL('../', import.meta.url)
const TOOLS = new URL('docs/tools.md', ROOT)

test('docs/tools.md lists every tool as its record has it (WEFT_TEST_WRITE_DOCS=1 writes it)', async () => {
  await using store = await createStore()
  const { database, clock } = store
  const log = createLog('silent')
  const tools = listTools({
    database,
    clock,
    log,
    publicUrl: 'http://127.0.0.1:8787',
    quota: 1000,
    version: '0',
    wake: () => {},
  })
  const document = toolsDocument(tools)
  if (process.env['WEFT_TEST_WRITE_DOCS'] === '1') await writeFile(TOOLS, document)
  assert.equal(await readFile(TOOLS, 'utf8'), document)
})

test('docs/running.md lists every setting with its default', async () => {
  const document = await readFile(new URL('docs/running.md', ROOT), 'utf8')
  for (const { name } of SETTINGS)
    assert.match(document, new RegExp(`\\| \`${name}\` +\\|`), `${name} is listed`)
})

test('every file that the README and ARCHITECTURE link to is there', async () => {
  for (const name of ['README.md', 'ARCHITECTURE.md', 'docs/running.md', 'docs/imports.md']) {
    const base = new URL(name, ROOT)
    const text = await readFile(base, 'utf8')
    for (const [, link] of text.matchAll(/\]\((?!https?:)([^)#]+)\)/g))
      await access(new URL(link ?? '', base))
  }
})

interface Property {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly description?: string
  readonly default?: unknown
}

interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Property>>
  readonly required?: readonly string[]
}

function toolsDocument(tools: readonly Tool[]): string {
  const rows = tools.map(
    (tool) =>
      `| [\`${tool.name}\`](#${tool.name}) | ${tool.effect} | ${tool.credits} | ${tool.title} |`,
  )
  return (
    [
      '# Tools',
      'What an agent can do at `/mcp` and `/mcp/v1`. Every tool sees exactly one member: the one whose token it is. A call that fails is free.',
      ['| tool | effect | credits | |', '|---|---|---|---|', ...rows].join('\n'),
      ...tools.map(section),
      '',
    ]
      .join('\n\n')
      .trimEnd() + '\n'
  )
}

function section(tool: Tool): string {
  const { properties = {}, required = [] } = tool.input as ObjectSchema
  const rows = Object.entries(properties).map(([name, property]) => {
    const kind = property.enum
      ? property.enum.map((value) => `\`${String(value)}\``).join(', ')
      : (property.type ?? 'string or null')
    const standard =
      property.default === undefined ? '' : ` (default \`${JSON.stringify(property.default)}\`)`
    return `| \`${name}\`${required.includes(name) ? '' : ' optional'} | ${kind} | ${property.description ?? ''}${standard} |`
  })
  const table =
    rows.length === 0
      ? 'No arguments.'
      : ['| argument | type | |', '|---|---|---|', ...rows].join('\n')
  return `## ${tool.name}\n\n${tool.description}\n\n${table}`
}
