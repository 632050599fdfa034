/** What the first day shows of a network without people: how to add one, and what the page becomes. */

import { t } from '../../languages/message.ts'
import { textField } from '../../html/form.ts'
import { html, NOTHING, type Html } from '../../html/html.ts'
import { icon } from '../../html/icon.ts'
import { NEW_CONNECTION_PATH, TOUR_PATH } from '../../html/site-map.ts'
import { MAX_TEXT_LENGTH } from '../../base/limits.ts'

export function beginWithOne(): Html {
  const name = textField({
    name: 'name',
    label: t('Name'),
    maxLength: MAX_TEXT_LENGTH,
    autocomplete: 'off',
    required: true,
  })
  return html`<section aria-labelledby="one">
    <h2 id="one">Or begin with one person</h2>
    <p class="quiet">Someone you met lately. You can add the rest later.</p>
    <form class="short" action="${NEW_CONNECTION_PATH}">
      ${name}
      <button class="plain">Add person</button>
    </form>
  </section>`
}

/** `hasTour`: whether there is a demo account to look at. */
export function aheadSection(hasTour: boolean): Html {
  const tour = html`<a class="button plain" href="${TOUR_PATH}">See it with invented people</a>`
  return html`<section class="ahead" aria-labelledby="ahead">
    <div class="over">
      <h2 id="ahead">What this page then shows you</h2>
      ${hasTour ? tour : NOTHING}
    </div>
    <ul class="points">
      <li>
        ${icon('calendar')}
        <p><b>The meetings of the day</b>, with the people in them and when you last met.</p>
      </li>
      <li>
        ${icon('people')}
        <p><b>Who to get in touch with</b>, as often as you choose for each person.</p>
      </li>
      <li>
        ${icon('check')}
        <p><b>What you promised</b>, what is late, and whose birthday it is.</p>
      </li>
      <li>
        ${icon('agents')}
        <p><b>What your agents changed</b>, one line each, with undo.</p>
      </li>
    </ul>
  </section>`
}
