/** What the protocol needs from an address book. It knows names, ETags and bytes, and nothing of people. */

/** A card in a listing. */
export interface BookEntry {
  /** The last part of its URL, decoded. */
  readonly name: string
  /** Strong and quoted. */
  readonly etag: string
  readonly bytes: number
  /** Milliseconds. */
  readonly changedAt: number
}

interface BookCard extends BookEntry {
  readonly text: Uint8Array
}

/** Conditions of a write (RFC 9110 section 13.1). */
export interface WriteConditions {
  readonly ifMatch?: string | undefined
  readonly ifNoneMatch?: string | undefined
}

/** Preconditions of CardDAV and WebDAV that a write does not meet, by the names of their elements. */
export type WriteProblem =
  | { readonly code: 'precondition_failed' | 'not_found' | 'paused' | 'read_only' }
  | { readonly code: 'valid_address_data' | 'supported_address_data'; readonly reason: string }
  /** The name of the card that has this UID. */
  | { readonly code: 'no_uid_conflict'; readonly name: string }

export type WriteResult =
  | {
      readonly isNew: boolean
      /** Absent if the stored bytes are not those that came. */ readonly etag?: string | undefined
    }
  | { readonly problem: WriteProblem }

export type VcardVersion = '3.0' | '4.0'

/** The changes of a book after a version, in the order in which they were made. */
export interface BookChanges {
  readonly changed: readonly BookEntry[]
  readonly removed: readonly string[]
  /** The version that these changes lead to. */
  readonly version: number
  /** Whether there are more. */
  readonly isTruncated: boolean
}

export interface AddressBook {
  /** What sync tokens depend on besides the version, such as a filter. */
  readonly scope: string
  readonly isReadOnly: boolean
  /** The present version, and the oldest from which changes are known. Brings the book up to date first. */
  readState(): Promise<{
    readonly version: number
    readonly floor: number
    readonly meCard: string | null
  }>
  setMeCard(href: string | null): Promise<void>
  /** All cards, or those with these names. */
  list(names?: readonly string[]): Promise<readonly BookEntry[]>
  /** Reads cards with their bytes in this version. Leaves out names without a card. */
  read(names: readonly string[], version: VcardVersion): Promise<readonly BookCard[]>
  changesSince(version: number, limit: number): Promise<BookChanges>
  put(name: string, bytes: Uint8Array, conditions: WriteConditions): Promise<WriteResult>
  remove(name: string, conditions: WriteConditions): Promise<WriteResult>
}
