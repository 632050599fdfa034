/** Pages of a list that goes on: where in it the reader is. */

/** As the address has it; undefined on the first page. */
export function cursorOf(search: string): string | undefined {
  return new URLSearchParams(search).get('cursor') ?? undefined
}

/** What the route of such a page answers. */
export const PAGED_ANSWERS = {
  200: { description: 'The page', type: 'text/html' },
  400: { description: 'The cursor is not one that the page gave', type: 'text/html' },
} as const
