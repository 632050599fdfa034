/**
 * Text as its UTF-8 bytes, one character per byte (Encoding Standard, isomorphic decode). The engine stores such a string
 * in one byte per character, joins it without a copy, and node:http writes it without converting it.
 */

/** A string of UTF-8 bytes. Parts can be joined with each other and with ASCII. */
export type Utf8Bytes = string & { readonly [bytes]: true }

declare const bytes: unique symbol

/** `text` must not contain lone surrogates. */
export function utf8Bytes(text: string): Utf8Bytes {
  // Only ASCII has as many bytes as characters.
  const isAscii = Buffer.byteLength(text) === text.length
  return joinBytes(isAscii ? text : Buffer.from(text).toString('latin1'))
}

/** `joined` consists of byte strings and ASCII. */
export function joinBytes(joined: string): Utf8Bytes {
  return joined as Utf8Bytes
}

/** Content of a response as UTF-8 bytes. A class, so that it is never sent or stored as text by mistake. */
export class Utf8Content {
  readonly bytes: Utf8Bytes

  constructor(content: Utf8Bytes) {
    this.bytes = content
  }

  /** The text. */
  toString(): string {
    return Buffer.from(this.bytes, 'latin1').toString()
  }
}
