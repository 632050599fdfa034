/** Client libraries for agents: each lists tools, calls them, gets readable errors, and reads resources if it can. */

import { execFile } from 'node:child_process'
import { access } from 'node:fs/promises'
import { env } from 'node:process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

const CLIENTS = {
  'sdk-v1': 'TypeScript SDK 1.32.2',
  'sdk-v2-legacy': 'TypeScript client 2.4.0, legacy',
  'sdk-v2-auto': 'TypeScript client 2.4.0, auto',
  mcpjam: 'MCPJam SDK 1.14.0',
  'ai-sdk': 'AI SDK @ai-sdk/mcp 2.0.99',
  // 2.x has no client of its own. Its command line and inspector, half a gigabyte, are replaced by an empty package.
  'mcp-use': 'mcp-use 1.34.6',
  langchain: 'LangChain adapters 1.1.4',
  'openai-agents-loose': 'OpenAI Agents 0.20.0, loose schemas',
  'openai-agents-strict': 'OpenAI Agents 0.20.0, strict schemas',
  anthropic: 'Anthropic SDK 1.12.0, MCP helpers',
} as const

export async function* clients({ service, endpoint }: Judged): AsyncGenerator<Verdict> {
  const token = await service.mintToken()
  // Two at a time: starting each takes longer than its session.
  const names = Object.entries(CLIENTS)
  for (let first = 0; first < names.length; first += 2)
    yield* await Promise.all(
      names.slice(first, first + 2).map(([name, title]) => session(name, title, endpoint, token)),
    )
}

async function session(
  name: string,
  title: string,
  endpoint: string,
  token: string,
): Promise<Verdict> {
  const { code, stdout, said } = await runProgram({
    script: './client-session.mjs',
    args: [name, endpoint, token],
  })
  return { judge: `${title}: ${stdout.trim()}`, content: code === 0, says: said }
}

const PYTHON_CLIENT = 'mcp==2.3.0'
const VENV = fileURLToPath(new URL('node_modules/.python/', import.meta.url))
const SCRIPT = fileURLToPath(new URL('client_session.py', import.meta.url))
const run = promisify(execFile)

/** Skipped if Python or its packages are not available. */
export async function* pythonClient({ service, endpoint }: Judged): AsyncGenerator<Verdict> {
  const judge = 'Python client mcp 2.3.0'
  try {
    await installPython()
  } catch (error) {
    const says = `Python 3.10 or its package ${PYTHON_CLIENT} is not available: ${reasonOf(error)}`
    yield { judge, content: true, skipped: true, says }
    return
  }
  try {
    const token = await service.mintToken()
    const { stdout } = await run(`${VENV}bin/python`, [SCRIPT, endpoint, token], {
      timeout: 60_000,
    })
    yield { judge: `${judge}: ${stdout}`, content: true, says: '' }
  } catch (error) {
    yield { judge, content: false, says: String(error) }
  }
}

/** A separate environment, stored next to the packages of the other judges. */
async function installPython(): Promise<void> {
  const isThere = await access(`${VENV}installed`).then(
    () => true,
    () => false,
  )
  if (isThere) return
  const options = { timeout: 60_000, env: { ...env, PIP_DISABLE_PIP_VERSION_CHECK: '1' } }
  await run('python3', ['-m', 'venv', VENV], options)
  await run(
    `${VENV}bin/pip`,
    [
      'install',
      '--quiet',
      '--retries',
      '0',
      '--timeout',
      '5',
      '--only-binary',
      ':all:',
      PYTHON_CLIENT,
    ],
    options,
  )
  await run(
    `${VENV}bin/python`,
    ['-c', `open(${JSON.stringify(`${VENV}installed`)}, 'w')`],
    options,
  )
}

function reasonOf(error: unknown): string {
  const text = error instanceof Error ? error.message : String(error)
  return text.split('\n')[0] ?? text
}
