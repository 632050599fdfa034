/** The commands of `weft`, their help, and error reporting. */

import { Command, CommanderError } from 'commander'
import { readVersion } from '../service/version.ts'
import { ACTS } from '../acts/catalog.ts'
import { describeError } from './terminal/describe-error.ts'
import { say, StoppedBySignal, type Terminal } from './terminal/terminal.ts'

/** 0: success; 1: rejected or failed; 2: invalid command line; 130 and 143: stopped by SIGINT and SIGTERM. */
export type ExitCode = 0 | 1 | 2 | 130 | 143

export async function runProgram(argv: readonly string[], terminal: Terminal): Promise<ExitCode> {
  const program = await createProgram(argv[2], terminal)
  try {
    await program.parseAsync(argv)
    return 0
  } catch (error) {
    if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2
    say(terminal, describeError(error, terminal.environment['WEFT_LOG_LEVEL'] === 'debug'))
    if (error instanceof StoppedBySignal) return error.signal === 'SIGTERM' ? 143 : 130
    return 1
  }
}

async function createProgram(named: string | undefined, terminal: Terminal): Promise<Command> {
  const program = new Command('weft')
    .description(
      'A self-hosted service for professional networks and the AI agents that work with them.',
    )
    .version(readVersion())
    .configureOutput({
      writeOut: (text) => terminal.stdout.write(text),
      writeErr: (text) => terminal.stderr.write(text),
      outputError: (text, write) => write(argumentError(text)),
    })
    .showHelpAfterError('(run `weft --help` to list the commands)')
    .exitOverride()
  for (const addCommand of await loadCommands(named)) addCommand(program, terminal)
  inherit(program, 'weft')
  return program
}

/** Commander calls the value of an argument with choices a "command-argument value". */
function argumentError(text: string): string {
  return text.replace(
    /^error: command-argument value ('.*') is invalid for argument '(.*)'\./,
    "error: $1 is not valid for the argument '<$2>'.",
  )
}

type AddCommand = (program: Command, terminal: Terminal) => void

/** Commands that are no acts. Imported on demand, so that a command loads only its own dependencies. */
const COMMANDS: Readonly<Record<string, () => Promise<AddCommand>>> = {
  serve: async () => (await import('./serve.ts')).addServeCommand,
  work: async () => (await import('./work.ts')).addWorkCommand,
  migrate: async () => (await import('./migrate.ts')).addMigrateCommand,
  ...Object.fromEntries(Object.keys(ACTS).map((word) => [word, () => actCommand(word)])),
  import: async () => (await import('./import.ts')).addImportCommand,
  config: async () => (await import('./config.ts')).addConfigCommand,
  doctor: async () => (await import('./doctor.ts')).addDoctorCommand,
  backup: async () => (await import('./backup.ts')).addBackupCommand,
  restore: async () => (await import('./backup.ts')).addRestoreCommand,
  move: async () => (await import('./backup.ts')).addMoveCommand,
  completion: async () => (await import('./completion.ts')).addCompletionCommand,
}

/** The command of the acts that begin with a word: one command, or a group. */
async function actCommand(word: string): Promise<AddCommand> {
  const { summary = '', load } = ACTS[word] ?? {}
  const { addAct } = await import('./act-commands.ts')
  const acts = (await load?.()) ?? []
  return (program, terminal) => {
    const isGroup = acts.some(({ name }) => name !== word)
    const group = isGroup ? program.command(word).description(summary) : program
    for (const act of acts) addAct(group, terminal, act)
  }
}

function loadCommands(named: string | undefined): Promise<AddCommand[]> {
  // Completion describes all commands.
  const isKnown = named !== undefined && named !== 'completion' && Object.hasOwn(COMMANDS, named)
  const one = isKnown ? COMMANDS[named] : undefined
  return Promise.all((one ? [one] : Object.values(COMMANDS)).map((load) => load()))
}

/** Commander does not apply settings to existing subcommands, and all of them must report errors the same way. */
function inherit(parent: Command, path: string): void {
  for (const command of parent.commands) {
    const own = `${path} ${command.name()}`
    command.copyInheritedSettings(parent)
    command.showHelpAfterError(`(run \`${own} --help\` to see its usage)`)
    inherit(command, own)
  }
}
