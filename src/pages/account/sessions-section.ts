/** The browsers where a member is signed in, with buttons to sign them out. */

import { HOUR } from '../../base/clock.ts'
import { formTokenField, hiddenField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { browserName } from '../../access/browser-name.ts'
import { END_OTHERS_PATH, END_SESSION_PATH } from '../../html/site-map.ts'
import type { BrowserSession } from '../../access/browser-session.ts'
import type { Times } from '../ui/time.ts'
import type { AccountPage } from './account-view.ts'

export function sessionsSection({ sessions, browser, times }: AccountPage): Html {
  const items = sessions.map((session) =>
    session.sessionId === browser.member.sessionId
      ? thisOne(session, times)
      : anotherOne(session, browser.formToken, times),
  )
  return html`<section class="panel" aria-labelledby="sessions">
    <h2 id="sessions">Where you are signed in</h2>
    <ul class="items">
      ${items}
    </ul>
    ${sessions.length > 1 ? endOthers(browser.formToken) : ''}
  </section>`
}

function thisOne({ userAgent, createdAt }: BrowserSession, times: Times): Html {
  return html`<li>
    <div>
      <h3>${browserName(userAgent)} <span class="badge success">this browser</span></h3>
      <small>Signed in ${times.day(createdAt)}</small>
    </div>
  </li>`
}

function anotherOne(session: BrowserSession, formToken: string, times: Times): Html {
  const { sessionId, userAgent, createdAt, lastSeenAt } = session
  const name = browserName(userAgent)
  return html`<li>
    <div>
      <h3>${name}</h3>
      <small>Signed in ${times.day(createdAt)} · ${seen(lastSeenAt, times)}</small>
    </div>
    <form method="post" action="${END_SESSION_PATH}">
      ${formTokenField(formToken)} ${hiddenField('session_id', sessionId)}
      <button class="plain">
        <span>Sign out<span class="unseen"> ${name}</span></span>
      </button>
    </form>
  </li>`
}

/** The last-seen time is updated at most once an hour. */
function seen(lastSeenAt: number, times: Times): Html {
  return times.now - lastSeenAt < HOUR
    ? html`active within the last hour`
    : html`last active ${times.ago(lastSeenAt)}`
}

function endOthers(formToken: string): Html {
  return html`<form method="post" action="${END_OTHERS_PATH}">
    ${formTokenField(formToken)}
    <div class="actions"><button class="plain">Sign out everywhere else</button></div>
  </form>`
}
