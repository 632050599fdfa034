/** The page "Duplicates": possible duplicates side by side, with the evidence. */

import { emptyNote, buttonLink } from '../../ui/sections.ts'
import { phrase, t } from '../../languages/message.ts'
import { asListed } from '../../connections/model/connection.ts'
import { MAX_GROUP_SIZE } from '../../connections/duplicates/kept-groups.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { memberPage } from '../../html/member-layout.ts'
import { changeNotice } from '../../ui/change-notice.ts'
import { mergeCertainPanel, mergedNotice, type MergedRange } from './merge-all.ts'
import { tidyTabs } from './tidy-tabs.ts'
import { DUPLICATES_PATH } from '../../html/site-map.ts'
import type { Evidence } from '../../connections/duplicates/duplicate-groups.ts'
import { numberText } from '../../ui/numbers.ts'
import { personName } from '../../connections/person/person-link.page.ts'
import type { DuplicateGroup, DuplicatesPage } from '../../connections/duplicates/duplicate-page.ts'
import type { MatchReason } from '../../identity/match-weights.ts'
import type { Answer } from '../../http/response.ts'
import type { SignedInRequest } from '../../http/browser-request.ts'
import type { DescribedChange } from '../activity/described-change.ts'
import { comparedColumns, comparedPeople, type ComparedColumn } from './compared-people.ts'

interface DuplicatesView {
  readonly browser: SignedInRequest
  /** One group. */
  readonly page: DuplicatesPage
  /** Whether the certain groups are shown, or the others. */
  readonly isCertain: boolean
  readonly cursor: string | undefined
  readonly noticed: DescribedChange | undefined
  readonly merged: MergedRange | undefined
}

/** The page after a group, of the certain ones or the others. */
export function sittingPath(show: string, cursor: string): string {
  const query = new URLSearchParams({
    ...(show === CERTAIN && { show }),
    ...(cursor !== '' && { cursor }),
  }).toString()
  return query === '' ? DUPLICATES_PATH : `${DUPLICATES_PATH}?${query}`
}

const CERTAIN = 'certain'

export function duplicatesPage(view: DuplicatesView): Answer {
  const { browser, page, isCertain, noticed, merged } = view
  const { groups, total, certain } = page
  const [group] = groups
  return memberPage({
    title: t('Tidy up'),
    browser,
    current: 'duplicates',
    body: html`${tidyTabs(DUPLICATES_PATH)} ${mergedNotice(merged)}
    ${changeNotice(noticed, { back: 'duplicates', browser })}
    ${mergeCertainPanel(certain, isCertain ? undefined : sittingPath(CERTAIN, ''))}
    ${group ? position(view) : NOTHING}
    ${group ? groupForm(group, view) : total === 0 ? nonePanel() : last(total, isCertain)}`,
  })
}

/** `7 of 38` */
function position({ page: { before, total }, isCertain }: DuplicatesView): Html {
  const what = isCertain ? t('certain') : t('to review')
  return html`<p class="quiet">
    ${numberText(before + 1)} of ${numberText(total)} ${what}. Marked values are kept; you can
    choose others.
  </p>`
}

function last(total: number, isCertain: boolean): Html {
  return html`<section class="panel" aria-label="End of the duplicates">
    ${emptyNote(
      t('That was the last one. You skipped {total}.', { total: numberText(total) }),
      buttonLink(sittingPath(isCertain ? CERTAIN : '', ''), t('Start again')),
    )}
  </section>`
}

function nonePanel(): Html {
  return html`<section class="panel" aria-label="No duplicates">
    <p class="empty">No duplicates found.</p>
  </section>`
}

function groupForm(
  { connections, evidence }: DuplicateGroup,
  { page, isCertain, cursor }: DuplicatesView,
): Html {
  const columns = comparedColumns(connections.slice(0, MAX_GROUP_SIZE))
  const [first] = columns
  if (!first) return NOTHING
  const id = `group-${first.publicId}`
  const show = isCertain ? CERTAIN : ''
  return html`<section class="panel sitting" aria-labelledby="${id}" data-keys tabindex="-1">
    <h2 id="${id}">
      ${personName(asListed(first.connection))}
      ${isCertain ? html`<span class="badge success">Certain</span>` : html`<span class="badge">To review</span>`}
    </h2>
    <ul class="points">
      ${evidence.slice(0, MAX_EVIDENCE).map((one) => evidenceLine(one, columns))}
    </ul>
    <form method="post" action="${DUPLICATES_PATH}">
      ${formKeyField()} ${hiddenField('show', show)} ${hiddenField('cursor', cursor ?? '')}
      ${comparedPeople(columns)}
      <div class="actions save-bar">
        <button data-key="y" aria-keyshortcuts="y">
          <span>Merge<span class="unseen"> into the chosen ${first.connection.name}</span></span>
        </button>
        <button class="plain" name="decision" value="different" data-key="n" aria-keyshortcuts="n">
          <span>Not the same<span class="unseen"> as ${first.connection.name}</span></span>
        </button>
        <a
          class="button plain"
          href="${sittingPath(show, page.cursorAfter(0))}"
          data-key="s"
          aria-keyshortcuts="s"
          >Skip</a
        >
      </div>
    </form>
  </section>`
}

const MAX_EVIDENCE = 10

/** The letters are omitted for a pair. */
function evidenceLine(
  { reason, value, connectionIds }: Evidence,
  columns: readonly ComparedColumn[],
): Html {
  const about = columns.filter(({ connection }) => connectionIds.includes(connection.connectionId))
  const labels = about.map(({ label }) => label).join(', ')
  return html`<li>
    ${icon(/^(?:other|common|generation|similar_given|unknown|renamed)/.test(reason) ? 'cross' : 'check')}
    <span>
      ${t(REASONS[reason])}: <bdi>${value}</bdi>
      ${columns.length > 2 ? html`<small>(${labels})</small>` : ''}
    </span>
  </li>`
}

const REASONS: Readonly<Record<MatchReason, string>> = {
  identical: phrase('Same values'),
  nickname: phrase('Nickname'),
  other_form_of_name: phrase('Different forms of one name'),
  similar_short_name: phrase('Similar short names'),
  middle_name: phrase('A middle name only in one'),
  part_of_given_name: phrase('A part of the given name only in one'),
  alias: phrase('Former name or nickname'),
  typo: phrase('Similar spelling'),
  given_name_typo: phrase('Similar spelling of the given name'),
  initial: phrase('Initial'),
  same_single_name: phrase('Same single name'),
  only_given_name: phrase('Only a given name in one'),
  only_family_name: phrase('Only a family name in one'),
  name_missing: phrase('No name in one'),
  email_fits_name: phrase('The email contains the name'),
  shared_mailbox: phrase('Same shared mailbox'),
  similar_company: phrase('Similar company'),
  same_company: phrase('Same company'),
  same_birthday: phrase('Same birthday'),
  same_birthday_without_year: phrase('Same birthday, without year'),
  same_title: phrase('Same title'),
  other_title: phrase('Different titles'),
  same_connected_on: phrase('Connected on the same day'),
  same_source: phrase('From the same kind of file'),
  similar_given_name: phrase('Similar given names'),
  renamed_profile_url: phrase('Different profile addresses with one name'),
  other_profile_url: phrase('Different profiles'),
  similar_email: phrase('Similar emails'),
  other_email: phrase('Different emails'),
  other_email_at_company: phrase('Different emails at one company'),
  other_phone: phrase('Different phone numbers'),
  other_family_name: phrase('Different family names'),
  other_given_name: phrase('Different given names'),
  unknown_given_name: phrase('Different or shortened given names'),
  other_generation: phrase('Different generations'),
  other_form_of_address: phrase('Different forms of address'),
  other_number: phrase('Different numbers in the name'),
  other_name: phrase('Different names'),
  other_script: phrase('Names in different scripts'),
  same_reading: phrase('Name as it is read'),
  same_in_other_script: phrase('Same name in another script'),
  other_company: phrase('Different companies'),
  other_birthday: phrase('Different birthdays'),
  other_location: phrase('Different locations'),
  generation_missing: phrase('Jr. or Sr. only in one'),
  common_name: phrase('A common name'),
  same_profile_url: phrase('Same profile'),
  same_email: phrase('Same email'),
  same_phone: phrase('Same phone number'),
  mobile: phrase('A mobile number'),
  landline: phrase('A landline number'),
  same_name: phrase('Same name'),
  same_location: phrase('Same location'),
}
