/** mcp-remote, a proxy that lets clients without OAuth support use servers that require it. */

import { freePort } from '../test/support/free-port.ts'
import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

/** Lists the tools from the endpoint URL only. Checks the output, because the exit code does not show success. */
export async function* mcpRemote({ endpoint, person }: Judged): AsyncGenerator<Verdict> {
  const { code, said } = await runProgram({
    script: './node_modules/mcp-remote/dist/client.js',
    args: [endpoint, String(await freePort()), '--allow-http'],
    person,
  })
  yield {
    judge: 'mcp-remote: from the endpoint URL to the list of tools',
    content: code === 0 && /^\[\d+\] Tools: .*"name": "search_connections"/ms.test(said),
    says: said,
  }
}
