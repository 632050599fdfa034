/** Words that a search ignores: English function words, and words that are common in queries to a network. */

// prose-ok: a word list
const GRAMMAR = `a about all also an and any are as at be been but by can could did do does for from had has have he her
  hers him his how i if in into is it its just me more most my no not of on or our out over she should so some than that
  the their them then there these they this those to up us was we were what when where which who whom whose why will
  with would you your`

const ASKING = `anybody anyone contact contacts find help know looking need people person somebody someone want` // prose-ok: a word list

export const STOP_WORDS: ReadonlySet<string> = new Set(`${GRAMMAR} ${ASKING}`.split(/\s+/))
