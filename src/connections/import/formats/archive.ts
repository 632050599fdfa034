// Finds the contact files in a zip: LinkedIn's archive, Google Takeout, an export of Weft, a workbook, or any zip of
// CSV files and vCards.

import { lastContacts, type LastContacts } from './linkedin-messages.ts'
import { UnreadableFile } from './unreadable-file.ts'
import type { ZipEntry } from './zip.ts'

/** The files of a zip that hold contacts, in the order in which they are read. */
interface Archive {
  readonly files: readonly ZipEntry[]
  /** When the member last exchanged messages on LinkedIn; only from LinkedIn's archive. */
  readonly lastContacts: LastContacts | null
  /** Whether several files may contain the same card, as in Takeout, which has a file per group. */
  readonly hasCopies: boolean
  /** The definitions of custom fields; only in Weft's own export. */
  readonly customFields?: ZipEntry | undefined
}

/**
 * @throws {UnreadableFile} `no_connections_in_zip` when no file in the zip holds contacts.
 * @throws {UnreadableFile} `spreadsheet_file` when the zip is an office document that is not supported.
 */
export async function archiveOf(entries: readonly ZipEntry[]): Promise<Archive> {
  if (entries.some(({ name }) => OTHER_OFFICE_FILE.test(name))) throw spreadsheet()
  const own = weftConnections(entries)
  if (own !== undefined)
    return {
      files: [own],
      lastContacts: null,
      hasCopies: false,
      customFields: entries.find(({ name }) => name === 'custom-fields.json'),
    }
  const connections = shortest(entries.filter(({ name }) => CONNECTIONS.test(name)))
  if (connections !== undefined) {
    const imported = entries.filter(({ name }) => IMPORTED_CONTACTS.test(name))
    const last = await lastContacts({
      messages: entries.filter(({ name }) => MESSAGES.test(name)),
      invitations: entries.filter(({ name }) => INVITATIONS.test(name)),
    })
    return { files: [connections, ...imported], lastContacts: last, hasCopies: false }
  }
  const cards = entries.filter(({ name }) => /\.(?:vcf|vcard)$/i.test(name))
  const tables = entries.filter(
    ({ name }) =>
      (cards.length > 0 ? /\.(?:csv|tsv)$/i : /\.(?:csv|tsv|txt)$/i).test(name) &&
      !LINKEDIN_OTHER.test(name),
  )
  const files = [...cards, ...tables]
  if (files.length > 0) return { files, lastContacts: null, hasCopies: cards.length > 0 }
  throw noContacts(entries.length)
}

/** Weft's own export contains the same people as CSV and vCard, with less data. */
function weftConnections(entries: readonly ZipEntry[]): ZipEntry | undefined {
  const named = (wanted: string) => entries.find(({ name }) => name === wanted)
  return named('profile.json') && named('connections.vcf') && named('connections.json')
}

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

function spreadsheet(): UnreadableFile {
  return new UnreadableFile(
    'spreadsheet_file',
    'This is an Office document, not a list of contacts.',
    'Open it, save it as CSV or as an Excel workbook (.xlsx), then import that file.',
  )
}

function noContacts(count: number): UnreadableFile {
  return new UnreadableFile(
    'no_connections_in_zip',
    `This zip has ${count} files, but no Connections.csv and no other list of contacts.`,
    'LinkedIn sends a first zip within minutes and the full one within a day. Request "Connections" and import the zip that contains it, or import a CSV or vCard file.',
  )
}
