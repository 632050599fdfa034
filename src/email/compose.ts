/** The text of every email, as plain text and as HTML. All emails have one layout: paragraphs, facts and a link. */

import { phrase, t } from '../languages/message.ts'
import { html, type Html } from '../html/html.ts'
import { currentLanguage, perLanguage } from '../languages/language.ts'
import { deliveryErrorText } from '../deliveries/outgoing-request.ts'
import { NOTIFICATIONS_PATH } from '../html/site-map.ts'

/** The content of an email, independent of its format. */
interface Content {
  readonly subject: string
  readonly paragraphs: readonly string[]
  /** Label and value. */
  readonly facts?: readonly (readonly [label: string, value: string])[]
  readonly sections?: readonly EmailSection[]
  readonly link?: { readonly label: string; readonly url: string }
  /** After the link. */
  readonly closing: readonly string[]
  /** A quiet link at the end. */
  readonly footer?: { readonly label: string; readonly url: string }
}

/** A list of things under a heading. */
export interface EmailSection {
  readonly title: string
  readonly items: readonly EmailItem[]
}

export interface EmailItem {
  readonly text: string
  /** Quieter, after the text: a reason or a date. */
  readonly detail?: string
  readonly url: string
}

export interface ComposedEmail {
  readonly subject: string
  readonly text: string
  readonly html: string
}

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
    details[name] === undefined ? [] : [[t(label), String(details[name])]],
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

const CHANGE_PASSWORD =
  'change your password at once, and choose to disconnect agents and revoke tokens.'

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
    advice: 'reset your password at once, or ask your administrator for help.',
  },
  password_reset: {
    title: phrase('Password reset'),
    sentence: phrase('The password of your account was reset. All browsers were signed out.'),
    advice: 'reset your password at once, or ask your administrator for help.',
  },
  passkey_added: {
    title: phrase('Passkey added'),
    sentence: phrase('A passkey was added to your account. It can be used to sign in.'),
    advice: phrase('remove it on your account page and change your password.'),
  },
  token_created: {
    title: phrase('API token created'),
    sentence: phrase('An API token was created. It can read and change your network.'),
    advice: 'revoke it under Agents & tokens and change your password.',
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
    advice: 'disconnect it under Agents & tokens and change your password.',
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
  name: 'Name',
  redirect_host: phrase('Website'),
  browser: phrase('Browser'),
  method: 'Signed in with',
  issuer: phrase('Identity provider'),
} as const

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

/** Writes an email in both formats. */
export function compose(content: Content): ComposedEmail {
  return { subject: content.subject, text: textOf(content), html: htmlOf(content) }
}

function textOf({ paragraphs, facts = [], sections = [], link, closing, footer }: Content): string {
  const blocks = [
    ...paragraphs,
    ...(facts.length > 0 ? [facts.map(([label, value]) => `${label}: ${value}`).join('\n')] : []),
    ...sections.map(({ title, items }) => [`${title}:`, ...items.map(itemText)].join('\n')),
    ...(link ? [`${link.label}:\n${link.url}`] : []),
    ...closing,
    ...(footer ? [`${footer.label}:\n${footer.url}`] : []),
  ]
  return `${blocks.join('\n\n')}\n`
}

function itemText({ text, detail, url }: EmailItem): string {
  return `- ${text}${detail === undefined ? '' : ` (${detail})`}\n  ${url}`
}

function sectionHtml({ title, items }: EmailSection): Html {
  const rows = items.map(
    ({ text, detail, url }) =>
      html`<li style="margin: 6px 0">
        <a href="${url}" style="color: #1f5fbf; text-decoration: none"><bdi>${text}</bdi></a>
        ${detail === undefined ? '' : html`<span style="color: #666"> · ${detail}</span>`}
      </li>`,
  )
  return html`<h2 style="font-size: 15px; margin: 22px 0 4px">${title}</h2>
    <ul style="margin: 0; padding-left: 20px">
      ${rows}
    </ul>`
}

/** Inline styles, because many email clients drop style sheets. */
function htmlOf({
  subject,
  paragraphs,
  facts = [],
  sections = [],
  link,
  closing,
  footer,
}: Content): string {
  const paragraph = (text: string) => html`<p>${text}</p>`
  const rows = facts.map(
    ([label, value]) =>
      html`<tr>
        <th scope="row" style="padding: 2px 16px 2px 0; text-align: left">${label}</th>
        <td><bdi>${value}</bdi></td>
      </tr>`,
  )
  const body = html`${paragraphs.map(paragraph)}
  ${
    rows.length === 0
      ? ''
      : html`<table role="presentation">
          ${rows}
        </table>`
  }
  ${sections.map(sectionHtml)} ${link ? html`<p><a href="${link.url}">${link.label}</a></p>` : ''}
  ${closing.map(paragraph)}
  ${footer ? html`<p style="font-size: 13px"><a href="${footer.url}">${footer.label}</a></p>` : ''}`
  return html`<!doctype html>
    <html lang="${currentLanguage()}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${subject}</title>
      </head>
      <body style="font-family: sans-serif; line-height: 1.5; max-width: 36em">
        ${body}
      </body>
    </html>`.toString()
}
