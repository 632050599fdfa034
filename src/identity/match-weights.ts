/** What each finding counts, and the scores that decide. */

/**
 * The weight of each finding. Tuned on the tuning half of `bench/matching-set/`; one unit is about a factor of
 * three in the odds that the records are one person.
 */
export const WEIGHTS = {
  identical: 14,
  same_profile_url: 9,
  other_profile_url: -4,
  renamed_profile_url: -2,
  same_email: 6,
  email_fits_name: 1,
  shared_mailbox: 0.5,
  similar_email: 1,
  other_email: -1,
  other_email_at_company: -3,
  same_phone: 4,
  mobile: 1,
  landline: 0,
  other_phone: -0.5,
  same_name: 4,
  nickname: 3,
  other_form_of_name: 3,
  similar_short_name: 3,
  middle_name: 3,
  part_of_given_name: 3,
  alias: 2.5,
  typo: 2.5,
  given_name_typo: 2.5,
  initial: 2,
  same_single_name: 3,
  only_given_name: 0.5,
  only_family_name: 0.5,
  name_missing: 1.5,
  other_family_name: -2,
  other_script: -2,
  same_reading: 3,
  same_in_other_script: 3,
  generation_missing: -5,
  common_name: -2,
  similar_given_name: -1,
  other_name: -5,
  unknown_given_name: -5,
  other_given_name: -14,
  other_generation: -14,
  other_form_of_address: -4,
  other_number: -14,
  same_company: 3,
  similar_company: 1,
  other_company: -0.5,
  same_birthday: 3,
  same_birthday_without_year: 2,
  other_birthday: -7,
  same_location: 1,
  other_location: -0.5,
  same_title: 0.5,
  other_title: 0,
  same_source: 4,
  same_connected_on: 2,
} as const satisfies Readonly<Record<string, number>>

export type MatchReason = keyof typeof WEIGHTS

export const MIN_SAME_SCORE = 7
const MIN_UNSURE_SCORE = 3.5
/** Within one file, each row is usually a person: a name alone is not worth a question if anything contradicts it. */
const MIN_UNSURE_SCORE_IN_FILE = 4.5

/** The certainty, from 0 to 1, from which an import would merge two records. */
export const MIN_CERTAIN_SCORE = 0.9
/** The certainty of the least likely pair that an import would queue. */
export const MIN_REVIEW_SCORE = 0.6
export const MAX_REVIEW_SCORE = 0.89

/** Records with a lower score are different people. */
export function minUnsureScore(isSameFile: boolean): number {
  return isSameFile ? MIN_UNSURE_SCORE_IN_FILE : MIN_UNSURE_SCORE
}
