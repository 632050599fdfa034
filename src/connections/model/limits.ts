/** Limits of a connection's fields, however they arrive. Lengths are in characters. */

/** The most emails, phone numbers, links or tags that one connection can have. */
export const MAX_VALUES = 50
/** Longer than any name, company, job title or location. */
export const MAX_TEXT_LENGTH = 300
/** About ten pages. */
export const MAX_NOTE_LENGTH = 20_000
export const MAX_TAG_LENGTH = 100
export const MAX_FOLLOW_UP_LENGTH = 500

/** The most values of custom fields that one connection can have. */
export const MAX_CUSTOM_VALUES = 500
export const MAX_CUSTOM_LENGTH = 20_000
/** The most custom fields that one network can have, with those that can be restored. */
export const MAX_CUSTOM_FIELDS = 500
