/** Checks that a model can correct itself from the error text alone, for hundreds of typical mistakes. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { checkSchema } from '../src/base/schema.ts'
import { importConnectionsTool } from '../src/imports/import-connections.tool.ts'
import { resolveDuplicatesTool } from '../src/connections/duplicates/resolve-duplicates.tool.ts'
import { MODEL_MISTAKES } from './fixtures/model-mistakes.ts'
import { createWorld, type Acting } from './fixtures/network.ts'
import { toolsOver } from './fixtures/tools.ts'
import { listChanges } from '../src/tools/activity-log/read-activity.ts'
import type { ToolError, ToolOutcome } from '../src/tools/tool-outcome.ts'
import type { Tool } from '../src/tools/tool.ts'

test('every mistake is accepted, or its error names the argument, the accepted values, and a valid example', async (t) => {
  await using world = await createWorld()
  const tools = toolsOver(world)
  const member = await world.join()
  const toolOf = (name: string) => {
    const tool = tools.find((one) => one.name === name)
    assert.ok(tool, name)
    return tool
  }
  for (const name of ['Ada Lovelace', 'Mary Jackson'])
    await member.call(toolOf('add_connections'), { name, note: 'Met in London' })
  const followUp = { connection_id: 'c_1', text: 'Write', due_on: 'tomorrow' }
  await member.call(toolOf('save_follow_up'), followUp)

  const names = tools.map(({ name }) => name)
  const unjudged = names.filter((name) => !(name in MODEL_MISTAKES))
  assert.deepEqual(unjudged, [], 'every tool has mistakes')
  const failed: string[] = []
  let judged = 0
  for (const [name, mistakes] of Object.entries(MODEL_MISTAKES))
    for (const [given, culprit] of mistakes) {
      judged += 1
      const outcome = await member.call(toolOf(name), given as object)
      const problem = judge(toolOf(name), outcome, culprit, names)
      if (problem !== undefined)
        failed.push(`${name} ${JSON.stringify(given)?.slice(0, 90)}: ${problem}`)
    }
  t.diagnostic(`${judged} mistakes`)
  assert.ok(judged >= 300, `${judged} mistakes`)
  assert.deepEqual(failed, [])
})

test('every example in an error runs as given, and changes no one who was not named', async (t) => {
  await using world = await createWorld()
  const tools = toolsOver(world)
  const add = tools.find(({ name }) => name === 'add_connections')
  assert.ok(add)
  const failed: string[] = []
  let tried = 0
  for (const tool of tools.filter(({ name }) => !CREATING.has(name))) {
    const member = await world.join()
    for (const name of ['Ada Lovelace', 'Mary Jackson'])
      await member.ask(add, { name, note: 'Met in London', follow_up: 'tomorrow' })
    for (const [given] of MODEL_MISTAKES[tool.name] ?? []) {
      if (/[acfin]_1"/.test(JSON.stringify(given))) continue
      const refused = await member.call(tool, given as object)
      const example = refused.ok ? undefined : exampleIn(tool, refused.error)
      if (example === undefined) continue
      tried += 1
      const before = await activityOf(member)
      const outcome = await member.call(tool, example)
      const code = outcome.ok ? 'ok' : outcome.error.code
      const call = `${tool.name} ${JSON.stringify(example)}`
      if (code.startsWith('invalid')) failed.push(`${call}: ${code}`)
      if ((await activityOf(member)) !== before) failed.push(`${call} changed something`)
    }
  }
  t.diagnostic(`${tried} examples`)
  assert.ok(tried > 100)
  assert.deepEqual(failed, [])
})

/** Their examples add something, or change the member's own profile. */
const CREATING: ReadonlySet<string> = new Set([
  'add_connections',
  'import_connections',
  'set_custom_field',
  'update_profile',
])

async function activityOf({ db }: Acting): Promise<number> {
  const [latest] = await listChanges(db, Number.MAX_SAFE_INTEGER, 1)
  return latest?.activityId ?? 0
}

test('the example for arguments that exclude each other has only one of them', async () => {
  await using world = await createWorld()
  const member = await world.join()
  for (const tool of [
    resolveDuplicatesTool,
    importConnectionsTool({ publicUrl: '', wake: () => {} }),
  ]) {
    const outcome = await member.call(tool, {})
    assert.ok(!outcome.ok)
    const example = /Example: \w+ (\{.*\})\./.exec(outcome.error.hint ?? '')?.[1] ?? ''
    const again = await member.call(tool, JSON.parse(example) as object)
    assert.notEqual(again.ok ? 'ok' : again.error.code, 'invalid_request', example)
  }
})

/** Why a model could not continue from this response; undefined if it can. */
function judge(
  tool: Tool,
  outcome: ToolOutcome,
  culprit: string | null,
  names: readonly string[],
): string | undefined {
  if (culprit === null)
    return outcome.ok ? undefined : `expected to be accepted: ${outcome.error.message}`
  if (outcome.ok) return 'expected to be rejected'
  const { code, message, hint = '', errors = [] } = outcome.error
  if (code.endsWith('not_found'))
    return names.some((name) => hint.includes(name)) ? undefined : `no tool for the ID: ${hint}`
  if (culprit !== 'id' && !message.includes(culprit)) return `does not name ${culprit}: ${message}`
  const told = [message, hint, ...errors.map(({ detail }) => detail)].join(' ')
  if (!ACCEPTED.test(told)) return `does not say what is accepted: ${message}`
  const isSourced = /POST \/api\/uploads|set_custom_field \{/.test(hint)
  return isSourced || hasValidExample(tool, outcome.error) ? undefined : `no example: ${hint}`
}

/** How errors say what is accepted. */
const ACCEPTED =
  /\bmust\b|is required|for example|Accepted: |takes no arguments|Provide |Keep (it in )?only|is not an? (email address|phone number|web address)|cannot be merged into itself/

/** The example in the hint is a call that the tool accepts. */
function hasValidExample(tool: Tool, error: ToolError): boolean {
  const example = exampleIn(tool, error)
  return example !== undefined && checkSchema(tool.input, example).ok
}

function exampleIn({ name }: Tool, { hint = '' }: ToolError): object | undefined {
  const json = new RegExp(`Example: ${name} (\\{.*\\})\\.`).exec(hint)?.[1]
  return json === undefined ? undefined : (JSON.parse(json) as object)
}
