/** Where people come from, as pages say it. */

import type { Source } from '../model/connection.ts'

export const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  typed: 'Added manually',
  linkedin: 'LinkedIn',
  google: 'Google',
  outlook: 'Outlook',
  vcard: 'Address book',
  monica: 'Monica',
  table: 'Table',
}
