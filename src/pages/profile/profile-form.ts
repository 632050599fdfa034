/** The form of the member's own profile, with errors beside the fields. */

import { t } from '../../languages/message.ts'
import { bareField, hiddenField, selectField, textArea, textField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { MAX_LINKS, type MemberLink } from '../../members/member-fields.ts'
import { PROFILE_PREVIEW_PATH, PROFILE_PATH } from '../../html/site-map.ts'
import { linkField, type ProfileDraft } from './profile-draft.ts'
import { type FieldErrors, errorSentence } from '../../forms/field-errors.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'

interface ProfileForm {
  readonly draft: ProfileDraft
  readonly errors: FieldErrors
  readonly browser: SignedInRequest
  /** The URL of the member's public page, as stored. */
  readonly address: string
}

/** Empty link rows. Each appears when the row above it is filled in, and saving adds more. */
const SPARE_ROWS = 5

export function profileForm({ draft, errors, browser, address }: ProfileForm): Html {
  const problemOf = (name: string, label: string) => errorSentence(label, errors[name])
  const line = (name: Line, label: string, more: More = {}) =>
    textField({ name, label, value: draft[name], error: problemOf(name, label), ...more })
  return html`<form
    class="panel"
    method="post"
    action="${PROFILE_PATH}"
    data-draft="${browser.member.memberId}"
    data-preview="${PROFILE_PREVIEW_PATH}"
    aria-label="Your profile"
  >
    ${hiddenField('version', draft.version)}
    <h2>${t('Who you are')}</h2>
    ${line('name', t('Name'), { required: true, autocomplete: 'name' })}
    ${line('headline', t('Headline'), { hint: t('One line under your name.') })}
    ${line('title', t('Title'), { autocomplete: 'organization-title' })}
    ${line('organization', t('Company'), { autocomplete: 'organization' })}
    ${line('location', t('Location'), { hint: t('Such as Berlin, Germany.') })}
    <h2>${t('What you do')}</h2>
    ${textArea({
      name: 'about',
      label: t('About'),
      value: draft.about,
      error: problemOf('about', t('About')),
      hint: t('Plain text. Separate paragraphs with an empty line.'),
    })}
    ${line('skills', t('Skills'), { hint: t('Separate with commas.'), autocomplete: 'off' })}
    ${linkRows(draft.links, problemOf)}
    <h2>${t('Your page')}</h2>
    ${line('username', t('Username'), {
      required: true,
      autocomplete: 'off',
      spellcheck: false,
      hint: t(
        'Your page is at {address}. If you change it, the old URL redirects to the new one for 180 days.',
        { address },
      ),
    })}
    ${visibilityField(draft)}
    ${line('avatar_url', t('Image URL'), {
      inputmode: 'url',
      autocomplete: 'off',
      spellcheck: false,
      hint: t('For programs that show an image, if you upload no photo.'),
    })}
    ${line('time_zone', t('Time zone'), {
      autocomplete: 'off',
      spellcheck: false,
      hint: t('Such as Europe/Berlin, for dates and times here and for your agents. Not public.'),
    })}
    <div class="actions">
      <button>Save</button>
      <button class="plain unscripted" formaction="${PROFILE_PREVIEW_PATH}" formnovalidate>
        Preview
      </button>
    </div>
  </form>`
}

function visibilityField({ is_public }: ProfileDraft): Html {
  return selectField({
    name: 'visibility',
    label: t('Visibility'),
    value: is_public ? 'public' : 'private',
    options: [
      { value: 'public', label: t('Public, listed in the directory') },
      { value: 'private', label: t('Only you') },
    ],
  })
}

type Line = Exclude<keyof ProfileDraft, 'about' | 'links' | 'is_public' | 'version'>
type More = Partial<Omit<Parameters<typeof textField>[0], 'name' | 'label' | 'value' | 'error'>>

function linkRows(
  links: readonly MemberLink[],
  problemOf: (name: string, label: string) => string | undefined,
): Html {
  const spare = Array.from({ length: SPARE_ROWS }, () => ({ label: '', url: '' }))
  const rows = [...links, ...spare].slice(0, MAX_LINKS).map(({ label, url }, row) => {
    const [labelName, urlName] = [linkField(row, 'label'), linkField(row, 'url')]
    const labelField = bareField({
      name: labelName,
      label: t('Label {value}', { value: row + 1 }),
      placeholder: t('Website'),
      value: label,
      error: problemOf(labelName, t('The label')),
      autocomplete: 'off',
    })
    const urlField = bareField({
      name: urlName,
      label: t('URL {value}', { value: row + 1 }),
      placeholder: 'https://example.org',
      value: url,
      error: problemOf(urlName, t('The URL')),
      inputmode: 'url',
      autocomplete: 'off',
      spellcheck: false,
    })
    return html`<div class="pair">
      <div class="field">${labelField}</div>
      <div class="field">${urlField}</div>
    </div>`
  })
  return html`<fieldset class="links">
    <legend>Links</legend>
    <div>${rows}</div>
  </fieldset>`
}
