/** mcp-remote, by which clients without OAuth of their own reach servers with it. */

import { freePort } from '../test/support/service.ts'
import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

/** With the endpoint's address alone, to the list of tools; its exit code does not tell whether it got that. */
export async function* mcpRemote({ endpoint, person }: Judged): AsyncGenerator<Verdict> {
  const { code, said } = await runProgram({
    script: './node_modules/mcp-remote/dist/client.js',
    args: [endpoint, String(await freePort()), '--allow-http'],
    person,
  })
  yield {
    judge: 'mcp-remote: from nothing to the list of tools',
    content: code === 0 && /^\[\d+\] Tools: .*"name": "search_connections"/ms.test(said),
    says: said,
  }
}
