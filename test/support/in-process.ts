/** `weft` commands in this process: faster than a process each, for tests that need no signals or exits. */

import { once } from 'node:events'
import { PassThrough, Readable } from 'node:stream'
import { runProgram } from '../../src/cli/program.ts'

export interface Ran {
  readonly code: number | null
  readonly stdout: string
  readonly stderr: string
}

/** A command that runs until it is stopped. */
export interface Running {
  readonly stdout: NodeJS.ReadableStream
  readonly ended: Promise<Ran>
  /** Does what the command does when its process receives this signal. */
  stop(signal: string): void
}

/** Runs one command with this environment and, if given, this standard input. */
export function runWeft(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<Ran> {
  return startWeft(environment, args, input).ended
}

/** Starts one command, such as `serve`. */
export function startWeft(
  environment: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Running {
  const [stdout, stderr] = [new PassThrough(), new PassThrough()]
  const outputs = Promise.all([collect(stdout), collect(stderr)])
  const stops: ((signal: string) => void)[] = []
  const run = async () => {
    const code = await runProgram(['node', 'weft', ...args], {
      environment,
      stdin: Readable.from([Buffer.from(input)]),
      stdout,
      stderr,
      onStop: (stop) => stops.push(stop),
    })
    stdout.end()
    stderr.end()
    const [out, err] = await outputs
    return { code, stdout: out, stderr: err }
  }
  return {
    stdout,
    ended: run(),
    stop(signal) {
      for (const stop of stops) stop(signal)
    },
  }
}

/** Reads with events, so that the caller can read the stream as well. */
async function collect(stream: PassThrough): Promise<string> {
  const chunks: Buffer[] = []
  stream.on('data', (chunk: Buffer) => chunks.push(chunk))
  await once(stream, 'end')
  return Buffer.concat(chunks).toString()
}
