/** The tour: a browser that reads the pages of the demo account, without a session in it. */

import { newSecret, isWellFormedSecret } from '../base/secrets.ts'
import { statement } from '../db/statement.ts'
import { cookiesFor } from './cookies.ts'
import type { Reader } from '../db/database.ts'
import type { SignedIn } from '../http/browser-request.ts'

export const DEMO_USERNAME = 'demo'

const TOUR_PREFIX = 'weft_tour_'

/** The `Set-Cookie` value that begins a tour. Its random value gives the browser form tokens of its own. */
export function tourCookie(publicUrl: string): string {
  return cookiesFor(publicUrl).write('weft_tour', newSecret(TOUR_PREFIX))
}

/** The `Set-Cookie` value that ends a tour. */
export function endedTourCookie(publicUrl: string): string {
  return cookiesFor(publicUrl).clear('weft_tour')
}

/** The value of a tour's cookie; undefined if the browser is not on a tour. */
export function readTour(publicUrl: string, header: string | undefined): string | undefined {
  const value = cookiesFor(publicUrl).read(header, 'weft_tour')
  return value !== undefined && isWellFormedSecret(TOUR_PREFIX, value) ? value : undefined
}

/** The demo account as the member of a tour; undefined if it does not exist. */
export async function findTourMember(reader: Reader): Promise<SignedIn | undefined> {
  const demo = await reader.get(BY_USERNAME, { username: DEMO_USERNAME })
  if (!demo) return undefined
  const { member_id: memberId, name, photo } = demo
  const session = { sessionId: '', signedInAt: 0 }
  return {
    memberId,
    username: DEMO_USERNAME,
    name,
    photo,
    role: 'member',
    ...session,
    isTour: true,
  }
}

/** By the index of usernames. */
const BY_USERNAME = statement<
  { username: string },
  { member_id: number; name: string; photo: string | null }
>('select member_id, name, photo from members where username = :username and disabled_at is null')
