/** The server scenarios of the official MCP conformance suites, including those that do not count toward the score. */

import { startConformanceProfile } from '../test/support/conformance-profile.ts'
import { runProgram } from './program.ts'
import type { Verdict } from './judge.ts'

const SUITES = [
  {
    name: 'MCP conformance 0.2.0-alpha.12, requirements of 2026-07-28',
    script: './node_modules/@modelcontextprotocol/conformance/dist/index.js',
    set: ['--requirements', '2026-07-28'],
    scenarios: 50,
  },
  {
    name: 'MCP conformance 0.2.0-alpha.12, requirements of 2025-11-25',
    script: './node_modules/@modelcontextprotocol/conformance/dist/index.js',
    set: ['--requirements', '2025-11-25'],
    scenarios: 33,
  },
  {
    name: 'MCP conformance 0.1.16, active suite',
    script: './node_modules/conformance-0-1/dist/index.js',
    set: ['--suite', 'active'],
    scenarios: 30,
  },
]

/** The tested endpoint has the tools that the suites expect, on Weft's transport and protocol code. */
export async function* toolConformance(): AsyncGenerator<Verdict> {
  await using profile = await startConformanceProfile()
  for (const { name, script, set, scenarios } of SUITES) {
    const args = ['server', '--url', profile.url, ...set]
    const { code, stdout, said } = await runProgram({ script, args })
    const passed = stdout.match(/^✓ [\w-]+: \d+ passed, 0 failed$/gm)?.length ?? 0
    yield {
      judge: `${name}: ${passed} of ${scenarios} scenarios`,
      content: code === 0 && passed === scenarios,
      says: `exit code ${code}: ${said.slice(said.indexOf('=== SUMMARY ==='))}`,
    }
  }
}
