/** Generated documents are current, and links between documents work. `WEFT_TEST_WRITE_DOCS=1` writes the documents. */

import assert from 'node:assert/strict'
import { globSync } from 'node:fs'
import { access, readFile, writeFile } from 'node:fs/promises'
import { test } from 'node:test'
import { createLog } from '../src/base/log.ts'
import { toolReference } from '../src/discovery/docs/tool-reference.ts'
import { openEmbedder } from '../src/embeddings/embedder.ts'
import { listTools } from '../src/service/catalog.ts'
import { SETTINGS } from '../src/service/settings.ts'
import { uiStringsDocument } from '../scripts/list-ui-strings.ts'
import { createStore } from './support/store.ts'

const ROOT = new URL('../', import.meta.url)
const TOOLS = new URL('docs/tools.md', ROOT)
const MAIN_DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'docs/running.md',
  'docs/imports.md',
]
const UI_STRINGS = new URL('docs/contributing/ui-strings.md', ROOT)

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

test('docs/contributing/ui-strings.md matches the pages (WEFT_TEST_WRITE_DOCS=1 writes it)', async () => {
  const document = uiStringsDocument()
  if (process.env['WEFT_TEST_WRITE_DOCS'] === '1') await writeFile(UI_STRINGS, document)
  assert.equal(await readFile(UI_STRINGS, 'utf8'), document)
})

test('docs/running.md lists every setting with its default', async () => {
  const document = await readFile(new URL('docs/running.md', ROOT), 'utf8')
  for (const { name } of SETTINGS)
    assert.match(document, new RegExp(`\\| \`${name}\` +\\|`), `${name} is listed`)
})

test('the files that the main documents and the contributor guides link to exist', async () => {
  const guides = globSync('docs/contributing/*.md', { cwd: ROOT })
  for (const name of [...MAIN_DOCUMENTS, ...guides]) {
    const base = new URL(name, ROOT)
    const text = await readFile(base, 'utf8')
    for (const [, link] of text.matchAll(/(?<!\\)\]\((?!https?:)([^)#]+)\)/g))
      await access(new URL(link ?? '', base))
  }
})
