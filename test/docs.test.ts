/**
 * The generated tool reference is current, the README shows real results, and links between documents work.
 * `WEFT_TEST_WRITE_DOCS=1` writes the reference.
 */

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { access, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createLog } from '../src/base/log.ts'
import { toolReference } from '../src/discovery/docs/tool-reference.ts'
import { openEmbedder } from '../src/embeddings/embedder.ts'
import { listTools } from '../src/service/catalog.ts'
import { SETTINGS } from '../src/config/settings.ts'
import { startTestService } from './support/service.ts'
import { createStore } from './support/store.ts'

const ROOT = new URL('../', import.meta.url)
const TOOLS = new URL('docs/tools.md', ROOT)
const MAIN_DOCUMENTS = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md']

test('docs/tools.md matches the tool records (WEFT_TEST_WRITE_DOCS=1 writes it)', async () => {
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
    embedder: openEmbedder(null),
    wake: () => {},
  })
  const document = `${toolReference(tools)}\n`
  if (process.env['WEFT_TEST_WRITE_DOCS'] === '1') await writeFile(TOOLS, document)
  assert.equal(await readFile(TOOLS, 'utf8'), document)
})

test('docs/running/configuration.md has the table of all settings', async () => {
  const file = new URL('docs/running/configuration.md', ROOT)
  const document = await readFile(file, 'utf8')
  const table = /^\| setting .*\n(?:\|.*\n)+/m
  if (process.env['WEFT_TEST_WRITE_DOCS'] === '1')
    await writeFile(file, document.replace(table, `${settingsTable()}\n`))
  // Spaces and dashes only align the columns.
  const unaligned = (text: string) => text.trim().replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---')
  assert.equal(unaligned(table.exec(document)?.[0] ?? ''), unaligned(settingsTable()))
})

/** As the documentation lists the settings. */
function settingsTable(): string {
  const rows = Object.values(SETTINGS).map(({ name, default: value, description }) => {
    const shown = value === '' || value.includes(' ') ? value : `\`${value}\``
    return `| \`${name}\` | ${shown} | ${description} |`
  })
  return ['| setting | default | |', '| --- | --- | --- |', ...rows].join('\n')
}

test('the conversation in README.md shows what the tools of the sandbox answer', async () => {
  await using service = await startTestService()
  const readme = await readFile(new URL('README.md', ROOT), 'utf8')
  const calls = [...readme.matchAll(/^(?:Agent)? +(\w+) (\{.*\})\n((?: +→ .+\n)+)/gm)]
  assert.equal(calls.length, 2)
  for (const [, name, input = '', shown = ''] of calls) {
    const params = { name, arguments: JSON.parse(input) as object }
    const answer = await fetch(`${service.url}/sandbox/mcp`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    })
    const answered = await answer.text()
    for (const text of shown.split(/→|·|\n/)) assert.ok(answered.includes(text.trim()), text)
  }
})

test('the files that the documents link to exist', async () => {
  const guides = globSync('docs/**/*.md', { cwd: ROOT })
  for (const name of [...MAIN_DOCUMENTS, ...guides]) {
    const base = new URL(name, ROOT)
    const text = await readFile(base, 'utf8')
    for (const [, link] of text.matchAll(/(?<!\\)\]\((?!https?:)([^)#]+)\)/g))
      await access(new URL(link ?? '', base))
  }
})
