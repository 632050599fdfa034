/** `/user/connections/photos`: looks for photos of people without one at Gravatar. */

import { t } from '../../languages/message.ts'
import { countWithoutPhoto, findPhotosJob } from '../../connections/photos/find-photos.job.ts'
import { formKeyField } from '../../html/form.ts'
import { html, type Html } from '../../html/html.ts'
import { memberPage } from '../../html/member-layout.ts'
import { FIND_PHOTOS_PATH } from '../../html/site-map.ts'
import { seeOther } from '../../http/response.ts'
import { formRoute, pageRoute, type PageDeps } from '../../forms/page-route.ts'
import { LIMITS } from '../../guards/rate-limit-policies.ts'
import { emptyNote } from '../../ui/sections.ts'
import { jobNoticePath } from '../../ui/job-notices.ts'
import { startJobOnce } from '../../ui/start-job-once.ts'
import { tidyTabs } from './tidy-tabs.ts'
import type { CalendarAccess } from '../../connections/calendars/calendar-deps.ts'
import type { Route } from '../../http/route.ts'

export interface FindPhotosDeps extends PageDeps {
  readonly calendars: CalendarAccess
  /** `WEFT_MONTHLY_CREDITS` */
  readonly quota: number
  /** Notifies the worker that a job is queued. */
  readonly wake: () => void
}

export function findPhotosRoutes(deps: FindPhotosDeps): Route[] {
  return [showRoute(deps), startRoute(deps)]
}

function showRoute(deps: FindPhotosDeps): Route {
  return pageRoute(deps, {
    path: FIND_PHOTOS_PATH,
    async handle({ browser, db }) {
      const { people, with_email: withEmail } = await countWithoutPhoto(db)
      return memberPage({
        title: t('Without photo'),
        heading: html`${t('Tidy up')}`,
        browser,
        current: 'duplicates',
        body: html`${tidyTabs(FIND_PHOTOS_PATH)}
          <section class="panel" aria-label="Without photo">
            ${people === 0 ? emptyNote(t('Everyone has a photo.')) : offer({ people, withEmail })}
          </section>`,
      })
    },
  })
}

interface Offer {
  readonly people: number
  readonly withEmail: number
}

function offer({ people, withEmail }: Offer): Html {
  const count = t(
    '{people, plural, one {# person has no photo.} other {# people have no photo.}} {withEmail, plural, one {# has an email address.} other {# have an email address.}}',
    { people, withEmail },
  )
  if (withEmail === 0) return html`<p>${count}</p>`
  return html`<p>${count}</p>
    <p>
      Many people have published a photo for their email address at Gravatar. Weft can look for it
      and keep a copy. It sends gravatar.com a hash of each email address, not the address and no
      name. You can undo what it finds.
    </p>
    <form method="post" action="${FIND_PHOTOS_PATH}">
      ${formKeyField()}
      <div class="actions">
        <button>${t('Look for photos')}</button>
      </div>
    </form>`
}

function startRoute(deps: FindPhotosDeps): Route {
  const { quota, wake } = deps
  const definition = findPhotosJob(deps.calendars)
  return formRoute(deps, {
    path: FIND_PHOTOS_PATH,
    limit: LIMITS.jobs,
    async handle({ db, now, submission }) {
      const { jobId, started } = await startJobOnce(db, {
        definition,
        input: {},
        quota,
        now,
        submission,
      })
      if (started) wake()
      return seeOther(jobNoticePath(jobId, 'looking'))
    },
  })
}
