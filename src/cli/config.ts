/** weft config: the effective configuration, without secrets. */

import { readConfig } from '../config/config.ts'
import { SETTINGS, settingText, type Environment, type Setting } from '../config/settings.ts'
import { formatTable } from './terminal/table.ts'
import { print, type Terminal } from './terminal/terminal.ts'
import type { Command } from 'commander'

export function addConfigCommand(program: Command, terminal: Terminal): void {
  program
    .command('config')
    .description('Check the configuration and print every setting, with secrets masked')
    .option('--json', 'as JSON')
    .action((options: { json?: true }) => {
      // Reports every error at once.
      readConfig(terminal.environment)
      const entries = Object.values(SETTINGS).map((setting) =>
        entryOf(terminal.environment, setting),
      )
      if (options.json) return print(terminal, JSON.stringify(entries))
      const rows = entries.map(({ name, value, source }) => [name, value, source])
      print(terminal, formatTable(['SETTING', 'VALUE', 'FROM'], rows))
    })
}

function entryOf(environment: Environment, setting: Setting) {
  const { name } = setting
  const text = settingText(environment, name)
  if (text === '') return { name, value: setting.default, source: 'default' }
  const source = (environment[name] ?? '').trim() === '' ? 'file' : 'environment'
  return { name, value: setting.isSecret ? masked(text) : text, source }
}

const MASK = '********'

/** Only the password of a URL is masked, so that the server remains visible. */
export function masked(text: string): string {
  if (text.startsWith('sqlite:')) return text
  if (!URL.canParse(text)) return MASK
  const url = new URL(text)
  if (url.host === '') return MASK
  if (url.password !== '') url.password = MASK
  url.search = url.search === '' ? '' : `?${MASK}`
  return url.href
}
