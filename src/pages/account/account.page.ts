/** The page "Account": email, password, passkeys, sessions, data export and deletion. */

import { t } from '../../languages/message.ts'
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from '../../access/passwords/password-policy.ts'
import {
  ACCOUNT_EMAIL_PATH,
  CUSTOM_FIELDS_PATH,
  SEND_VERIFICATION_PATH,
  END_OTHERS_PATH,
  ACCOUNT_PASSWORD_PATH,
  ACCOUNT_DELETE_PATH,
  END_SESSION_PATH,
  KEYS_PATH,
  LANGUAGE_PATH,
  SIGN_OUT_PATH,
} from '../../html/site-map.ts'
import { passkeysSection } from './passkey-section.ts'
import { findLatestExport } from '../../exports/export-store.ts'
import {
  formKeyField,
  loginField,
  formError,
  hiddenField,
  selectField,
  textField,
} from '../../html/form.ts'
import { listSessions, type BrowserSession } from '../../access/browser-session.ts'
import { LANGUAGES } from '../../languages/language.ts'
import { attributes, html, type Html, NOTHING } from '../../html/html.ts'
import { timesOf, type Times } from '../../ui/time.ts'
import { confirmByPasskey, confirmFields, currentPassword, FORMS } from './confirm-form.ts'
import { requireMember } from '../../members/member.ts'
import { EXPORT_KIND } from '../../exports/export-data.job.ts'
import { exportSection } from './export-section.ts'
import { areKeysOff } from '../../access/cookies.ts'
import { browserName } from '../../access/browser-name.ts'
import { isEmailVerified } from '../../members/verified-email.ts'
import { HOUR } from '../../base/clock.ts'
import { actionPanel, buttonLink, disclosure, panel, itemList } from '../../ui/sections.ts'
import { listPasskeys } from '../../access/passkey.ts'
import { memberPage } from '../../html/member-layout.ts'
import { shortcutsSection } from '../../html/shortcuts.ts'
import { listJobs } from '../../jobs/start-job.ts'
import { countAccess, accessChoice } from '../../sign-in/session/access-choice.ts'
import { isTerminal } from '../../jobs/job-record.ts'
import type { AccountPageState, AccountDeps, AccountPage } from './account-view.ts'
import type { Member } from '../../members/member-row.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { Answer } from '../../http/response.ts'

export async function showAccount(
  { database, publicUrl, sendsEmail, passwords }: AccountDeps,
  { browser, db, now, header }: Pick<PageRequest, 'browser' | 'db' | 'now' | 'header'>,
  state: AccountPageState = {},
): Promise<Answer> {
  const { memberId } = browser.member
  const [member, isVerified, passkeys, sessions, jobs, latestExport, access] = await Promise.all([
    requireMember(database, memberId),
    isEmailVerified(database, memberId),
    listPasskeys(db),
    listSessions(db, now),
    listJobs(db, { kind: EXPORT_KIND, limit: 1 }),
    findLatestExport(db, now),
    countAccess(db, now),
  ])
  return accountPage({
    browser,
    times: timesOf(browser, now),
    hasKeys: !areKeysOff(header('cookie')),
    member,
    emailState: isVerified ? 'verified' : sendsEmail ? 'unverified' : 'unknown',
    passkeys,
    sessions,
    latestExport,
    runningExport: jobs.find(({ state: jobState }) => !isTerminal(jobState)),
    access,
    publicUrl,
    hasPassword: passwords !== undefined,
    ...state,
  })
}

/** Shows the error at the top of the page, because the submitted form is no longer on it. */
export function showAccountError(
  deps: AccountDeps,
  request: Pick<PageRequest, 'browser' | 'db' | 'now' | 'header'>,
  sentence: string,
): Promise<Answer> {
  return showAccount(deps, request, { notice: formError(sentence), invalid: { errors: {} } })
}

function accountPage(page: AccountPage): Answer {
  const { browser, member, hasPassword, notice = NOTHING, invalid } = page
  return memberPage({
    title: t('Account'),
    browser,
    current: 'account',
    status: invalid ? 422 : 200,
    body: html`${notice}
    ${group(
      'signing-in',
      t('Sign-in'),
      html`${
        hasPassword
          ? html`${emailPanel(page)} ${passwordPanel(page)} ${passkeysSection(page)}`
          : emailShown(member)
      }
      ${sessionsPanel(page)}`,
    )}
    ${group(
      'pages',
      t('Pages'),
      html`<section class="panel" aria-label="${t('Language and colors')}">
          ${languageForm(page)} ${colorsForm(page)}
        </section>
        ${keysPanel(page)} ${customFieldsPanel()}`,
    )}
    ${group('data', t('Your data'), html`${exportSection(page)} ${deletePanel(page)}`)}`,
  })
}

function group(id: string, title: string, settings: Html): Html {
  return html`<div class="setting-group" role="group" aria-labelledby="${id}">
    <p id="${id}">${title}</p>
    ${settings}
  </div>`
}

function languageForm({ browser: { member } }: AccountPage): Html {
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }))
  return html`<form method="post" action="${LANGUAGE_PATH}" id="language-heading" data-save>
    ${selectField({
      name: 'language',
      label: t('Language of pages and emails'),
      value: member.language ?? '',
      options: [{ value: '', label: t('Language of the browser') }, ...languages],
    })}
    <button class="plain unscripted">Change language</button>
  </form>`
}

function colorsForm({ browser: { theme } }: AccountPage): Html {
  return html`<form method="post" action="${KEYS_PATH}" id="appearance" data-save>
    ${selectField({
      name: 'theme',
      label: t('Colors in this browser'),
      value: theme ?? '',
      options: [
        { value: '', label: t('As in the system') },
        { value: 'light', label: t('Light') },
        { value: 'dark', label: t('Dark') },
      ],
    })}
    <button class="plain unscripted">Change colors</button>
  </form>`
}

/** WCAG 2.1.4: shortcuts of one character can be turned off. */
function keysPanel({ hasKeys }: AccountPage): Html {
  const text = hasKeys
    ? t('Single keys such as / and j work on lists and on the page of a person.')
    : t('Single keys are off in this browser.')
  const label = hasKeys ? t('Turn off single keys') : t('Turn on single keys')
  const button = html`<form method="post" action="${KEYS_PATH}">
    <button class="plain" name="keys" value="${hasKeys ? 'off' : 'on'}">${label}</button>
  </form>`
  const link = html`${text} <a href="#keys">All shortcuts</a>`
  return html`${actionPanel('keys-heading', t('Keyboard shortcuts'), link, button)}
  ${shortcutsSection()}`
}

function customFieldsPanel(): Html {
  const text = t(
    'What you want to know about people beside the usual: diet, children, how you met.',
  )
  const button = buttonLink(CUSTOM_FIELDS_PATH, t('Edit custom fields'))
  return actionPanel('fields-heading', t('Custom fields'), text, button)
}

function emailPanel(page: AccountPage): Html {
  const { member, invalid } = page
  const { errors = {}, typed } = invalid ?? {}
  const form = html`<form method="post" action="${ACCOUNT_EMAIL_PATH}">
    ${textField({
      name: 'email',
      label: t('Email address'),
      type: 'email',
      value: typed?.['email'] ?? member.email ?? '',
      error: errors['email'],
      hint: t('Used to sign in. Only you and your administrator can see it.'),
      autocomplete: 'email',
    })}
    ${currentPassword('email_password', errors['email_password'])}
    <div class="actions"><button>Change email</button></div>
  </form>`
  const isOpen = ['email', 'email_password'].some((name) => errors[name] !== undefined)
  const shown =
    member.email === null ? NOTHING : html`<p class="quiet"><bdi>${member.email}</bdi></p>`
  const body = html`${shown} ${verification(page)}
  ${disclosure(t('Change email'), form, { isOpen, group: FORMS })}`
  return panel('email-heading', t('Email'), body)
}

/** Whether the email is confirmed, and the button that sends a link to confirm it. */
function verification({ member, emailState }: AccountPage): Html {
  if (member.email === null || emailState === 'unknown') return NOTHING
  if (emailState === 'verified')
    return html`<p><span class="badge success">confirmed</span> You get security notices here.</p>`
  return html`<div class="notice warning with-act">
    <p><bdi>${member.email}</bdi> is not confirmed. Confirm it to get security notices.</p>
    <form method="post" action="${SEND_VERIFICATION_PATH}">
      <button class="plain">Send confirmation email</button>
    </form>
  </div>`
}

function passwordPanel({ member, access, invalid }: AccountPage): Html {
  const { errors = {} } = invalid ?? {}
  const form = html`<form method="post" action="${ACCOUNT_PASSWORD_PATH}">
    ${formKeyField()} ${loginField(member.email ?? member.username)}
    ${currentPassword('current_password', errors['current_password'])}
    ${textField({
      name: 'new_password',
      label: t('New password'),
      type: 'password',
      error: errors['new_password'],
      hint: t(
        'At least {minPasswordLength} characters. Changing it signs you out of other browsers.',
        { minPasswordLength: MIN_PASSWORD_LENGTH },
      ),
      autocomplete: 'new-password',
      required: true,
      maxLength: MAX_PASSWORD_LENGTH,
    })}
    ${accessChoice(access, false)}
    <div class="actions"><button>Change password</button></div>
  </form>`
  const isOpen = ['current_password', 'new_password'].some((name) => errors[name] !== undefined)
  const body = disclosure(t('Change password'), form, { isOpen, group: FORMS })
  return panel('password-heading', t('Password'), body)
}

/** Shown when people sign in with an identity provider. The provider's email identifies the account, so it cannot be
 * changed here. */
function emailShown({ email }: Member): Html {
  const body = html`${email === null ? html`<p>No email on file.</p>` : html`<p><bdi>${email}</bdi></p>`}
    <p class="quiet">
      You sign in with your organization's account, which also manages your password.
    </p>`
  return panel('email-heading', t('Email'), body)
}

/** The browsers where the member is signed in, with buttons to sign them out. */
function sessionsPanel({ sessions, browser: { member }, times }: AccountPage): Html {
  const items = sessions.map((session) => {
    const isThis = session.sessionId === member.sessionId
    const name = browserName(session.userAgent)
    const badge = isThis ? html`<span class="badge success">this browser</span>` : NOTHING
    const seen = isThis ? NOTHING : html`· ${seenText(session, times)}`
    return html`<li>
      <div>
        <h3>${name} ${badge}</h3>
        <small>Signed in ${times.day(session.createdAt)} ${seen}</small>
      </div>
      ${signOutForm(session, name, isThis)}
    </li>`
  })
  const endOthers = html`<form method="post" action="${END_OTHERS_PATH}">
    <div class="actions"><button class="plain">Sign out everywhere else</button></div>
  </form>`
  const body = html`${itemList(items)} ${sessions.length > 1 ? endOthers : ''}`
  return panel('sessions', t('Where you are signed in'), body)
}

function signOutForm({ sessionId }: BrowserSession, name: string, isThis: boolean): Html {
  if (isThis)
    return html`<form method="post" action="${SIGN_OUT_PATH}">
      <button class="plain">Sign out</button>
    </form>`
  return html`<form method="post" action="${END_SESSION_PATH}">
    ${hiddenField('session_id', sessionId)}
    <button class="plain">
      <span>Sign out<span class="unseen"> ${name}</span></span>
    </button>
  </form>`
}

/** The last-seen time is updated at most once an hour. */
function seenText({ lastSeenAt }: BrowserSession, times: Times): Html {
  return times.now - lastSeenAt < HOUR
    ? html`active within the last hour`
    : html`last active ${times.ago(lastSeenAt)}`
}

/** The form is collapsed and requires the username, to prevent accidents. */
function deletePanel(page: AccountPage): Html {
  const { member, invalid, confirmed } = page
  const { errors = {}, typed = {} } = invalid ?? {}
  const isSent =
    'delete_username' in typed ||
    'delete_password' in errors ||
    confirmed?.action === 'delete_account'
  const body = html`<p class="quiet">
      This permanently deletes your profile, your network and all related data. Agents and tokens
      stop working, and your username becomes available to others. This cannot be undone.
      <a href="#export">Export everything</a> first.
    </p>
    <details ${attributes({ class: 'rare', name: FORMS, open: isSent })}>
      <summary class="button plain danger">Delete my account</summary>
      <form method="post" action="${ACCOUNT_DELETE_PATH}">
        ${formKeyField()}
        ${textField({
          name: 'delete_username',
          label: t('Type {username} to confirm', { username: member.username }),
          value: typed['delete_username'] ?? '',
          error: errors['delete_username'],
          autocomplete: 'off',
          spellcheck: false,
          required: true,
        })}
        ${confirmFields(page, 'delete_account')}
        <div class="actions"><button class="danger">Delete everything</button></div>
      </form>
      ${confirmByPasskey(page, 'delete_account')}
    </details>`
  return panel('delete', t('Delete account'), body)
}
