/** Unicode normalization in linear time. */

type Form = 'NFC' | 'NFD' | 'NFKC' | 'NFKD'

/** Shorter texts are normalized in microseconds, whatever they contain. */
const SHORT = 300

/** Any long run of marks, and some other text: no mark is below U+0300. Much faster than the next pattern. */
const MAY_HAVE_RUN = /[\u0300-\uffff]{31}/
/**
 * More than 30 marks, which no language has: the limit of Unicode's Stream-Safe Text Format (UAX #15, section 13).
 * Half-width voiced sound marks are letters that become marks.
 */
const LONG_RUN = /([\p{M}\uff9e\uff9f]{30})[\p{M}\uff9e\uff9f]+/gu

/**
 * `text.normalize(form)` without the 31st and further marks on one character: `String.normalize` sorts them in quadratic
 * time. For keys and searches, not for text that is stored.
 */
export function normalForm(text: string, form: Form): string {
  const isSafe = text.length <= SHORT || !MAY_HAVE_RUN.test(text)
  return (isSafe ? text : text.replace(LONG_RUN, '$1')).normalize(form)
}
