/** MCP events: @ai-sdk/mcp subscribes, its receiver passes the handshake and verifies the signature of an event. */

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { createHome, servingHere } from '../test/support/command-line.ts'
import { freePort } from '../test/support/free-port.ts'
import type { Verdict } from './judge.ts'

const SESSION = fileURLToPath(new URL('event-session.mjs', import.meta.url))
/** The scheduler looks for a new subscriber every 15 seconds, and announces only what happens afterwards. */
const FIRST_TURN_MS = 20_000
const MAX_WAIT_MS = 90_000
const CSV = 'First Name,Last Name,Email Address\nGrace,Hopper,grace@example.org\n'

export async function* events(): AsyncGenerator<Verdict> {
  const judge = 'AI SDK @ai-sdk/mcp 2.0.99, events'
  const port = await freePort()
  await using home = await createHome({
    WEFT_PORT: '0',
    WEFT_SECRET_KEY: 'k'.repeat(32),
    WEFT_WEBHOOK_HOSTS: `127.0.0.1:${port}`,
  })
  await home.run('member', 'create', '--username', 'ada', '--name', 'Ada')
  const { stdout: token } = await home.run('token', 'create', '--member', 'ada', '--name', 'judge')
  const service = await servingHere(home)
  const child = spawn(execPath, [SESSION, `${service.url}/mcp`, token.trim(), String(port)])
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const ended = once(child, 'exit')
  const late = AbortSignal.timeout(MAX_WAIT_MS)
  late.addEventListener('abort', () => child.kill())
  while (!said.includes('subscribed:') && child.exitCode === null) await sleep(100)
  await sleep(FIRST_TURN_MS)
  const file = join(home.folder, 'people.csv')
  await writeFile(file, CSV)
  await home.run('import', file, '--member', 'ada')
  await ended
  await service.stop('SIGTERM')
  const isRight = /event: import\.finished \{"task_id":"\d+","state":"succeeded"\} for sub_/.test(
    said,
  )
  yield { judge, content: child.exitCode === 0 && isRight, says: said }
}
