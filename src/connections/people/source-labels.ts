/** Where people come from, as pages say it. */

import { phrase } from '../../languages/message.ts'
import type { Source } from '../model/connection.ts'

export const SOURCE_LABELS: Readonly<Record<Source, string>> = {
  typed: phrase('Added manually'),
  contacts_app: phrase('Contacts app'),
  linkedin: 'LinkedIn',
  google: 'Google',
  outlook: 'Outlook',
  vcard: phrase('Address book'),
  monica: 'Monica',
  table: phrase('Table'),
}
