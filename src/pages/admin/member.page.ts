/** The page of one member, as admins see them. */

import { formTokenField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { confirmButton } from '../ui/confirm-button.ts'
import { copyable } from '../ui/copyable.ts'
import { adminPage } from './admin-layout.ts'
import { isProtected } from './admin-actions.ts'
import { fact } from './fact.ts'
import { adminMemberPath } from '../../html/site-map.ts'
import { badges, ADMIN_PRIVACY_NOTE, seenText } from './members.page.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { OidcSettings } from '../../sign-in/provider/provider.ts'
import type { Times } from '../ui/time.ts'
import type { AdminAction } from './admin-actions.ts'
import type { MemberListEntry } from './member-list.ts'

export interface MemberView {
  readonly browser: SignedInRequest
  readonly times: Times
  readonly oidc: OidcSettings | null
  readonly member: MemberListEntry
  /** A fragment: what was just done. */
  readonly notice?: string
  /** The address that was just made. */
  readonly resetLink?: string
}

export function memberPageBody(shown: MemberView): Answer {
  const { browser, member, notice = '', resetLink } = shown
  const deeds = isProtected(browser.member, member)
    ? untouchable(browser, member)
    : html`!${passwordSection(shown)} !${roleSection(shown)} !${accessSection(shown)}
        <p class="quiet">What you do here stands in the member's own activity, with your name.</p>`
  return adminPage({
    browser,
    title: member.name,
    heading: html`<bdi>${member.name}</bdi> !${badges(member)}`,
    tab: 'Members',
    notice,
    body: html`!${resetLink === undefined ? '' : madeLink(member, resetLink)} !${facts(shown)}
      !${deeds}
      <p class="quiet">!${ADMIN_PRIVACY_NOTE}</p>`,
  })
}

function facts({ member, times }: MemberView): string {
  const { email, joinedAt, disabledAt } = member
  return html`<section class="panel" aria-label="Who this is">
    <dl class="facts across">
      !${fact('Username', nameText(member))}
      !${email === null ? '' : fact('E-mail', html`<bdi>${email}</bdi>`)}
      !${fact('Joined', times.day(joinedAt))}
      !${fact('Last seen in a browser', seenText(member, times))}
      !${disabledAt === null ? '' : fact('Disabled', times.day(disabledAt))}
    </dl>
  </section>`
}

/** Leads to the profile where there is one to read. */
function nameText({ username, isPublic }: MemberListEntry): string {
  return isPublic ? html`<a href="/human/${username}">@${username}</a>` : html`@${username}`
}

function madeLink({ name }: MemberListEntry, address: string): string {
  return html`<section class="panel" aria-labelledby="made">
    <h2 id="made">A link for <bdi>${name}</bdi></h2>
    <p class="notice warning" role="status">
      Copy it now. It is shown this once, works once, and for a day. Whoever has it gets in: hand it
      to nobody else.
    </p>
    !${copyable(address, 'the link')}
  </section>`
}

function untouchable({ member: admin }: SignedInRequest, member: MemberListEntry): string {
  const text =
    member.memberId === admin.memberId
      ? 'This is you. Your role, and whether you may come in, another admin decides.'
      : "The demo account is the service's own: the sandbox shows it, and nobody signs in with it."
  return html`<section class="panel" aria-label="What you can do"><p>${text}</p></section>`
}

function passwordSection({ browser, member, oidc }: MemberView): string {
  const body = oidc
    ? html`<p>
        People sign in at <bdi>${oidc.issuer}</bdi>: nobody has a password here that could be
        forgotten.
      </p>`
    : html`<p>
          Who forgot it chooses a new one by a link. It works once, for a day, and signs them out
          everywhere else. Whoever has it can sign in as them, and that you made it stands in their
          activity: send it a way that you know to be theirs.
        </p>
        !${plainForm({ browser, member, deed: 'reset_link', label: 'Make a link' })}`
  return html`<section class="panel" aria-labelledby="password">
    <h2 id="password">Password</h2>
    !${body}
  </section>`
}

function roleSection({ browser, member }: MemberView): string {
  const isAdmin = member.role === 'admin'
  const button = isAdmin
    ? question(
        { browser, member, deed: 'demote', verb: 'Demote' },
        'They keep everything that is theirs, and see these pages no more.',
      )
    : question(
        { browser, member, deed: 'promote', verb: 'Promote' },
        'Admins invite people, shut members out and let them in again, and make links to choose new passwords.',
      )
  return html`<section class="panel" aria-labelledby="role">
    <h2 id="role">Role</h2>
    <div class="with-act">
      <p>${isAdmin ? 'An admin, who runs this service as you do.' : 'A member like any other.'}</p>
      <div>!${button}</div>
    </div>
  </section>`
}

function accessSection({ browser, member }: MemberView): string {
  const isDisabled = member.disabledAt !== null
  const button = isDisabled
    ? plainForm({ browser, member, deed: 'enable', label: 'Enable' })
    : question(
        { browser, member, deed: 'disable', verb: 'Disable' },
        'They are signed out everywhere, their tokens and agents are refused, and their profile is gone from the directory. Nothing of theirs is lost.',
      )
  return html`<section class="panel" aria-labelledby="access">
    <h2 id="access">Access</h2>
    <div class="with-act">
      <p>
        ${
          isDisabled
            ? 'Shut out. Nothing of theirs is lost; enabled, they can sign in again.'
            : 'They can sign in, and their agents can work.'
        }
      </p>
      <div>!${button}</div>
    </div>
  </section>`
}

interface DeedButton {
  readonly browser: SignedInRequest
  readonly member: MemberListEntry
  readonly deed: AdminAction
}

function question({ browser, member, deed, verb }: DeedButton & { verb: string }, text: string) {
  return confirmButton({
    verb,
    name: member.name,
    text,
    action: adminMemberPath(member.username),
    field: 'deed',
    id: deed,
    formToken: browser.formToken,
  })
}

function plainForm({ browser, member, deed, label }: DeedButton & { label: string }): string {
  return html`<form method="post" action="${adminMemberPath(member.username)}">
    !${formTokenField(browser.formToken)}
    <div class="actions">
      <button class="plain" name="deed" value="${deed}">
        <span>${label}<span class="unseen"> for ${member.name}</span></span>
      </button>
    </div>
  </form>`
}
