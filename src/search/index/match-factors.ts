/** How well a term matches a word of the query, in hundredths: exact before prefix before fuzzy. */
export const FACTOR = {
  exact: 100,
  /** Another spelling of the same word: `mueller` for Müller. */
  spelling: 95,
  /** Two words of the query written as one, or one as two. */
  joined: 90,
  nickname: 80,
  companyInitials: 80,
  prefix: 70,
  /** A prefix of one or two letters. */
  shortPrefix: 60,
  /** Another form of the word: `invested` for `investing`. */
  form: 55,
  /** A spelling that sounds alike: Tchaikovsky and Tschaikowski. */
  sound: 50,
  /** A part of a compound, or another ending. */
  part: 45,
  /** In a title about as much as the word itself in a note. */
  synonym: 45,
  oneEdit: 45,
  twoEdits: 35,
  /** A name in the singular of the word, below all longer names. */
  singular: 30,
  /** Only the initial is known: `J. Smith` for John Smith. */
  initial: 30,
} as const
