/** The commands of acts. */

import { lockNetworks } from '../access/lock-member.ts'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError, Option, type Command } from 'commander'
import { recordAct, runChange } from '../acts/act.ts'
import { readSealSecret } from '../config/seal-secret.ts'
import { COMMAND_LINE } from '../tools/security-events.ts'
import { progressBar } from './terminal/progress-bar.ts'
import { formatTable } from './terminal/table.ts'
import {
  commandLine,
  print,
  say,
  StoppedBySignal,
  stopSignal,
  type Terminal,
} from './terminal/terminal.ts'
import { withDatabase, withMember, withNewDatabase, withoutDatabase } from './with-database.ts'
import type {
  Act,
  Call,
  ChangeAct,
  ListAct,
  Output,
  ServiceCall,
  ShowAct,
  TaskAct,
} from '../acts/act.ts'
import type { Field } from '../acts/act-arguments.ts'
import type { Readable, Writable } from 'node:stream'
import type { CommandContext } from './with-database.ts'

type Texts = Readonly<Record<string, unknown>>

export function addAct(group: Command, terminal: Terminal, act: Act): void {
  const { name, summary, help, member, fields = {} } = act
  const command = group.command(name.split(' ').at(-1) ?? name).description(summary)
  if (help !== undefined) command.addHelpText('after', help)
  if (member === 'argument') command.argument('<username>')
  if (member === 'option') command.requiredOption('--member <username>')
  const positional = Object.entries(fields).filter(([, { kind }]) => kind === 'argument')
  for (const [, field] of positional)
    command.argument(`<${field.value}>`, field.text, readerOf(field))
  for (const [key, field] of Object.entries(fields)) addOption(command, key, field)
  if ('list' in act) command.option('--json', 'as JSON lines')
  if ('show' in act) command.option('--json', 'as JSON')
  command.action((...given: readonly unknown[]) => {
    const names = [
      ...(member === 'argument' ? ['username'] : []),
      ...positional.map(([key]) => key),
    ]
    const typed = Object.fromEntries(names.map((key, at) => [key, given[at]]))
    return run(terminal, act, { ...(given[names.length] as Texts), ...typed })
  })
}

function readerOf({ reading }: Field): (typed: string) => unknown {
  return (typed) => {
    const value = reading ? reading.read(typed) : typed
    if (value === undefined) throw new InvalidArgumentError(reading?.rule ?? '')
    return value
  }
}

function addOption(command: Command, key: string, field: Field): void {
  const { kind, value, text: description, choices, standard, isRequired } = field
  if (kind === 'argument' || kind === 'secret') return
  const flag = `--${key.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}`
  const values = { flag: '', option: ` <${value}>`, several: ` <${value}...>` }
  const option = new Option(flag + values[kind], description).default(standard)
  if (isRequired) option.makeOptionMandatory()
  if (choices) option.choices(choices)
  else if (kind === 'option') option.argParser(readerOf(field))
  command.addOption(option)
}

/** Opens the database for an act. */
async function run(terminal: Terminal, act: Act, typed: Texts): Promise<void> {
  const { member, databaseMay } = act
  const work = (context: CommandContext) => execute(terminal, act, context, typed)
  const username = String(typed[member === 'argument' ? 'username' : 'member'])
  if (member !== undefined) return withMember(terminal, username, work)
  if (databaseMay === 'be created') return withNewDatabase(terminal, work)
  if (databaseMay === 'be missing') return work(withoutDatabase(terminal))
  return withDatabase(terminal, work)
}

/** `withMember` has added the member to the context if the act has one. */
async function execute(
  terminal: Terminal,
  act: Act,
  { config, ...context }: CommandContext & Partial<Call<'option'>>,
  typed: Texts,
): Promise<void> {
  const call: CommandCall = {
    ...context,
    settings: {
      ...config,
      quota: config.monthlyCredits,
      sealSecret: () => readSealSecret(config),
    },
    operator: { admin: null, actor: COMMAND_LINE },
    command: (args) => commandLine(terminal, args),
  }
  const values = { ...typed, ...(await readSecrets(terminal, act, call)) }
  if ('list' in act) return printEntries(terminal, act, call, values)
  if ('show' in act) {
    const shown = await act.show(call, values)
    return print(terminal, typed['json'] ? JSON.stringify(shown) : textOf(act.text(shown)))
  }
  const output = await ('run' in act
    ? runTask(terminal, act, call, values)
    : changeNow(act, call, values))
  const { result, say: message, note } = typeof output === 'string' ? { say: output } : output
  if (result !== undefined) print(terminal, result)
  if (message !== undefined) say(terminal, message)
  // A program reads only the result.
  if (note !== undefined && terminal.stderr.isTTY === true) say(terminal, note)
}

type CommandCall = ServiceCall & Partial<Call<'option'>>

async function printEntries(
  terminal: Terminal,
  act: ListAct,
  call: CommandCall,
  values: Texts,
): Promise<void> {
  const entries = await act.list(call, values)
  if (values['json']) for (const entry of entries) print(terminal, JSON.stringify(entry))
  else if (entries.length === 0) say(terminal, act.none(call))
  else {
    const columns: readonly string[] = act.columns ?? Object.keys(entries[0] ?? {})
    const rows = entries.map((entry) =>
      columns.map((name) => cellOf(new Map(Object.entries(entry)).get(name))),
    )
    print(terminal, formatTable(columns.map(headingOf), rows))
  }
}

/** `last_used_at` is LAST USED, and `job_id` is ID. */
function headingOf(column: string): string {
  return column
    .replace(/_at$|^\w+_(?=id$)/, '')
    .replaceAll('_', ' ')
    .toUpperCase()
}

/** Times to the minute. */
function cellOf(value: unknown): string {
  if (typeof value === 'string')
    return value.replace(/^(\d{4}-\d\d-\d\d)T(\d\d:\d\d):.*Z$/, '$1 $2')
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  return typeof value === 'number' ? String(value) : ''
}

function textOf(shown: ReturnType<ShowAct['text']>): string {
  if (typeof shown === 'string') return shown
  const filled = Object.entries(shown).filter(([, value]) => value !== '')
  return formatTable(['FIELD', 'VALUE'], filled)
}

async function runTask(
  terminal: Terminal,
  act: TaskAct,
  call: CommandCall,
  values: Texts,
): Promise<Output | string> {
  await call.database.write((tx) => recordAct(tx, act, call, act.about?.(values)))
  const signal = stopSignal(terminal)
  return act.run(call, values, {
    progress: (label) => progressBar(terminal, label),
    signal,
    stopped: (message) => new StoppedBySignal(String(signal.reason), message),
  })
}

async function changeNow(
  act: ChangeAct,
  call: CommandCall,
  values: Texts,
): Promise<Output | string> {
  const { database, db, member } = call
  const prepared = await act.prepare?.(call, values)
  const options = { bulk: act.bulk === true }
  const result =
    act.member === 'option' && db
      ? await db.write((mine) => runChange(act, { ...call, mine }, values, prepared), options)
      : await database.write(async (tx) => {
          const mine = member && { mine: tx.member(member.memberId) }
          if (member) await lockNetworks(tx, [member.memberId])
          return runChange(act, { ...call, tx, ...mine }, values, prepared)
        }, options)
  return result === undefined ? 'No changes were made.' : act.done(result, call, values)
}

/** Prompts without echo on a terminal; otherwise reads the first line of standard input. */
async function readSecrets(
  { stdin, stderr }: Terminal,
  { fields = {} }: Act,
  { member }: CommandCall,
): Promise<Texts> {
  const [key, field] = Object.entries(fields).find(([, { kind }]) => kind === 'secret') ?? []
  if (key === undefined || field === undefined) return {}
  if (stdin.isTTY !== true) return { [key]: (await text(stdin)).split(/\r?\n/, 1)[0] ?? '' }
  const { isCancel, password } = await import('@clack/prompts')
  // The terminal streams of a process are both.
  const streams = { input: stdin as Readable, output: stderr as Writable }
  const ended = new AbortController()
  // The prompt would wait forever after Ctrl-D.
  const stopAtEnd = (_typed: unknown, pressed?: { ctrl?: boolean; name?: string }) => {
    if (pressed?.ctrl === true && pressed.name === 'd') ended.abort()
  }
  streams.input.on('keypress', stopAtEnd)
  const message = `${field.text} for ${member?.username ?? ''}`
  const typed = await password({ message, signal: ended.signal, ...streams })
  streams.input.off('keypress', stopAtEnd)
  if (isCancel(typed)) throw new StoppedBySignal('SIGINT', 'Stopped. No changes were made.')
  return { [key]: typed }
}
