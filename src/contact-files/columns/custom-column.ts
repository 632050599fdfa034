/** Columns of custom fields in Weft's own CSV. Without the prefix, a field named `Role` would read as the job title. */

export const CUSTOM_COLUMN_PREFIX = 'Custom: '

/** The name of the field; null for any other column. */
export function customFieldInHeader(header: string): string | null {
  const name = header.startsWith(CUSTOM_COLUMN_PREFIX)
    ? header.slice(CUSTOM_COLUMN_PREFIX.length).trim()
    : ''
  return name === '' ? null : name
}
