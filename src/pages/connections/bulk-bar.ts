/** The bar with what can be done with the selected people. The style sheet shows it once someone is selected. */

import { t } from '../../languages/message.ts'
import { MAX_FOLLOW_UP_LENGTH, MAX_TAG_LENGTH } from '../../base/limits.ts'
import { NOTHING_TYPED } from '../../forms/field-errors.ts'
import { formKeyField, hiddenField, selectField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { BULK_CONNECTIONS_PATH, TAG_CADENCES_PATH } from '../../html/site-map.ts'
import { listQuery, type ListState } from '../../connections/people/list-state.ts'
import { INTERACTION_ENTRY } from '../../connections/interactions/interaction-form.page.ts'
import { cadenceOptions } from '../../connections/cadence/cadence-form.page.ts'
import { icon } from '../../html/icon.ts'
import { numberText } from '../../ui/numbers.ts'

interface Bulk {
  readonly state: ListState
  /** How many people the list finds. */
  readonly total: number
  /** The most frequent tags of the network. */
  readonly tags: readonly string[]
  /** A fragment with a checkbox for each person. */
  readonly table: Html
}

/** A form with the table. */
export function bulkForm({ state, total, tags, table }: Bulk): Html {
  return html`<form class="bulk" method="post" action="${BULK_CONNECTIONS_PATH}">
    ${formKeyField()} ${hiddenField('state', listQuery(state))} ${table}
    <div class="bulk-bar" role="group" aria-label="Selected people">
      <span
        class="selected"
        data-text="${t('selected')}"
        data-all="${t('{count} selected', { count: numberText(total) })}"
      ></span>
      <details name="menu" id="bulk-tagging">
        <summary>Tag</summary>
        <div>
          <label for="bulk-tag">Tag</label>
          <input
            id="bulk-tag"
            type="text"
            name="tag"
            list="bulk-tags"
            maxlength="${MAX_TAG_LENGTH}"
            autocomplete="off"
          />
          <datalist id="bulk-tags">
            ${tags.map((tag) => html`<option value="${tag}"></option>`)}
          </datalist>
          <button name="action" value="tag">Add tag</button>
          <button class="plain" name="action" value="untag">Remove tag</button>
        </div>
      </details>
      <details name="menu" id="bulk-log">
        <summary>Log</summary>
        <div>
          ${INTERACTION_ENTRY.fields(NOTHING_TYPED)}
          <button name="action" value="log">Log contact</button>
        </div>
      </details>
      <button type="button" class="more" popovertarget="bulk-more" aria-label="More actions">
        ${icon('more')}
      </button>
      <div id="bulk-more" popover>${otherActions(total)}</div>
    </div>
  </form>`
}

/** What is in a menu on phones. */
function otherActions(total: number): Html {
  return html`${followUpChoice()}
    <details name="menu" id="bulk-cadence">
      <summary>Cadence</summary>
      <div>
        ${selectField({ name: 'cadence', label: t('Cadence'), value: '1 month', options: cadenceOptions() })}
        <button name="action" value="cadence">Set cadence</button>
        <a href="${TAG_CADENCES_PATH}">${t('Cadences of tags')}</a>
      </div>
    </details>
    ${exportChoice()}
    <button class="link" id="bulk-merge" name="action" value="merge">Merge</button>
    <details name="menu">
      <summary>Delete</summary>
      <div>
        <p>You can restore deleted people for 30 days.</p>
        <button class="danger" name="action" value="delete">Delete selected</button>
      </div>
    </details>
    ${
      total === 0
        ? NOTHING
        : html`<label
            ><input type="checkbox" name="all" value="1" /> Select all ${numberText(total)}</label
          >`
    }`
}

function exportChoice(): Html {
  return html`<details name="menu">
    <summary>Export</summary>
    <div>${exportButtons()}</div>
  </details>`
}

/** What the bulk form exports: the selected people, or with `all` everyone in the list. */
export function exportButtons(): Html {
  return html`<button class="plain" name="action" value="export">Spreadsheet (CSV)</button>
    <label
      ><input type="checkbox" name="with_notes" value="1" /> vCard with notes and contacts</label
    >
    <button class="plain" name="action" value="export-vcard">Address book (vCard)</button>`
}

function followUpChoice(): Html {
  return html`<details name="menu" id="bulk-plan">
    <summary>Follow up</summary>
    <div>
      <label for="bulk-follow-up">What to do</label>
      <input
        id="bulk-follow-up"
        type="text"
        name="follow_up"
        maxlength="${MAX_FOLLOW_UP_LENGTH}"
        autocomplete="off"
      />
      <div class="field">
        <label for="bulk-due">Due date</label>
        <input
          id="bulk-due"
          type="text"
          name="due_on"
          placeholder="Such as next Friday"
          autocomplete="off"
          data-date
        />
      </div>
      <button name="action" value="follow-up">Add follow-up</button>
    </div>
  </details>`
}
