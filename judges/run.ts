/** Runs the outside judges against a private service: each prints its line, and one that is not content fails the run. */

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startTestService } from '../test/support/service.ts'
import { linkedinCsv } from '../test/support/invented.ts'

const INSPECTOR = fileURLToPath(new URL('./node_modules/.bin/mcp-inspector', import.meta.url))
const ERAS = ['legacy', 'auto', 'modern'] as const

interface Verdict {
  readonly judge: string
  readonly content: boolean
  readonly says: string
}

const home = await mkdtemp(join(tmpdir(), 'weft-judges-'))
const verdicts: Verdict[] = []
{
  await using service = await startTestService()
  await service.addMember()
  const token = await service.mintToken()
  const url = `${service.url}/mcp`
  const file = [...linkedinCsv(200, 1)].join('')
  verdicts.push(
    await inspect(
      'import_connections',
      url,
      token,
      [
        'tools/call',
        '--tool-name',
        'import_connections',
        '--tool-args-json',
        JSON.stringify({ content: file }),
      ],
      'legacy',
    ),
  )
  for (const era of ERAS) {
    verdicts.push(await inspect('tools/list --strict', url, token, ['tools/list', '--strict'], era))
    verdicts.push(
      await inspect(
        'search_connections',
        url,
        token,
        ['tools/call', '--tool-name', 'search_connections', '--tool-arg', 'query=a'],
        era,
      ),
    )
  }
}
await rm(home, { recursive: true, force: true })

const failed = verdicts.filter(({ content }) => !content)
for (const { judge, content, says } of verdicts)
  process.stdout.write(
    `${content ? 'content    ' : 'NOT CONTENT'}  ${judge}${content ? '' : `\n${says}`}\n`,
  )
process.stdout.write(`judges: ${verdicts.length - failed.length} passed, ${failed.length} failed\n`)
process.exitCode = failed.length === 0 ? 0 : 1

/** MCP Inspector's CLI: exit code 0 is content; 5 is a tool that failed, 6 a schema it finds wrong. */
async function inspect(
  name: string,
  url: string,
  token: string,
  method: readonly string[],
  era: (typeof ERAS)[number],
): Promise<Verdict> {
  const args = [
    '--cli',
    url,
    '--transport',
    'http',
    '--protocol-era',
    era,
    '--format',
    'json',
    '--header',
    `Authorization: Bearer ${token}`,
    '--stored-auth-only',
    '--method',
    ...method,
  ]
  const { code, output } = await run(INSPECTOR, args)
  return {
    judge: `MCP Inspector, ${era}: ${name}`,
    content: code === 0,
    says: `exit code ${code}: ${output.slice(0, 2000)}`,
  }
}

function run(command: string, args: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { env: { ...process.env, HOME: home }, maxBuffer: 1 << 26, timeout: 60_000 },
      (error, stdout, stderr) => {
        const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1
        resolve({ code, output: stdout + stderr })
      },
    )
  })
}
