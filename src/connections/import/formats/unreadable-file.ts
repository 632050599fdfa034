// The error for a contact file that cannot be read: what is wrong and what to do.

type UnreadableCode =
  | 'empty_file'
  | 'binary_file'
  | 'spreadsheet_file'
  | 'pdf_file'
  | 'html_file'
  | 'json_file'
  | 'calendar_file'
  | 'unknown_columns'
  | 'no_connections_in_zip'
  | 'encrypted_zip'
  | 'damaged_zip'
  | 'zip_too_large'

export class UnreadableFile extends Error {
  readonly code: UnreadableCode
  readonly hint: string

  constructor(code: UnreadableCode, message: string, hint: string) {
    super(message)
    this.name = 'UnreadableFile'
    this.code = code
    this.hint = hint
  }
}
