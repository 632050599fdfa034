import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld, remainingCredits, type Person } from '../../test/fixtures/member.ts'
import { planOf, readEvents } from '../../test/fixtures/import.ts'

interface Preview {
  readonly rows: number
  readonly created: number
  readonly updated: number
  readonly unchanged: number
  readonly review: number
  readonly rejected_count: number
  readonly problems: readonly string[]
  readonly columns?: readonly {
    readonly name: string
    readonly becomes: string
    readonly examples?: readonly string[]
  }[]
  readonly more_columns?: number
  readonly fields?: readonly string[]
  readonly samples: readonly object[]
  readonly can_import: boolean
  readonly next: string
}

async function previewOf(ada: Person, input: object): Promise<Preview> {
  const answer = await ada.ask('import_connections', { ...input, preview: true })
  assert.deepEqual(Object.keys(answer), ['preview'])
  return answer['preview'] as Preview
}

const CONTENT =
  'Name,Email,Company,Role,Shirt\nMira Holt,mira@holt.example,Acme,Pilot,M\nBen Poe,ben@poe.example,Bolt,Cook,L\n,,,,\n'

test('a preview shows columns, first contacts and counts, writes nothing and costs nothing', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Ben Poe', emails: ['ben@poe.example'] })
  const remaining = await remainingCredits(ada)
  const preview = await previewOf(ada, { content: CONTENT })
  assert.deepEqual(
    [preview.rows, preview.created, preview.updated, preview.can_import],
    [3, 1, 1, true],
  )
  assert.deepEqual(
    preview.columns?.map(({ name, becomes }) => `${name}=${becomes}`),
    ['Name=name', 'Email=email', 'Company=company', 'Role=title', 'Shirt=custom'],
  )
  assert.ok(preview.fields?.includes('nickname'))
  assert.deepEqual(preview.samples[0], {
    name: 'Mira Holt',
    title: 'Pilot',
    company: 'Acme',
    email: 'mira@holt.example',
  })
  assert.match(preview.next, /without preview/)
  const found = (await ada.ask('search_connections'))['connections'] as object[]
  assert.equal(found.length, 1)
  assert.deepEqual((await ada.ask('get_jobs'))['jobs'], [])
  assert.equal(await remainingCredits(ada), remaining - 1) // search_connections
})

test('the import makes the changes that its preview counted', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const planned = await previewOf(ada, { content: CONTENT })
  const { task_id } = await ada.ask('import_connections', { content: CONTENT, preview: false })
  await readEvents(ada, Number(task_id))
  const { jobs } = await ada.ask('get_jobs', { task_id })
  const [{ result } = {}] = jobs as { result?: unknown }[]
  for (const name of [
    'rows',
    'created',
    'updated',
    'unchanged',
    'review',
    'rejected_count',
  ] as const)
    assert.deepEqual((result as Preview)[name], planned[name], name)
  const again = await previewOf(ada, { content: CONTENT })
  assert.deepEqual([again.unchanged, again.can_import], [2, false])
  assert.match(again.next, /nothing new/)
})

test('a file with unknown columns is previewed with the possible fields, and then imported', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const content = 'Kopf,Rang\nMira Holt,Pilot\nBen Poe,Cook\n'
  const unknown = await previewOf(ada, { content })
  assert.equal(unknown.can_import, false)
  assert.deepEqual(
    unknown.columns?.map(({ name, becomes }) => [name, becomes]),
    [
      ['Kopf', 'name'],
      ['Rang', 'custom'],
    ],
  )
  assert.match(unknown.next, /Map it with columns/)
  const columns = ['Kopf=name', 'Rang=title']
  const mapped = await previewOf(ada, { content, columns })
  assert.deepEqual([mapped.created, mapped.can_import], [2, true])
  assert.deepEqual(mapped.samples[0], { name: 'Mira Holt', title: 'Pilot' })
})

test('each column has its first different values as examples, shortened', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const cells = ['red', 'red', '', `${'x'.repeat(38)}\u{1f600}yz`, 'a   b', 'blue']
  const rows = cells.map((cell, index) => `Mira ${index},${cell},`)
  const { columns } = await previewOf(ada, { content: `Name,Color,Size\n${rows.join('\n')}\n` })
  assert.deepEqual(
    columns?.map(({ examples }) => examples),
    [['Mira 0', 'Mira 1', 'Mira 2'], ['red', `${'x'.repeat(38)}…`, 'a b'], undefined],
  )
})

test('columns of the mapping that the file does not have are problems', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const columns = ['Werr=name', ' Role =note', 'Klub=tags']
  const { problems } = await previewOf(ada, { content: CONTENT, columns })
  assert.deepEqual(problems, ['The file has no column "Werr"', 'The file has no column "Klub"'])
})

test('the problems of a file are listed with their lines', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const content =
    'Name,Email,Connected On,Company,Notes\nMira Holt,mira@holt.example,soon,,\n,,12 Mar 2024,,Met\n'
  const { rejected_count, problems } = await previewOf(ada, { content })
  assert.equal(rejected_count, 1)
  assert.deepEqual(problems, [
    'Line 3: rejected. No name, email address or phone number',
    'Line 2: the value of Connected On cannot be read',
  ])
})

test('a preview of very many long columns fits into a result', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const names = Array.from({ length: 190 }, (_, index) => `${'Ä"'.repeat(100)} ${index}`)
  const row = names.map(() => `"${'x'.repeat(300)}"`)
  const header = names.map((name) => `"${name.replaceAll('"', '""')}"`)
  const line = `Mira Holt,Acme,${row.join()}\n`
  const content = `Name,Company,${header.join()}\n${line.repeat(20)}`
  const preview = await previewOf(ada, { content })
  assert.ok(JSON.stringify({ preview }).length <= 25_000)
  assert.equal(preview.samples.length, 5)
  assert.equal((preview.columns?.length ?? 0) + (preview.more_columns ?? 0), 192)
  assert.ok((preview.columns?.length ?? 0) > 20)
})

test('uploads can be previewed, and unreadable files are free errors', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const upload_id = (await planOf(ada, CONTENT)).split('/').at(-1)
  assert.equal((await previewOf(ada, { upload_id })).created, 2)
  for (const [input, error] of [
    [{}, /Provide either upload_id or content/],
    [{ content: 'x', upload_id }, /Provide either upload_id or content/],
    [{ content: CONTENT, columns: ['Name=nickel'] }, /is not a field/],
    [{ content: '%PDF-1.7' }, /PDF/],
    [{ upload_id: 'up_nonesuch' }, /upload/],
  ] as const)
    await assert.rejects(ada.ask('import_connections', { ...input, preview: true }), error)
})

test('a preview is never a task, and a retry with the same key gets the first result', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const authorization = `Bearer ${await world.service.mintToken('ada')}`
  const extensions = { 'io.modelcontextprotocol/tasks': {} }
  const send = async (preview: boolean, key: string) => {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { extensions },
    }
    const args = { content: CONTENT, preview }
    const response = await fetch(`${world.service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization,
        'content-type': 'application/json',
        'idempotency-key': key,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': 'tools/call',
        'mcp-name': 'import_connections',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'import_connections', arguments: args, _meta },
      }),
    })
    const { result } = (await response.json()) as { result: Record<string, unknown> }
    return { result, replayed: response.headers.get('idempotency-replayed') }
  }
  const first = await send(true, 'preview-1')
  assert.equal(first.result['resultType'], 'complete')
  await ada.ask('add_connections', { name: 'Ben Poe', emails: ['ben@poe.example'] })
  const retry = await send(true, 'preview-1')
  assert.equal(retry.replayed, 'true')
  assert.deepEqual(retry.result['structuredContent'], first.result['structuredContent'])
  const later = await send(true, 'preview-2')
  assert.notDeepEqual(later.result['structuredContent'], first.result['structuredContent'])
  assert.equal((await send(false, 'import-1')).result['resultType'], 'task')
})
