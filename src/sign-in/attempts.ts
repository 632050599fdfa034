/** How often a password or a passkey may be tried: by account and address together, and more widely by each of them alone. */

import { DAY, HOUR, MINUTE, SECOND, type Clock } from '../base/clock.ts'
import { fixedWindows, type FixedWindow } from '../guards/fixed-windows.ts'

export interface SignInAttempts {
  /**
   * Counts a try, before it is looked at: tries made at the same moment do not outrun the count. `account` is what was
   * typed, or stands for the passkey that was shown, whether or not there is such an account.
   */
  begin(account: string, address: string): Attempt
}

export type Attempt =
  | {
      readonly allowed: true
      /** The password was right: this try and the wrong ones before it are forgiven. */
      succeed(): void
    }
  | {
      readonly allowed: false
      /** Seconds. */
      readonly retryAfter: number
    }

/** Wrong tries in a row, for one account from one address, before the first wait. */
const FREE_TRIES = 5
/** The waits after it: 1, 2, 4, 8 minutes, and then as long as this. */
const LONGEST_WAIT = 15 * MINUTE
/** For how long wrong tries are remembered. */
const MEMORY = DAY

/** For one account from everywhere, and for all accounts from one address. */
const TRIES_PER_HOUR = 100

/**
 * From where an account signed in this lately, the count of the account alone shuts nobody out: strangers who try its
 * passwords from many addresses do not lock its owner out.
 */
const KNOWN_FOR = 30 * DAY

const MOST_KEYS = 25_000

/** In the memory of this process: each node counts its own, which at worst multiplies the tries by their number. */
export function countSignInAttempts(clock: Clock): SignInAttempts {
  const pairs = fixedWindows(MEMORY, MOST_KEYS)
  const accounts = fixedWindows(HOUR, MOST_KEYS)
  const addresses = fixedWindows(HOUR, MOST_KEYS)
  const known = fixedWindows(KNOWN_FOR, MOST_KEYS)
  return {
    begin(account, address) {
      const now = clock.now()
      const name = account.trim().toLowerCase()
      const pairKey = `${address} ${name}`
      const pair = pairs(pairKey, now)
      const ofAddress = addresses(address, now)
      const ofAccount = accounts(name, now)
      const isKnown = known(pairKey, now).used > 0
      const waits = Math.max(
        waitOfPair(pair, now),
        waitOfHour(ofAddress, now),
        isKnown ? 0 : waitOfHour(ofAccount, now),
      )
      if (waits > 0) return { allowed: false, retryAfter: Math.ceil(waits / SECOND) }
      for (const window of [pair, ofAddress, ofAccount]) window.used += 1
      return {
        allowed: true,
        succeed() {
          pair.used = 0
          ofAddress.used -= 1
          ofAccount.used -= 1
          known(pairKey, now).used = 1
        },
      }
    },
  }
}

/**
 * Each further try falls due later than the one before it, counted from the first wrong one: whoever stayed away for a
 * while has the tries of that while.
 */
function waitOfPair({ used, endsAt }: FixedWindow, now: number): number {
  const began = endsAt - MEMORY
  return Math.min(began + dueAfter(used), endsAt) - now
}

/** When the try after `used` wrong ones is due: milliseconds after the first. */
function dueAfter(used: number): number {
  let due = 0
  for (let further = 0; further <= used - FREE_TRIES; further += 1)
    due += Math.min(MINUTE * 2 ** further, LONGEST_WAIT)
  return due
}

function waitOfHour({ used, endsAt }: FixedWindow, now: number): number {
  return used < TRIES_PER_HOUR ? 0 : endsAt - now
}
