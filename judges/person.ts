/** The member who approves the judges' clients: signs in with a password and allows access, like a browser. */

import { setTimeout } from 'node:timers/promises'
import { MIN_CONSENT_AGE_MS } from '../src/oauth/consent/consent-timestamp.ts'
import { readFor } from '../test/support/oauth.ts'
import { givePassword, PASSWORD } from '../test/support/password.ts'
import { openVisitor, type Visitor } from '../test/support/visitor.ts'
import type { TestService } from '../test/support/service.ts'

export interface Person {
  /** The authorization URLs in a program's output. */
  addressesIn(said: string): Iterable<string>
  /** Opens an authorization URL in a new browser, signs in, allows access, and follows the redirect to the client. */
  allow(address: string): Promise<void>
}

export async function addPerson(service: TestService): Promise<Person> {
  const { url } = service
  const member = await service.addMember()
  await givePassword(service, member)
  const address = new RegExp(`${RegExp.escape(url)}/oauth/authorize\\?\\S+(?=\\s)`, 'g')
  return {
    addressesIn: (said) => said.match(address) ?? [],
    async allow(asked) {
      const browser = openVisitor(url)
      const signIn = await browser.follow(await browser.get(asked))
      const page = await browser.follow(
        await browser.submit(signIn, { login: member.username, password: PASSWORD }),
      )
      const { location } = await browser.submit(page, readFor(page, MIN_CONSENT_AGE_MS), 'allow')
      if (location === undefined) throw new Error('the consent page did not redirect')
      await arrive(browser, location)
    },
  }
}

/** The number of attempts, and the milliseconds between them. */
const TRIES = 100
const PAUSE = 50

/** Retries, because some programs print the URL before they listen for the redirect. */
async function arrive(browser: Visitor, location: string): Promise<void> {
  for (let tried = 1; ; tried += 1)
    try {
      await browser.follow(await browser.get(location))
      return
    } catch (error) {
      if (tried === TRIES) throw error
      await setTimeout(PAUSE)
    }
}
