/** `weft` commands in this process: faster than a process each, for commands that need no signals. */

import { PassThrough } from 'node:stream'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { runProgram } from '../../src/cli/program.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** Runs one command with this environment and, if given, this standard input. */
export async function runWeft(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<Ran> {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const outputs = Promise.all([text(stdout), text(stderr)])
  const code = await runProgram(['node', 'weft', ...args], {
    environment,
    stdin: Readable.from([Buffer.from(input)]),
    stdout,
    stderr,
    onStop: () => {},
  })
  stdout.end()
  stderr.end()
  const [out, err] = await outputs
  return { code, stdout: out, stderr: err }
}
