/** MCPJam's OAuth conformance checks for each revision: the flow, requests that must be rejected, and a tool call. */

import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

/** MCPJam does not support 2026-07-28 yet. */
const REVISIONS = ['2025-03-26', '2025-06-18', '2025-11-25']

export async function* mcpjam({ endpoint, person }: Judged): AsyncGenerator<Verdict> {
  for (const revision of REVISIONS) {
    const { code, stdout, said } = await runProgram({
      script: './mcpjam-oauth.mjs',
      args: [endpoint, revision],
      person,
    })
    yield {
      judge: `MCPJam OAuth conformance, ${revision}: ${stdout.trim()}`,
      content: code === 0,
      says: said,
    }
  }
}
