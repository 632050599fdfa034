/** Limits from standards or other software that apply to every kind of record. Lengths are in characters. */

/** RFC 5321 section 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
export const MAX_EMAIL_LENGTH = 254

/** A length that browsers and servers all support. */
export const MAX_URI_LENGTH = 2_000
