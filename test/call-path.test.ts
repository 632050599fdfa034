/** The path of a warm tool call stays short: the source files that run during one call, by V8's precise coverage. */

import assert from 'node:assert/strict'
import { Session } from 'node:inspector/promises'
import { test } from 'node:test'
import { createTestWorld } from './fixtures/member.ts'
import { TEST_ENGINE } from './support/store.ts'
import { postToolCall } from './support/tool-call.ts'

/** Files of `src/` that one warm call may run at most. */
const MAX_FILES = { whoami: 58, search_connections: 127 }

/** PostgreSQL's engine has other files. */
const SQLITE_ONLY = { skip: TEST_ENGINE !== 'sqlite' && 'counts the files of SQLite' }

const ARGUMENTS = { whoami: {}, search_connections: { query: 'engineers in Berlin' } }

type Tool = keyof typeof MAX_FILES

const PEOPLE = [
  { name: 'Ada Lovelace', company: 'Analytical Engines', title: 'Engineer', location: 'London' },
  { name: 'Alan Turing', company: 'Acme', title: 'Engineer', location: 'Berlin' },
  { name: 'Grace Hopper', company: 'Navy', title: 'Admiral', location: 'Arlington' },
]

const WARM_UP_CALLS = 20

const MEASURED_CALLS = 12

/** Run by timers, which on a busy machine fire during every measured call. */
const TIMERS = [
  'connections/search/meaning/prepare-networks.ts',
  'deliveries/',
  'email/',
  'jobs/',
  'reminders/',
  'service/watch-schema.ts',
]

for (const tool of ['whoami', 'search_connections'] as const)
  test(`a warm call of ${tool} runs at most ${MAX_FILES[tool]} files`, SQLITE_ONLY, async () => {
    await using world = await createTestWorld()
    const ada = await world.join('ada')
    for (const person of PEOPLE) await ada.ask('add_connections', person)
    const token = await world.service.mintToken('ada')
    const call = () => callTool(world.service.url, token, tool)
    for (let sent = 0; sent < WARM_UP_CALLS; sent += 1) await call()
    const files = await filesOfEvery(call)
    const isOnPath = (file: string) => files.some((line) => line.startsWith(file))
    assert.ok(isOnPath('tools/run-tool.ts') && isOnPath('mcp/server/mcp.route.ts'), 'is recorded')
    const count = `${files.length} files`
    assert.ok(files.length <= MAX_FILES[tool], `${count}:\n${files.join('\n')}`)
  })

async function callTool(url: string, token: string, tool: Tool): Promise<void> {
  const response = await postToolCall(url, token, tool, ARGUMENTS[tool])
  assert.match(await response.text(), /"structuredContent":/)
}

/** The files that every call runs: timers and other tests of the process run during some of them. */
async function filesOfEvery(call: () => Promise<void>): Promise<string[]> {
  const session = new Session()
  session.connect()
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  let common = await filesRunBy(call, session)
  for (let measured = 1; measured < MEASURED_CALLS; measured += 1) {
    const files = new Set((await filesRunBy(call, session)).map(fileOf))
    common = common.filter((line) => files.has(fileOf(line)))
  }
  session.disconnect()
  return common
}

function fileOf(line: string): string {
  return line.replace(/:.*/, '')
}

const SOURCE = new URL('../src/', import.meta.url).href

/** Files of `src/` with at least one function that ran, each with the names and calls of its functions. */
async function filesRunBy(call: () => Promise<void>, session: Session): Promise<string[]> {
  // Each report starts the counts again.
  await session.post('Profiler.takePreciseCoverage')
  await call()
  const { result } = await session.post('Profiler.takePreciseCoverage')
  return result
    .filter(({ url }) => url.startsWith(SOURCE))
    .map(({ url, functions }) => ({ file: url.slice(SOURCE.length), functions }))
    .filter(({ file }) => !TIMERS.some((path) => file.startsWith(path)))
    .flatMap(({ file, functions }) => {
      const ran = functions.flatMap(({ functionName, ranges: [range] }) =>
        range && range.count > 0 ? [`${functionName || 'anonymous'} ${range.count}`] : [],
      )
      return ran.length > 0 ? [`${file}: ${ran.join(', ')}`] : []
    })
    .toSorted()
}
