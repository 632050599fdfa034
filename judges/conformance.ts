/** The authorization server scenarios of the official MCP conformance suite. */

import { oauthClient } from '../test/support/oauth.ts'
import { freePort } from '../test/support/free-port.ts'
import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

const SCENARIOS = ['authorization-server-metadata-endpoint', 'authorization-code-grant']

export async function* conformance({ service, endpoint, person }: Judged): AsyncGenerator<Verdict> {
  const clientId = await oauthClient(service).register(['http://127.0.0.1/callback'])
  const port = await freePort()
  const { code, stdout, said } = await runProgram({
    script: './node_modules/@modelcontextprotocol/conformance/dist/index.js',
    args: [
      'authorization',
      `--url=${service.url}`,
      `--client-id=${clientId}`,
      `--resource=${endpoint}`,
      `--port=${port}`,
    ],
    person,
  })
  const passed = SCENARIOS.filter((scenario) =>
    new RegExp(`✓ ${scenario}: \\d+ passed, 0 failed`).test(stdout),
  )
  yield {
    judge: `MCP conformance, authorization: ${passed.length} of ${SCENARIOS.length} scenarios`,
    content: code === 0 && passed.length === SCENARIOS.length,
    says: said,
  }
}
