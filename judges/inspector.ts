/** The command line of MCP Inspector. It exits with 5 if a tool fails and with 6 if a schema is invalid. */

import { linkedinCsv } from '../test/support/invented.ts'
import { freePort } from '../test/support/free-port.ts'
import { runProgram, type Program } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

const SCRIPT = './node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js'
const ERAS = ['legacy', 'auto', 'modern'] as const
type Era = (typeof ERAS)[number]

/** Lists and calls tools with a member's API token. */
export async function* inspector({ service, endpoint }: Judged): AsyncGenerator<Verdict> {
  const token = await service.mintToken()
  const bearer = ['--header', `Authorization: Bearer ${token}`, '--stored-auth-only']
  const inspect = (era: Era, name: string, method: readonly string[]) =>
    verdictOf(era, name, {
      args: [...argumentsOf(endpoint, era), ...bearer, '--method', ...method],
    })
  const importing = (seed: number) => [
    ...callOf('import_connections'),
    '--tool-args-json',
    JSON.stringify({ content: [...linkedinCsv(200, seed)].join('') }),
  ]
  yield await inspect('legacy', 'import_connections', importing(1))
  // In this era Inspector declares the tasks extension, gets a task, and polls it until it ends.
  const task = await inspect(
    'modern',
    'import_connections as a task, polled to its end',
    importing(2),
  )
  yield { ...task, content: task.content && task.says.includes('"succeeded"') }
  yield await inspect('modern', 'skills/list --verify', ['skills/list', '--verify'])
  for (const era of ERAS) {
    yield await inspect(era, 'tools/list --strict', ['tools/list', '--strict'])
    yield await inspect(era, 'search_connections', [
      ...callOf('search_connections'),
      '--tool-arg',
      'query=a',
    ])
  }
}

/** Starts from the endpoint URL only: discovers the authorization server, registers, gets consent, and calls a tool. */
export async function* inspectorFromNothing({ endpoint, person }: Judged): AsyncGenerator<Verdict> {
  for (const era of ERAS) {
    const callback = `http://127.0.0.1:${await freePort()}/oauth/callback`
    const call = ['--method', ...callOf('whoami'), '--callback-url', callback]
    yield await verdictOf(era, 'from the endpoint URL to whoami', {
      args: [...argumentsOf(endpoint, era), ...call],
      // Without a terminal Inspector asks for consent only if it may open a browser.
      environment: { MCP_AUTO_OPEN_ENABLED: 'true', MCP_INSPECTOR_SECRET_STORE: 'file' },
      person,
    })
  }
}

function argumentsOf(endpoint: string, era: Era): string[] {
  return ['--cli', endpoint, '--transport', 'http', '--protocol-era', era, '--format', 'json']
}

function callOf(tool: string): string[] {
  return ['tools/call', '--tool-name', tool]
}

async function verdictOf(
  era: Era,
  name: string,
  program: Omit<Program, 'script'>,
): Promise<Verdict> {
  const { code, said } = await runProgram({ script: SCRIPT, ...program })
  return {
    judge: `MCP Inspector, ${era}: ${name}`,
    content: code === 0,
    says: said,
  }
}
