/** A short conversation with an agent, for the home page. Its people are in the demo account. */

import { phrase, t } from '../../languages/message.ts'
import { html, type Html } from '../../html/html.ts'

const QUESTION = phrase(
  'Which climate investors do I know in Berlin, and how should I approach the best one?',
)

const FOUND = [
  ['Jonas Vogelsang', 'General Partner · Kesselhain Ventures'],
  ['Lucía Etxeberria', 'Operating Partner, Hardware · Kesselhain Ventures'],
  ['Mareike Dombrowski', 'Principal · Kesselhain Ventures'],
] as const

const ANSWER = phrase(
  'Jonas Vogelsang. He invests 300 to 800k in heat and grid hardware. Last November he asked you to come back once two utilities are paying, so open with your second one.',
)

export function conversation(): Html {
  const people = FOUND.map(
    ([name, work]) => html`<li><strong>${name}</strong> <span class="quiet">${work}</span></li>`,
  )
  return html`<figure class="conversation">
    <figcaption class="unseen">A conversation with an agent</figcaption>
    <p class="question"><span class="unseen">You ask: </span>${t(QUESTION)}</p>
    <div class="lookup">
      <p class="quiet"><code>search_connections</code> climate investors in Berlin</p>
      <ul>
        ${people}
      </ul>
    </div>
    <p class="answer"><span class="unseen">The agent answers: </span>${t(ANSWER)}</p>
  </figure>`
}
