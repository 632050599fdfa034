/** Redocly's linter, run on the API description. Warnings count as errors. */

import { fileURLToPath } from 'node:url'
import { runProgram } from './program.ts'
import type { Judged, Verdict } from './judge.ts'

const RULES = fileURLToPath(new URL('redocly.yaml', import.meta.url))

export async function* redocly({ service }: Judged): AsyncGenerator<Verdict> {
  const { code, stdout, said } = await runProgram({
    script: './node_modules/@redocly/cli/bin/cli.js',
    args: ['lint', `${service.url}/openapi.json`, '--config', RULES, '--format', 'json'],
  })
  yield {
    judge: 'Redocly: /openapi.json, recommended rules',
    content: code === 0 && /"warnings": 0\b/.test(stdout),
    says: said,
  }
}
