/** What the first day shows: three steps, people not to lose touch with, birthdays and this month in earlier years. */

import { listSection } from './today-section.ts'
import { t } from '../../languages/message.ts'
import { perLanguage } from '../../languages/language.ts'
import { findTourMember } from '../../access/demo-tour.ts'
import { listPasskeys } from '../../access/passkey.ts'
import { passkeySite } from '../../access/passkey-site.ts'
import { daysLater } from '../../dates/calendar-day.ts'
import { listBirthdays } from '../../connections/briefing/day-briefing.ts'
import {
  countCadences,
  isFirstDayOver,
  listLikelyPeople,
} from '../../connections/cadence/likely-people.ts'
import { DEFAULT_MIN_SCORE } from '../../connections/duplicates/duplicate-page.ts'
import { currentGroups, lastKnownGroups } from '../../connections/duplicates/kept-groups.ts'
import { openReviews } from '../../connections/matching/match-reviews.ts'
import { listMonthsAgo, type MonthAgo } from '../../connections/overview/month-in-earlier-years.ts'
import { countConnections } from '../../connections/people/count-connections.ts'
import { html, joinHtml, NOTHING, type Html } from '../../html/html.ts'
import { ACCOUNT_PATH, DUPLICATES_PATH } from '../../html/site-map.ts'
import { fileImportJob } from '../../imports/file-import.job.ts'
import { listJobs } from '../../jobs/start-job.ts'
import { requireMember } from '../../members/member.ts'
import { readAgentAccess } from '../agents/access-lists.ts'
import { listPath } from '../../connections/people/list-path.page.ts'
import { numberText } from '../../ui/numbers.ts'
import { birthdaySection } from './birthday-list.ts'
import { shortName } from './log-form.ts'
import { PICKS, pickList } from './pick-list.ts'
import { setUpSteps, unfinishedSteps, type SetUp } from './set-up-steps.ts'
import { aheadSection, beginWithOne } from './without-people.ts'
import { face } from '../../html/face.ts'
import { nameLink } from '../../connections/person/person-link.page.ts'
import type { MemberDatabase } from '../../db/database.ts'
import type { PageRequest } from '../../forms/page-route.ts'
import type { PersonDeps } from '../person/details.page.ts'
import type { TourDeps } from '../tour/tour.route.ts'
import type { Times } from '../../ui/time.ts'
import type { TodayView } from './today.page.ts'

export type TodayDeps = PersonDeps & Pick<TourDeps, 'demo'>

/** Days in which birthdays are looked for. */
const BIRTHDAY_DAYS = 120
/** Days in which one is a reason to begin with a person. */
const NEAR_DAYS = 30
const MAX_BIRTHDAYS = 5
const MAX_YEARS = 6
const MAX_FILES = 3

/** Nothing once the member has ended it, and on the tour. Once ten people have a cadence, only the unfinished steps, but not in the same moment. */
export async function readFirstDay(
  deps: TodayDeps,
  request: Pick<PageRequest, 'browser' | 'db' | 'now' | 'search' | 'signal'>,
  times: Times,
): Promise<Pick<TodayView, 'firstDay' | 'unfinished'>> {
  const { browser, db, search, signal } = request
  if (browser.member.isTour || (await isFirstDayOver(db))) return NO_FIRST_DAY
  const picked = await countCadences(db)
  const setUp = await readSetUp(deps, request)
  const given = new URLSearchParams(search)
  if (picked >= PICKS && !given.has('chosen'))
    return { ...NO_FIRST_DAY, unfinished: unfinishedSteps(setUp) }
  const { today } = times
  const words = browser.member.name.split(/\s+/)
  const set = Math.max(Number(given.get('others')) || 0, 0)
  const offset = Math.min(set, MAX_SETS) * PICKS
  const query = { today, familyName: words.at(-1) ?? '', offset, limit: PICKS + 1 }
  const [duplicates, likely, birthdays, months, passkeys] = await Promise.all([
    countDuplicates(db, signal),
    listLikelyPeople(db, query),
    listBirthdays(db, today, daysLater(today, BIRTHDAY_DAYS)),
    listMonthsAgo(db, today, MAX_YEARS),
    listPasskeys(db),
  ])
  const { live, files } = setUp
  const people = likely.slice(0, PICKS)
  const next = birthdays.slice(0, MAX_BIRTHDAYS)
  const side = [
    birthdaySection(next, t('Next birthdays'), { day: today, times }),
    monthsSection(months, today),
  ]
  const sets = { current: set, next: likely.length > PICKS ? set + 1 : 0 }
  const firstDay = {
    heading:
      live === 0
        ? html`Welcome, <bdi>${words[0]}</bdi>`
        : html`${countText(live)}, <bdi>${words[0]}</bdi>`,
    summary: live === 0 ? intro() : sources(files, duplicates),
    steps: setUpSteps(setUp, times, passkeys.length === 0 ? passkeyOffer(deps) : NOTHING),
    main:
      live === 0
        ? html`${beginWithOne()} ${aheadSection(await hasTour(deps), today)}`
        : people.length === 0
          ? NOTHING
          : pickList({
              people,
              birthdays: new Map(
                birthdays
                  .filter(({ on }) => on <= daysLater(today, NEAR_DAYS))
                  .map(({ connection, on }) => [connection.connectionId, on]),
              ),
              picked,
              sets,
              times,
            }),
    side,
  }
  return { firstDay, unfinished: NOTHING }
}

/** As many as the sidebar and the page *Tidy up* say. None as long as no import was unsure: finding others compares everyone. */
async function countDuplicates(db: MemberDatabase, signal: AbortSignal): Promise<number> {
  const reviews = await openReviews(db)
  if (reviews.length === 0) return lastKnownGroups(db) ?? 0
  const { groups } = await currentGroups(db, { minScore: DEFAULT_MIN_SCORE, signal })
  return groups.length
}

async function hasTour({ database, demo }: TodayDeps): Promise<boolean> {
  return demo === 'on' && (await findTourMember(database)) !== undefined
}

export const NO_FIRST_DAY = { firstDay: undefined, unfinished: NOTHING }

async function readSetUp(
  deps: TodayDeps,
  { browser, db, now }: Pick<PageRequest, 'browser' | 'db' | 'now'>,
): Promise<SetUp> {
  const [live, access, member, jobs] = await Promise.all([
    countConnections(db),
    readAgentAccess(db, now),
    requireMember(deps.database, browser.member.memberId),
    listJobs(db, { kind: fileImportJob.kind, state: 'succeeded', limit: MAX_FILES }),
  ])
  return {
    live,
    files: jobs.flatMap(({ filename }) => filename ?? []),
    hasHeadline: member.headline !== null,
    agents: [...access.grants.map((one) => ({ ...one, name: one.clientName })), ...access.tokens],
    publicUrl: deps.publicUrl,
  }
}

/** Ten others at a time, as many sets as people look through. */
const MAX_SETS = 200

function countText(live: number): string {
  return t('{live, plural, one {# person is here} other {# people are here}}', { live })
}

function intro(): Html {
  return html`Weft remembers the people you know and tells you when to get in touch. Three steps, in
  any order.`
}

/** Empty if this site cannot have passkeys. */
function passkeyOffer({ publicUrl }: TodayDeps): Html {
  if (!passkeySite(publicUrl)) return NOTHING
  return html`<small class="offer">
    Next time, sign in with your fingerprint, face or screen lock:
    <a href="${ACCOUNT_PATH}#passkeys">add a passkey</a>.
  </small>`
}

/** `From Connections.csv and google.csv. 12 possible duplicates can wait.` */
function sources(files: readonly string[], duplicates: number): Html {
  const names = LIST().formatToParts(files.map((_, at) => String(at)))
  const listed = names.map(({ type, value }) =>
    type === 'element' ? html`<bdi>${files[Number(value)]}</bdi>` : html`${value}`,
  )
  const link = html`<a href="${DUPLICATES_PATH}"
    >${t('{count, plural, one {# possible duplicate} other {# possible duplicates}}', {
      count: duplicates,
    })}</a
  >`
  if (files.length + duplicates === 0) return NOTHING
  return html`${files.length === 0 ? '' : html`From ${joinHtml(listed, '')}.`}
  ${duplicates === 0 ? '' : html`${link} can wait.`}`
}

function monthsSection(months: readonly MonthAgo[], today: string): Html {
  const month = MONTH().format(Date.parse(today))
  const items = months.map(({ year, people, more }) => {
    const faces = people.map((one) => face(one))
    const isAlone = people.length + more === 1
    const names = people.map((one) =>
      nameLink(isAlone ? one : { ...one, name: shortName(one.name) }),
    )
    const rest = html` <a href="${listPath({ met: year })}"
      >${t('and {more} more', { more: numberText(more) })}</a
    >`
    return html`<li>
      <time datetime="${year}">${year}</time>
      <span class="stack">${faces}</span>
      <span class="t">${joinHtml(names, ', ')}${more > 0 ? rest : ''}</span>
    </li>`
  })
  return listSection('months', t('{month} in earlier years', { month }), items, 'short-list years')
}

const MONTH = perLanguage(
  (locale) => new Intl.DateTimeFormat(locale, { month: 'long', timeZone: 'UTC' }),
)
const LIST = perLanguage((locale) => new Intl.ListFormat(locale))
