/** Connections that share something, and are therefore compared. */

/** Positions in the table of people. */
export type Bucket = readonly number[]

/** Larger buckets are not evidence: a switchboard number, the most common name in a large company. */
export const MAX_BUCKET_SIZE = 20

export function isInformative({ length }: { readonly length: number }): boolean {
  return length > 1 && length <= MAX_BUCKET_SIZE
}
