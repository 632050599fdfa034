/** Limits on the lengths and numbers of what members, agents and files give. Lengths are in characters. */

/** RFC 5321 section 4.5.3.1.3: a path of 256 octets, less its angle brackets. */
export const MAX_EMAIL_LENGTH = 254

/** A length that browsers and servers all support. */
export const MAX_URI_LENGTH = 2_000

/** 15 digits, an extension and a remark. */
export const MAX_PHONE_LENGTH = 100

/** The maximum number of emails, phone numbers, links or tags of a connection. */
export const MAX_VALUES = 50
/** Longer than any name, company, job title or location. */
export const MAX_TEXT_LENGTH = 300
/** About ten pages. */
export const MAX_NOTE_LENGTH = 20_000
/** Text of a contact file that becomes several notes: as long as a cell can be. */
export const MAX_IMPORTED_NOTE_LENGTH = 1_000_000
export const MAX_TAG_LENGTH = 100
export const MAX_FOLLOW_UP_LENGTH = 500

export const MAX_CUSTOM_VALUES = 500
export const MAX_CUSTOM_LENGTH = 20_000
/** The maximum number of custom fields of a network, including those that can be restored. */
export const MAX_CUSTOM_FIELDS = 500
export const MAX_CHOICES = 100

export const MAX_INTERACTION_PEOPLE = 50
/** The maximum number of interactions of one contact in a file. */
export const MAX_CONTACT_INTERACTIONS = 10_000

/** How rarely a member can want to be in touch: once in ten years. */
export const MAX_CADENCE = { day: 3650, week: 520, month: 120 } as const
