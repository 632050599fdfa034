/** weft demo: the demo account. */

import { restoreDemo } from '../service/seed-demo.ts'
import { say, type Terminal } from './terminal/terminal.ts'
import { withNewDatabase } from './with-database.ts'
import type { Command } from 'commander'

export function addDemoCommands(program: Command, terminal: Terminal): void {
  const demo = program.command('demo').description('The demo account')
  demo
    .command('seed')
    .description('Create the demo account with its 200 invented people, if it does not exist')
    .action(() =>
      withNewDatabase(terminal, async ({ database, now }) => {
        const state = await restoreDemo(database, now)
        say(
          terminal,
          state === 'created' ? 'Created the demo account.' : 'The demo account already exists.',
        )
      }),
    )
}
