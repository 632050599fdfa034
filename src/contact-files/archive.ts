// Finds the contact files in a zip: LinkedIn's archive, Google Takeout, an export of Weft, or any zip of tables, workbooks
// and vCards.

import { phrase } from '../languages/message.ts'
import { readLastContacts, type LastContacts } from './table/linkedin-messages.ts'
import { SETTINGS_FILES, type SettingsFile } from './contact/network-settings.ts'
import { UnreadableFile } from './bytes/unreadable-file.ts'
import type { ZipEntry } from './bytes/zip.ts'

/** The files of a zip that hold contacts, in the order in which they are read. */
interface Archive {
  readonly files: readonly ZipEntry[]
  /** When the member last exchanged messages on LinkedIn; only from LinkedIn's archive. */
  readonly lastContacts: LastContacts | null
  /** Whether several files may contain the same card, as in Takeout, which has a file per group. */
  readonly hasCopies: boolean
  /** Only in Weft's own export. */
  readonly settings?: Readonly<Partial<Record<SettingsFile, ZipEntry>>>
  /** The names of all files. Only of Weft's own export. */
  readonly names?: readonly string[]
}

/**
 * @throws {UnreadableFile} `no_connections_in_zip` when no file in the zip holds contacts.
 * @throws {UnreadableFile} `spreadsheet_file` when the zip is an office document that is not supported.
 */
export async function archiveOf(all: readonly ZipEntry[]): Promise<Archive> {
  if (all.some(({ name }) => OTHER_OFFICE_FILE.test(name))) throw otherDocument()
  const entries = all.filter(({ name }) => !HIDDEN.test(name))
  const own = weftConnections(entries)
  if (own !== undefined)
    return {
      files: [own],
      lastContacts: null,
      hasCopies: false,
      settings: Object.fromEntries(
        SETTINGS_FILES.map((name) => [name, besides(own, name, entries)]),
      ),
      names: entries.map(({ name }) => name),
    }
  const cards = entries.filter(({ name }) => /\.(?:vcf|vcard)$/i.test(name))
  const spreadsheets = entries.filter(({ name }) => SPREADSHEET.test(name))
  const connections = shortest(entries.filter(({ name }) => CONNECTIONS.test(name)))
  if (connections !== undefined) {
    const imported = entries.filter(({ name }) => IMPORTED_CONTACTS.test(name))
    const last = await readLastContacts({
      messages: entries.filter(({ name }) => MESSAGES.test(name)),
      invitations: entries.filter(({ name }) => INVITATIONS.test(name)),
    })
    const files = [connections, ...imported, ...cards, ...spreadsheets]
    return { files, lastContacts: last, hasCopies: cards.length > 0 }
  }
  const tables = entries.filter(
    ({ name }) =>
      (cards.length > 0 ? /\.(?:csv|tsv)$/i : /\.(?:csv|tsv|txt)$/i).test(name) &&
      !LINKEDIN_OTHER.test(name),
  )
  const files = [...cards, ...tables, ...spreadsheets]
  if (files.length > 0) return { files, lastContacts: null, hasCopies: cards.length > 0 }
  throw noContacts(entries.length)
}

/** Weft's own export contains the same people as CSV and vCard, with less data. Zipped again, it can be in a folder. */
function weftConnections(entries: readonly ZipEntry[]): ZipEntry | undefined {
  return entries.find(
    (entry) =>
      /(?:^|\/)connections\.json$/.test(entry.name) &&
      ['profile.json', 'connections.vcf'].every((name) => besides(entry, name, entries)),
  )
}

/** The file with this name in the folder of another one. */
function besides(
  other: ZipEntry,
  wanted: string,
  entries: readonly ZipEntry[],
): ZipEntry | undefined {
  const path = other.name.slice(0, other.name.lastIndexOf('/') + 1) + wanted
  return entries.find(({ name }) => name === path)
}

/** What systems and programs add to folders, such as `__MACOSX/._people.csv` and `~$people.xlsx`. */
const HIDDEN = /(?:^|[/\\])(?:__MACOSX[/\\]|\.|~\$)/
/** Also those that cannot be read, so that they are reported. */
const SPREADSHEET = /\.(?:xls[xmb]?|ods|numbers)$/i

const CONNECTIONS = /(?:^|[/\\])connections\.csv$/i
const IMPORTED_CONTACTS = /(?:^|[/\\])(?:imported ?contacts|contacts)\.csv$/i
const MESSAGES = /(?:^|[/\\])messages\.csv$/i
const INVITATIONS = /(?:^|[/\\])invitations\.csv$/i
/** Files of LinkedIn's first, partial archive, which has no connections. */
const LINKEDIN_OTHER =
  /(?:^|[/\\])(?:messages|invitations|positions|profile|education|skills|registration|email addresses|phonenumbers|receipts?|ad_targeting|rich_media|inferences_about_you|company follows|member_follows|learning|recommendations_\w+|endorsement_\w+)\.csv$/i
const OTHER_OFFICE_FILE =
  /^(?:mimetype|META-INF\/manifest\.xml|Index\/.*\.iwa|word\/document\.xml|ppt\/presentation\.xml)$/

function shortest(entries: readonly ZipEntry[]): ZipEntry | undefined {
  return entries.toSorted((a, b) => a.name.length - b.name.length)[0]
}

/** The error for an office document that is not supported. */
export function otherDocument(): UnreadableFile {
  return new UnreadableFile(
    'spreadsheet_file',
    phrase('This is an Office document, not a list of contacts.'),
    phrase('Open it, save it as CSV or as an Excel workbook (.xlsx), then import that file.'),
  )
}

function noContacts(count: number): UnreadableFile {
  return new UnreadableFile(
    'no_connections_in_zip',
    {
      source: phrase(
        'This zip has {count} files, but no Connections.csv and no other list of contacts.',
      ),
      values: { count },
    },
    phrase(
      'LinkedIn sends a first zip within minutes and the full one within a day. Request "Connections" and import the zip that contains it, or import a CSV or vCard file.',
    ),
  )
}
