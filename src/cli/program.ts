/** The commands of `weft`, their help, and what a mistake looks like to the person who made it. */

import { Command, CommanderError } from 'commander'
import { Refusal } from '../base/refusal.ts'
import { readVersion } from '../service/version.ts'
import { addDemoCommands } from './demo.ts'
import { addImportCommand } from './import.ts'
import { addMemberCommands } from './member.ts'
import { addMigrateCommand } from './migrate.ts'
import { addServeCommand } from './serve.ts'
import { say, type Terminal } from './terminal.ts'
import { addTokenCommands } from './token.ts'

/** 0 done; 1 refused or failed; 2 the command line cannot be understood. */
export type ExitCode = 0 | 1 | 2

export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = createProgram(terminal)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    say(terminal, describe(error))
    return 1
  }
}

function createProgram(terminal: Terminal): Command {
  const program = new Command('weft')
    .description(
      "A self-hosted home for members' professional networks, and for the AI agents that work with them.",
    )
    .version(readVersion())
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
    })
    .showHelpAfterError('(weft --help lists the commands)')
    .exitOverride()
  addServeCommand(program, terminal)
  addMigrateCommand(program, terminal)
  addMemberCommands(program, terminal)
  addTokenCommands(program, terminal)
  addImportCommand(program, terminal)
  addDemoCommands(program, terminal)
  inherit(program)
  return program
}

/** Commander's settings do not reach sub-commands that were added before; every mistake is to be told the same way. */
function inherit(program: Command): void {
  for (const command of program.commands) {
    command.copyInheritedSettings(program)
    inherit(command)
  }
}

function describe(error: unknown): string {
  if (error instanceof Refusal) {
    const { hint } = error.details
    return hint === undefined ? error.message : `${error.message}\n${hint}`
  }
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  if (code === 'EADDRINUSE')
    return 'The port is in use: another Weft may be running. Set WEFT_PORT to another one.'
  if (code === 'EACCES')
    return 'The system does not allow that: a port below 1024, or a file that is not yours.'
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}
