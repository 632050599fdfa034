// The error for a contact file that cannot be read: what is wrong and what to do.

import { inEnglish, type Message } from '../../languages/message.ts'

type UnreadableCode =
  | 'empty_file'
  | 'binary_file'
  | 'spreadsheet_file'
  | 'pdf_file'
  | 'html_file'
  | 'json_file'
  | 'calendar_file'
  | 'unknown_columns'
  | 'unknown_encoding'
  | 'no_connections_in_zip'
  | 'encrypted_zip'
  | 'damaged_zip'
  | 'zip_too_large'

/** How the file would read in one encoding. */
interface EncodingGuess {
  readonly encoding: string
  readonly preview: string
}

interface UnreadableDetails {
  /** The most likely encodings, best first; only for `unknown_encoding`. */
  readonly guesses?: readonly EncodingGuess[]
  /** The names of the columns; only for `unknown_columns`. */
  readonly columns?: readonly string[]
}

export class UnreadableFile extends Error {
  readonly code: UnreadableCode
  readonly hint: string
  readonly guesses: readonly EncodingGuess[]
  readonly columns: readonly string[]
  /** The text and the hint, for pages in other languages. */
  readonly texts: readonly Message[]

  constructor(
    code: UnreadableCode,
    text: string | Message,
    hint: string | Message,
    { guesses = [], columns = [] }: UnreadableDetails = {},
  ) {
    const [said, advised] = [messageOf(text), messageOf(hint)]
    super(inEnglish(said))
    this.name = 'UnreadableFile'
    this.code = code
    this.hint = inEnglish(advised)
    this.texts = [said, advised]
    this.guesses = guesses
    this.columns = columns
  }
}

function messageOf(text: string | Message): Message {
  return typeof text === 'string' ? { source: text } : text
}
