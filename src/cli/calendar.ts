/** weft calendar: connect, list, sync and disconnect a member's calendars. */

import { createInterface } from 'node:readline/promises'
import { text } from 'node:stream/consumers'
import { InvalidArgumentError, type Command } from 'commander'
import { rfc3339, systemClock } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { RequestError } from '../base/request-error.ts'
import { readSealSecret } from '../config/seal-secret.ts'
import { listCalendars, type ListedCalendar } from '../connections/calendars/calendar-store.ts'
import {
  connectCalendar,
  disconnectCalendar,
  syncNow,
} from '../connections/calendars/manage-calendars.ts'
import { recordChange } from '../tools/activity.ts'
import { COMMAND_LINE } from '../tools/security-events.ts'
import { printList } from './terminal/table.ts'
import { say, type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'
import type { Readable, Writable } from 'node:stream'
import type { Config } from '../config/config.ts'
import type { Database } from '../db/database.ts'

export function addCalendarCommands(program: Command, terminal: Terminal): void {
  const calendar = program.command('calendar').description("Connect and sync members' calendars")
  calendar
    .command('add')
    .description('Connect a calendar; its secret address is read from a prompt or standard input')
    .requiredOption('--member <username>')
    .option('--name <name>', 'the name to show (default: the name of the calendar)')
    .action((options: { member: string; name?: string }) => add(terminal, options))
  calendar
    .command('list')
    .description('List the calendars of a member')
    .requiredOption('--member <username>')
    .option('--json', 'as JSON lines')
    .action((options: { member: string; json?: true }) =>
      list(terminal, options.member, options.json === true),
    )
  calendar
    .command('sync')
    .description('Sync a calendar now, also if its syncing has stopped')
    .argument('<id>', 'from `weft calendar list`', calendarNumber)
    .requiredOption('--member <username>')
    .action((id: number, options: { member: string }) => sync(terminal, id, options.member))
  calendar
    .command('remove')
    .description('Disconnect a calendar; the interactions that it brought are kept')
    .argument('<id>', 'from `weft calendar list`', calendarNumber)
    .requiredOption('--member <username>')
    .option('--delete-interactions', 'delete them; undo is possible on the activity page')
    .action((id: number, options: RemoveOptions) => remove(terminal, id, options))
}

interface RemoveOptions {
  readonly member: string
  readonly deleteInteractions?: true
}

async function add(
  terminal: Terminal,
  { member, name = '' }: { readonly member: string; readonly name?: string },
): Promise<void> {
  await withMember(terminal, member, async ({ database, config, db: { memberId } }) => {
    const calendar = { secret_address: await readAddress(terminal), name }
    const added = await connectCalendar(depsOf(database, config), memberId, calendar)
    say(terminal, `Connected ${added.name} (ID ${added.calendarId}).`)
  })
}

async function readAddress({ stdin, stderr }: Terminal): Promise<string> {
  if (stdin.isTTY !== true) return (await text(stdin)).split(/\r?\n/, 1)[0] ?? ''
  // Both are streams of the process if they are a terminal.
  const streams = { input: stdin as Readable, output: stderr as Writable }
  const prompt = createInterface(streams)
  try {
    return await prompt.question('Secret address in iCal format (ICS): ')
  } finally {
    prompt.close()
  }
}

function depsOf(database: Database, config: Config) {
  return {
    database,
    clock: systemClock,
    sealSecret: () => readSealSecret(config),
    outgoing: new OutgoingPool(),
  }
}

async function list(terminal: Terminal, username: string, asJson: boolean): Promise<void> {
  await withMember(terminal, username, async ({ db, now }) => {
    printList(terminal, (await listCalendars(db, now)).map(entryOf), {
      json: asJson,
      none: `${username} has no calendars. Connect one with \`weft calendar add\`.`,
      headings: [
        'ID',
        'NAME',
        'ADDRESS',
        'SYNCED',
        'NEXT SYNC',
        'INTERACTIONS',
        'UPCOMING',
        'ERROR',
      ],
      rowOf: (one) => [
        String(one.id),
        one.name,
        one.address,
        one.synced_at ?? 'never',
        one.next_sync_at ?? 'stopped',
        String(one.interactions),
        String(one.upcoming),
        one.error ?? '',
      ],
    })
  })
}

function entryOf(one: ListedCalendar) {
  return {
    id: one.calendarId,
    name: one.name,
    address: one.addressHint,
    synced_at: rfc3339(one.syncedAt),
    next_sync_at: rfc3339(one.nextSyncAt),
    interactions: one.interactions,
    upcoming: one.upcoming,
    error: one.error,
  }
}

async function sync(terminal: Terminal, id: number, username: string): Promise<void> {
  await withMember(terminal, username, async ({ database, config, db: { memberId } }) => {
    const { error } = await syncNow(depsOf(database, config), memberId, id)
    if (error !== null)
      throw new RequestError('conflict', error, {
        hint: 'Fix the problem, then run the command again.',
      })
    say(terminal, 'Synced.')
  })
}

async function remove(
  terminal: Terminal,
  id: number,
  {
    member,
    deleteInteractions = false,
  }: Omit<RemoveOptions, 'deleteInteractions'> & { deleteInteractions?: boolean },
): Promise<void> {
  await withMember(terminal, member, async ({ db, now }) => {
    const by = { credentialId: null, actor: COMMAND_LINE, now }
    await db.write(
      (tx) =>
        disconnectCalendar({ tx, now, record: (change) => recordChange(tx, by, change) }, id, {
          keep: !deleteInteractions,
        }),
      { bulk: true },
    )
    say(
      terminal,
      deleteInteractions ? 'Disconnected, and deleted its interactions.' : 'Disconnected.',
    )
  })
}

function calendarNumber(typed: string): number {
  if (!/^[1-9]\d{0,8}$/.test(typed))
    throw new InvalidArgumentError('Use an ID of `weft calendar list`.')
  return Number(typed)
}
