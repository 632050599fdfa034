/** The panels with forms on the admin page of a member: credits, and deletion. */

import { t } from '../../languages/message.ts'
import { MAX_REASON_LENGTH } from '../../credits/adjustment.ts'
import { formKeyField, formTokenField, textField } from '../../html/form.ts'
import { attributes, html, type Html } from '../../html/html.ts'
import { adminMemberPath } from '../../html/site-map.ts'
import { numberText } from '../ui/numbers.ts'
import { fact, panel } from '../ui/sections.ts'
import { utcDay } from '../ui/time.ts'
import type { MemberView } from './member-view.ts'

/** The balance of the month, without what it was spent on. */
export function creditsPanel(view: MemberView): Html {
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
  return html`<form method="post" action="${adminMemberPath(view.member.username)}/credits">
    ${formTokenField(view.browser.formToken)} ${formKeyField()}
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
    <div class="actions"><button>Change credits</button></div>
  </form>`
}

/** The form is collapsed and requires the username, to prevent accidents. */
export function deleteMemberPanel(view: MemberView): Html {
  const { browser, member, invalid } = view
  const { username } = member
  const isOpen = 'delete_username' in (invalid?.typed ?? {})
  const body = html`<p>
      This permanently deletes their profile, their network and all related data. Their agents and
      tokens stop working, and their username becomes available to others. This cannot be undone.
    </p>
    <details ${attributes({ open: isOpen })}>
      <summary class="button plain danger">Delete this account</summary>
      <form method="post" action="${adminMemberPath(username)}/delete">
        ${formTokenField(browser.formToken)} ${formKeyField()}
        ${textField({
          ...stateOf(view, 'delete_username'),
          label: t('Type {username} to confirm', { username }),
          autocomplete: 'off',
          spellcheck: false,
          required: true,
        })}
        ${reasonField('delete_reason', view)}
        <div class="actions"><button class="danger">Delete everything</button></div>
      </form>
    </details>`
  return panel('delete', t('Delete account'), body)
}

/** `name` is unique on the page. */
export function reasonField(name: string, view?: MemberView): Html {
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
