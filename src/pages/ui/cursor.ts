/** Cursors of paginated lists. */

/** The cursor from the URL; undefined on the first page. */
export function cursorOf(search: string): string | undefined {
  return new URLSearchParams(search).get('cursor') ?? undefined
}

/** The responses of a paginated page. */
export const PAGED_ANSWERS = {
  200: { description: 'The page', type: 'text/html' },
  400: { description: 'The cursor is invalid', type: 'text/html' },
} as const
