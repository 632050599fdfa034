/** The form of a member's own profile, with what is wrong beside the field it is wrong in. */

import { formTokenField, hiddenField, selectField, textArea, textField } from '../../html/form.ts'
import { html } from '../../html/html.ts'
import { MAX_LINKS, type MemberLink } from '../../members/member-fields.ts'
import { PROFILE_PREVIEW_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import { linkField, type ProfileDraft } from './profile-draft.ts'
import type { FieldErrors } from '../../sign-in/session/field-errors.ts'

export interface ProfileForm {
  readonly draft: ProfileDraft
  readonly errors: FieldErrors
  readonly formToken: string
  /** Of their page, as it is stored. */
  readonly address: string
}

/** Rows for links that are not there yet; saving makes more. */
const SPARE_ROWS = 2

export function profileForm({ draft, errors, formToken, address }: ProfileForm): string {
  const problemOf = (name: string, label: string) => {
    const detail = errors[name]
    return detail === undefined ? undefined : `${label} ${detail}.`
  }
  const line = (name: Line, label: string, more: More = {}) =>
    textField({ name, label, value: draft[name], error: problemOf(name, label), ...more })
  return html`<form
    class="panel"
    method="post"
    action="${PROFILE_PATH}"
    data-preview="${PROFILE_PREVIEW_PATH}"
    aria-label="Your profile"
  >
    !${formTokenField(formToken)} !${hiddenField('version', draft.version)}
    !${line('name', 'Name', { required: true, autocomplete: 'name' })}
    !${line('username', 'Username', {
      required: true,
      autocomplete: 'off',
      spellcheck: false,
      hint: `Your page is at ${address}. After a change, the old address leads to the new one for 180 days.`,
    })}
    !${line('headline', 'Headline', { hint: 'One line under your name.' })}
    !${textArea({
      name: 'about',
      label: 'About',
      value: draft.about,
      error: problemOf('about', 'About'),
      hint: 'Plain text; an empty line begins a paragraph.',
    })}
    <div class="pair">
      !${line('title', 'Role', { autocomplete: 'organization-title' })}
      !${line('organization', 'Organization', { autocomplete: 'organization' })}
    </div>
    !${line('location', 'Location', { hint: 'Such as Berlin, Germany.' })}
    !${line('skills', 'Skills', { hint: 'With commas between them.', autocomplete: 'off' })}
    !${linkRows(draft.links, problemOf)}
    !${line('avatar_url', 'Picture', {
      inputmode: 'url',
      autocomplete: 'off',
      spellcheck: false,
      hint: 'The address of an image, for programs that show one. Pages here show your initials.',
    })}
    !${selectField({
      name: 'visibility',
      label: 'Who can read it',
      value: draft.is_public ? 'public' : 'private',
      options: [
        { value: 'public', label: 'Anyone, and the directory' },
        { value: 'private', label: 'Nobody but you' },
      ],
    })}
    <div class="actions">
      <button>Save</button>
      <button class="plain unscripted" formaction="${PROFILE_PREVIEW_PATH}" formnovalidate>
        Preview
      </button>
    </div>
  </form>`
}

type Line = Exclude<keyof ProfileDraft, 'about' | 'links' | 'is_public' | 'version'>
type More = Partial<Omit<Parameters<typeof textField>[0], 'name' | 'label' | 'value' | 'error'>>

function linkRows(
  links: readonly MemberLink[],
  problemOf: (name: string, label: string) => string | undefined,
): string {
  const spare = Array.from({ length: SPARE_ROWS }, () => ({ label: '', url: '' }))
  const rows = [...links, ...spare].slice(0, MAX_LINKS).map(({ label, url }, row) => {
    const [labelName, urlName] = [linkField(row, 'label'), linkField(row, 'url')]
    return html`<div class="pair">
      !${textField({
        name: labelName,
        label: `Label ${row + 1}`,
        value: label,
        error: problemOf(labelName, 'The label'),
        autocomplete: 'off',
      })}
      !${textField({
        name: urlName,
        label: `Address ${row + 1}`,
        value: url,
        error: problemOf(urlName, 'The address'),
        inputmode: 'url',
        autocomplete: 'off',
        spellcheck: false,
      })}
    </div>`
  })
  return html`<fieldset>
    <legend>Links</legend>
    !${rows}
    <p class="hint">A row that is left empty is no link. Save to get more rows.</p>
  </fieldset>`
}
