/** The admin page of one member. */

import { t } from '../../languages/message.ts'
import { formKeyField, textField } from '../../html/form.ts'
import { NOTHING, attributes, html, type Html } from '../../html/html.ts'
import { confirmButton } from '../../ui/confirm-button.ts'
import { adminPage } from './admin-layout.ts'
import { MAX_REASON_LENGTH } from '../../credits/adjustment.ts'
import { isProtected } from './member-view.ts'
import { numberText } from '../../ui/numbers.ts'
import { utcDay } from '../../ui/time.ts'
import { adminMemberPath } from '../../html/site-map.ts'
import { badges, adminPrivacyNote, seenText } from './members.page.ts'
import { copyable, fact, panel } from '../../ui/sections.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { AdminAction } from '../../tools/activity-action.ts'
import type { MemberListEntry } from './member-list.ts'
import type { MemberView } from './member-view.ts'

export function memberPageBody(view: MemberView): Answer {
  const { browser, member, notice = NOTHING, resetLink, invalid } = view
  const actions = isProtected(view)
    ? protectedNote(browser, member)
    : html`${passwordSection(view)} ${roleSection(view)} ${accessSection(view)}
        ${deleteMemberPanel(view)}
        <p class="quiet">Your actions appear in the member's activity log, with your name.</p>`
  return adminPage({
    browser,
    title: member.name,
    heading: html`<bdi>${member.name}</bdi> ${badges(member)}`,
    tab: 'Members',
    notice,
    status: invalid ? 422 : 200,
    body: html`${resetLink === undefined ? '' : madeLink(member, resetLink)} ${facts(view)}
      ${creditsPanel(view)} ${actions}
      <p class="quiet">${adminPrivacyNote()}</p>`,
  })
}

function facts({ member, times }: MemberView): Html {
  const { email, joinedAt, disabledAt } = member
  return html`<section class="panel" aria-label="Account">
    <dl class="facts across">
      ${fact(t('Username'), nameText(member))}
      ${email === null ? '' : fact(t('Email'), html`<bdi>${email}</bdi>`)}
      ${fact(t('Joined'), times.day(joinedAt))} ${fact(t('Last active'), seenText(member, times))}
      ${disabledAt === null ? '' : fact(t('Disabled'), times.day(disabledAt))}
    </dl>
  </section>`
}

/** Links to the profile if it is public. */
function nameText({ username, isPublic }: MemberListEntry): Html {
  return isPublic ? html`<a href="/human/${username}">@${username}</a>` : html`@${username}`
}

function madeLink({ name }: MemberListEntry, address: string): Html {
  const body = html`<p class="notice warning" role="status">
      Copy the link now; you won't see it again. It works once and expires in 24 hours. Anyone with
      the link can sign in as this member, so share it only with them.
    </p>
    ${copyable(address, t('the link'))}`
  return panel('made', html`Password reset link for <bdi>${name}</bdi>`, body)
}

function protectedNote({ member: admin }: SignedInRequest, member: MemberListEntry): Html {
  const text =
    member.memberId === admin.memberId
      ? t('This is your own account. Only another admin can change your role or access.')
      : t(
          'This is the demo account for the sandbox. It cannot be changed, and no one can sign in with it.',
        )
  return html`<section class="panel" aria-label="Actions"><p>${text}</p></section>`
}

function passwordSection({ member, oidc }: MemberView): Html {
  const body = oidc
    ? html`<p>People sign in at <bdi>${oidc.issuer}</bdi>, so members have no passwords here.</p>`
    : html`<p>
          Create a one-time link so they can choose a new password. It expires in 24 hours. Using it
          signs them out everywhere else. Send it over a channel you trust.
        </p>
        ${plainForm({ member, action: 'reset_link', label: t('Create link') })}`
  return panel('password', t('Password'), body)
}

function roleSection({ member }: MemberView): Html {
  const isAdmin = member.role === 'admin'
  const button = isAdmin
    ? question(
        { member, action: 'demote', verb: t('Demote') },
        t('They keep all their data but lose access to the admin pages.'),
      )
    : question(
        { member, action: 'promote', verb: t('Promote') },
        t(
          'Admins can invite people, change credits and roles, disable and delete members, and create password reset links.',
        ),
      )
  return actionPanelOf('role', t('Role'), isAdmin ? t('Role: Admin') : t('Role: Member'), button)
}

function actionPanelOf(id: string, title: string, text: string, button: Html): Html {
  const body = html`<div class="with-act">
    <p>${text}</p>
    <div>${button}</div>
  </div>`
  return panel(id, title, body)
}

function accessSection({ member }: MemberView): Html {
  const isDisabled = member.disabledAt !== null
  const button = isDisabled
    ? plainForm({ member, action: 'enable', label: t('Enable') })
    : question(
        { member, action: 'disable', verb: t('Disable') },
        t(
          'They are signed out everywhere, their tokens and agents stop working, and their profile is hidden from the directory. No data is deleted.',
        ),
      )
  const text = isDisabled
    ? t('Status: Disabled. Their data is kept. Enable the account to let them sign in again.')
    : t('Status: Active')
  return actionPanelOf('access', t('Access'), text, button)
}

interface ActionButton {
  readonly member: MemberListEntry
  readonly action: AdminAction
}

function question({ member, action, verb }: ActionButton & { verb: string }, text: string) {
  return confirmButton({
    verb,
    name: member.name,
    text,
    action: adminMemberPath(member.username),
    field: 'admin_action',
    id: action,
    fields: reasonField(`${action}_reason`),
  })
}

function plainForm({ member, action, label }: ActionButton & { label: string }): Html {
  return html`<form method="post" action="${adminMemberPath(member.username)}">
    ${formKeyField()}
    <div class="actions">
      <button class="plain" name="admin_action" value="${action}">
        <span>${label}<span class="unseen"> for ${member.name}</span></span>
      </button>
    </div>
  </form>`
}

/** The balance of the month, without what it was spent on. */
function creditsPanel(view: MemberView): Html {
  const { quota, remaining, resetsAt } = view.balance
  const isOpen = 'credits' in (view.invalid?.typed ?? {})
  const body = html`<dl class="facts across">
      ${fact(t('Remaining'), numberText(remaining))}
      ${fact(t('Monthly allowance'), numberText(quota))} ${fact(t('Resets'), utcDay(resetsAt))}
    </dl>
    <details ${attributes({ open: isOpen })}>
      <summary class="button plain">Add or remove credits</summary>
      ${creditsForm(view)}
    </details>`
  return panel('credits-heading', t('Credits'), body)
}

function creditsForm(view: MemberView): Html {
  return html`<form method="post" action="${adminMemberPath(view.member.username)}">
    ${formKeyField()}
    ${textField({
      ...stateOf(view, 'credits'),
      label: t('Credits'),
      hint: t('Such as 500, or -500 to remove them. Unused credits expire at the reset.'),
      autocomplete: 'off',
      required: true,
      maxLength: 11,
    })}
    ${textField({
      ...stateOf(view, 'credits_reason'),
      label: t('Reason'),
      hint: t("Shown in the member's ledger and in the audit log."),
      autocomplete: 'off',
      required: true,
      maxLength: MAX_REASON_LENGTH,
    })}
    <div class="actions">
      <button name="admin_action" value="adjust_credits">Change credits</button>
    </div>
  </form>`
}

/** The form is collapsed and requires the username, to prevent accidents. */
function deleteMemberPanel(view: MemberView): Html {
  const { member, invalid } = view
  const { username } = member
  const isOpen = 'delete_username' in (invalid?.typed ?? {})
  const body = html`<p>
      This permanently deletes their profile, their network and all related data. Their agents and
      tokens stop working, and their username becomes available to others. This cannot be undone.
    </p>
    <details ${attributes({ open: isOpen })}>
      <summary class="button plain danger">Delete this account</summary>
      <form method="post" action="${adminMemberPath(username)}">
        ${formKeyField()}
        ${textField({
          ...stateOf(view, 'delete_username'),
          label: t('Type {username} to confirm', { username }),
          autocomplete: 'off',
          spellcheck: false,
          required: true,
        })}
        ${reasonField('delete_reason', view)}
        <div class="actions">
          <button class="danger" name="admin_action" value="delete">Delete everything</button>
        </div>
      </form>
    </details>`
  return panel('delete', t('Delete account'), body)
}

/** `name` is unique on the page. */
function reasonField(name: string, view?: MemberView): Html {
  return textField({
    ...(view ? stateOf(view, name) : { name }),
    label: t('Reason (optional)'),
    hint: t('For the audit log.'),
    autocomplete: 'off',
    maxLength: MAX_REASON_LENGTH,
  })
}

function stateOf({ invalid }: MemberView, name: string) {
  return { name, value: invalid?.typed[name] ?? '', error: invalid?.errors[name] }
}
