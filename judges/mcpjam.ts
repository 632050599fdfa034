/** MCPJam's OAuth conformance: the flow of each revision that has one, then what must be refused, then a tool call. */

import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

/** It does not know 2026-07-28 yet. */
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
