/** Limits of a search, in characters, for the tool and the page. */

export const MAX_QUERY_LENGTH = 500
export const MAX_FILTER_LENGTH = 200
