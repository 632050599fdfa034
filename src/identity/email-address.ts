/** Derives facts about an email address: its mailbox, and whether one person reads it. */

import { wordLinesOf } from '../base/data-file.ts'
import { lazy } from '../base/lazy.ts'
import { fold } from './scripts/transliterate.ts'

/** A mailbox of one person, a mailbox shared by a team or family, or a send-only mailbox. */
type MailboxKind = 'personal' | 'role' | 'family'

const GMAIL = new Set(['gmail.com', 'googlemail.com'])

/**
 * The mailbox that an address is delivered to: lower-case, without a plus tag, and for Gmail without dots. Two addresses
 * with the same mailbox have the same owner.
 */
export function mailboxOf(email: string): string {
  const lower = email.trim().toLowerCase()
  const at = lower.lastIndexOf('@')
  if (at <= 0) return lower
  const [local, domain] = [lower.slice(0, at), lower.slice(at + 1)]
  const tag = local.indexOf('+', 1)
  if (tag < 0 && !GMAIL.has(domain)) return lower
  const plain = tag < 0 ? local : local.slice(0, tag)
  if (GMAIL.has(domain)) return `${plain.replaceAll('.', '')}@gmail.com`
  return `${plain}@${domain}`
}

/** In lower case. */
export function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

/** The letters and digits before the `@`, in parts: `anna.schmidt+crm@x.org` has `anna` and `schmidt`. */
export function mailboxWords(email: string): readonly string[] {
  const mailbox = mailboxOf(email)
  return fold(mailbox.slice(0, mailbox.lastIndexOf('@'))).match(/\p{L}+/gu) ?? []
}

/** Whether the address belongs to a public provider instead of a company. */
export function isFreemail(email: string): boolean {
  return mailboxes().freeProviders.has(domainOf(email))
}

/** Determined only by the words before the `@`. */
export function mailboxKindOf(email: string): MailboxKind {
  const words = mailboxWords(email)
  const { roles, strongRoles } = mailboxes()
  if (words.length > 0 && words.every((word) => roles.has(word))) return 'role'
  const [first = '', ...others] = words
  // sales.berlin@, info-de@, office2@: a role followed by a location or number.
  if (strongRoles.has(first) && others.length > 0) return 'role'
  return isFamily(words) ? 'family' : 'personal'
}

/** family.smith@, thesmiths@, familie-meyer@, smith.family@ */
function isFamily(words: readonly string[]): boolean {
  return (
    words.some(
      (word) => mailboxes().family.has(word) || /^.{3,}family$|^family.{3,}$/.test(word),
    ) ||
    (words.length === 1 && /^the.{3,}s$/.test(words[0] ?? ''))
  )
}

const mailboxes = lazy(() => {
  const linesOf = wordLinesOf(new URL('data/mailboxes.txt', import.meta.url))
  const wordsOf = (section: string) => new Set(linesOf(section).flat())
  return {
    roles: wordsOf('role'),
    strongRoles: wordsOf('strong role'),
    family: wordsOf('family'),
    freeProviders: wordsOf('free provider'),
  }
})
