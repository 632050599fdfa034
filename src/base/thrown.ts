/** What a thrown value says: anything can be thrown. */

/** The code of an error of Node, SQLite or PostgreSQL, such as `ENOENT`; empty without one. */
export function codeOf(thrown: unknown): string {
  return thrown instanceof Error && 'code' in thrown ? String(thrown.code) : ''
}

/** The message of an error, or what was thrown as text. */
export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown)
}
