/** A number on the command line. */

import { InvalidArgumentError } from 'commander'

/**
 * Parses a whole number from 1 to `max`. Commander reports the error with the option.
 *
 * @throws {InvalidArgumentError} when the text is not such a number.
 */
export function wholeNumberUpTo(max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^[1-9]\d*$/.test(text) || value > max)
      throw new InvalidArgumentError('Use a whole number, 1 or more.')
    return value
  }
}
