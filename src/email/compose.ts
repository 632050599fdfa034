/** What every email says. */

import { problemText } from '../calendar/calendar-error.ts'
import { messageText, phrase, t, type Message } from '../languages/message.ts'
import { perLanguage } from '../languages/language.ts'
import { deliveryErrorText } from '../deliveries/outgoing-request.ts'
import { ADDRESS_BOOKS_PATH, CALENDAR_PATH, NOTIFICATIONS_PATH } from '../html/site-map.ts'
import { compose, type ComposedEmail } from './email-layout.ts'

/** Data that every email needs. */
interface Context {
  readonly publicUrl: string
}

export function invitationEmail(
  { publicUrl }: Context,
  { url, days }: { readonly url: string; readonly days: number },
): ComposedEmail {
  return compose({
    subject: t('You are invited to join Weft at {publicUrl}', { publicUrl: hostOf(publicUrl) }),
    paragraphs: [
      t(
        'An administrator of {publicUrl} invites you to join. Weft keeps your professional network and lets your AI agents work with it.',
        { publicUrl: hostOf(publicUrl) },
      ),
    ],
    link: { label: t('Join'), url },
    closing: [
      t('The link works once, for {days, plural, one {one day} other {# days}}.', { days }),
      t('If you do not know who invited you, ignore this email.'),
    ],
  })
}

export function passwordResetEmail(
  { publicUrl }: Context,
  {
    url,
    username,
    minutes,
  }: { readonly url: string; readonly username: string; readonly minutes: number },
): ComposedEmail {
  return compose({
    subject: t('Reset your password at {publicUrl}', { publicUrl: hostOf(publicUrl) }),
    paragraphs: [
      t('Someone asked to reset the password of your account {username}.', { username }),
    ],
    link: { label: t('Choose a new password'), url },
    closing: [
      t(
        'The link works once, for {minutes} minutes. A new password signs you out of all browsers.',
        { minutes },
      ),
      t('If this was not you, ignore this email. Your password has not changed.'),
    ],
  })
}

export function verificationEmail(
  { publicUrl }: Context,
  {
    url,
    username,
    hours,
  }: { readonly url: string; readonly username: string; readonly hours: number },
): ComposedEmail {
  return compose({
    subject: t('Confirm your email address at {publicUrl}', { publicUrl: hostOf(publicUrl) }),
    paragraphs: [
      t(
        'Confirm that this address belongs to your account {username}. You need to be signed in to that account.',
        { username },
      ),
    ],
    link: { label: t('Confirm email address'), url },
    closing: [
      t('The link works once, for {hours} hours.', { hours }),
      t('If you do not have an account there, ignore this email.'),
    ],
  })
}

/** A webhook that no longer gets messages. */
export function endpointEndedEmail(
  { publicUrl }: Context,
  { name, reason }: { readonly name: string; readonly reason: string },
): ComposedEmail {
  return compose({
    subject: t('Messages to {name} have stopped', { name }),
    paragraphs: [
      t('Weft could not deliver to {name} and has stopped trying.', { name }),
      t('The last error: {reason}', { reason: deliveryErrorText(reason) }),
    ],
    link: { label: t('Open notifications'), url: publicUrl + NOTIFICATIONS_PATH },
    closing: [],
  })
}

/** A calendar or an address book elsewhere that Weft no longer reads. */
interface StoppedReading {
  readonly source: 'calendar' | 'address_book'
  readonly name: string
  /** As it is stored, for `problemText`. */
  readonly error: string
}

export function readingStoppedEmail(
  { publicUrl }: Context,
  { source, name, error }: StoppedReading,
): ComposedEmail {
  const isCalendar = source === 'calendar'
  const reason = messageText(JSON.parse(error) as Message)
  return compose({
    subject: t('Weft no longer reads {name}', { name }),
    paragraphs: [
      isCalendar ? problemText(error) : t('The address book {reason}.', { reason }),
      t('Weft has stopped reading {name} until you fix the problem.', { name }),
    ],
    link: isCalendar
      ? { label: t('Open calendar'), url: publicUrl + CALENDAR_PATH }
      : { label: t('Open address books'), url: publicUrl + ADDRESS_BOOKS_PATH },
    closing: [],
  })
}

interface Notice {
  /** The name of the security event. */
  readonly event: string
  readonly username: string
  /** When it happened, in milliseconds. */
  readonly at: number
  readonly details: Readonly<Record<string, string | number>>
  /** The page where the member can act. */
  readonly reviewUrl: string
}

export function noticeEmail({ publicUrl }: Context, notice: Notice): ComposedEmail {
  const { event, username, at, details, reviewUrl } = notice
  const { title, sentence, advice } = NOTICES[event] ?? OTHER_NOTICE
  const known = Object.entries(FACT_LABELS).flatMap(([name, label]): [string, string][] =>
    details[name] === undefined ? [] : [[t(label), factText(name, details[name])]],
  )
  return compose({
    subject: t('{title} at {publicUrl}', { title: t(title), publicUrl: hostOf(publicUrl) }),
    paragraphs: [t(sentence)],
    facts: [[t('Account'), username], [t('Time'), `${TIME().format(at)} UTC`], ...known],
    link: { label: t('Review your account'), url: reviewUrl },
    closing: [
      t('If this was you, there is nothing to do.'),
      t('If it was not you, {advice}', { advice: t(advice) }),
    ],
  })
}

interface NoticeText {
  readonly title: string
  readonly sentence: string
  /** Follows “If it was not you,”. */
  readonly advice: string
}

const CHANGE_PASSWORD = phrase(
  'change your password at once, and choose to disconnect agents and revoke tokens.',
)
const RESET_PASSWORD = phrase('reset your password at once, or ask your administrator for help.')

const NOTICES: Readonly<Record<string, NoticeText>> = {
  session_started: {
    title: phrase('New sign-in'),
    sentence: phrase('A browser that you have not used before signed in to your account.'),
    advice: phrase('sign it out on your account page and change your password.'),
  },
  password_changed: {
    title: phrase('Password changed'),
    sentence: phrase(
      'The password of your account was changed. All other browsers were signed out.',
    ),
    advice: RESET_PASSWORD,
  },
  password_reset: {
    title: phrase('Password reset'),
    sentence: phrase('The password of your account was reset. All browsers were signed out.'),
    advice: RESET_PASSWORD,
  },
  passkey_added: {
    title: phrase('Passkey added'),
    sentence: phrase('A passkey was added to your account. It can be used to sign in.'),
    advice: phrase('remove it on your account page and change your password.'),
  },
  token_created: {
    title: phrase('API token created'),
    sentence: phrase('An API token was created. It can read and change your network.'),
    advice: phrase('revoke it under Agents & tokens and change your password.'),
  },
  device_created: {
    title: phrase('Device added'),
    sentence: phrase(
      'A password for a device was created. The device can read and change your address book.',
    ),
    advice: phrase('revoke it under Contacts apps and change your password.'),
  },
  device_paused: {
    title: phrase('Device paused'),
    sentence: phrase(
      'A device changed or deleted many people within an hour. Its next changes wait until you confirm them.',
    ),
    advice: phrase('undo its changes under Contacts apps and revoke it.'),
  },
  agent_connected: {
    title: phrase('Agent connected'),
    sentence: phrase('An app was connected to your account. It can read and change your network.'),
    advice: phrase('disconnect it under Agents & tokens and change your password.'),
  },
  identity_linked: {
    title: phrase('Sign-in connected'),
    sentence: phrase(
      'Your account was connected to an account at an identity provider, which can now sign in.',
    ),
    advice: phrase('ask your administrator for help at once.'),
  },
  email_changed: {
    title: phrase('Email address changed'),
    sentence: phrase(
      'The email address of your account was changed. This is the last email to the former address.',
    ),
    advice: phrase('ask your administrator for help at once.'),
  },
}

const OTHER_NOTICE: NoticeText = {
  title: phrase('Account changed'),
  sentence: phrase('Access to your account was changed.'),
  advice: CHANGE_PASSWORD,
}

/** The details that people recognize, in this order. */
const FACT_LABELS = {
  name: phrase('Name'),
  redirect_host: phrase('Website'),
  browser: phrase('Browser'),
  method: phrase('Signed in with'),
  issuer: phrase('Identity provider'),
} as const

/** The way of signing in is a word of ours; the rest is as the member or the other side wrote it. */
function factText(name: string, value: string | number): string {
  return name === 'method' ? t(String(value)) : String(value)
}

const TIME = perLanguage(
  (locale) =>
    new Intl.DateTimeFormat(locale, {
      dateStyle: 'long',
      timeStyle: 'short',
      timeZone: 'UTC',
      hourCycle: 'h23',
    }),
)

/** What `weft email test` sends. */
export function testEmail({ publicUrl }: Context): ComposedEmail {
  return compose({
    subject: t('Test email from Weft at {publicUrl}', { publicUrl: hostOf(publicUrl) }),
    paragraphs: [t('Weft can send email. `weft email test` sent this message.')],
    closing: [],
  })
}

function hostOf(publicUrl: string): string {
  return new URL(publicUrl).host
}
