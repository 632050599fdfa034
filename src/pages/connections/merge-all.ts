/** Merges all certain duplicates at once, and undoes that at once. Each merge is an entry of the activity log. */

import { t } from '../../languages/message.ts'
import { RequestError } from '../../base/request-error.ts'
import { DEFAULT_MIN_SCORE, listDuplicates } from '../../connections/duplicates/duplicate-page.ts'
import { mergeConnections } from '../../connections/duplicates/merge-connections.ts'
import { publicConnectionId } from '../../connections/model/connection.ts'
import { MERGE_ACTION } from '../../connections/undo/merges-since.ts'
import { formKeyField, hiddenField } from '../../html/form.ts'
import { NOTHING, html, type Html } from '../../html/html.ts'
import { DUPLICATES_PATH } from '../../html/site-map.ts'
import { activityNumber, publicActivityId } from '../../tools/activity.ts'
import { findChange } from '../../tools/activity-log/read-activity.ts'
import { undoneChanges } from '../../tools/activity-log/undone-changes.ts'
import { MAX_UNDONE, undoEach } from '../../tools/undo/undo-change.ts'
import { changeManually } from '../../ui/manual-change.ts'
import { buttonLink } from '../../ui/sections.ts'
import { countOf } from '../../ui/numbers.ts'
import type { FormRequest } from '../../forms/page-route.ts'
import type { MemberReader } from '../../db/database.ts'
import type { Undoer } from '../../tools/undo.ts'

/** Groups that are merged at once, so that one undo reverts them. */
const MAX_AT_ONCE = MAX_UNDONE

export interface MergedRange {
  readonly first: number
  readonly last: number
}

/** The button that merges all certain groups; nothing without any. `reviewPath` shows them one at a time. */
export function mergeCertainPanel(certain: number, reviewPath: string | undefined): Html {
  if (certain === 0) return NOTHING
  const count = Math.min(certain, MAX_AT_ONCE)
  return html`<section class="panel" aria-labelledby="certain">
    <h2 id="certain">${countOf(certain, 'certain duplicate')}</h2>
    <p class="quiet">
      An import would merge these: they share an email, a phone number or a profile, or everything
      that is known about them. One click undoes all of it.
    </p>
    <form method="post" action="${DUPLICATES_PATH}">
      ${formKeyField()}
      <div class="actions">
        <button class="plain" name="decision" value="certain">Merge ${count} certain</button>
        ${reviewPath === undefined ? NOTHING : buttonLink(reviewPath, t('Review one at a time'))}
      </div>
    </form>
  </section>`
}

/** @throws {RequestError} `conflict` when one of them cannot be merged. None is merged then. */
export async function mergeCertain(request: FormRequest): Promise<MergedRange> {
  const { db, signal } = request
  const query = { minScore: DEFAULT_MIN_SCORE, isCertain: true, limit: MAX_AT_ONCE, signal }
  const { groups } = await listDuplicates(db, query)
  return changeManually(
    request,
    async ({ tx, now, record }) => {
      const merges: number[] = []
      for (const { connections } of groups) {
        const [keep = '', ...others] = connections.map((one) =>
          publicConnectionId(one.connectionId),
        )
        merges.push(await record((await mergeConnections(tx, keep, others, now)).change))
      }
      const [first, last = first] = [merges[0], merges.at(-1)]
      if (first === undefined || last === undefined)
        throw new RequestError('not_found', t('There are no certain duplicates any longer.'))
      return { first, last }
    },
    { bulk: true },
  )
}

/** The page with the notice of the merges. */
export function mergedPath({ first, last }: MergedRange): string {
  return `${DUPLICATES_PATH}?merged=${publicActivityId(first)}-${publicActivityId(last)}`
}

/** The merges that a query names, if they belong to this member and are not undone. */
export async function readMerged(
  reader: MemberReader,
  search: string,
): Promise<MergedRange | undefined> {
  const [first, last] = (new URLSearchParams(search).get('merged') ?? '')
    .split('-')
    .map(activityNumber)
  if (first === undefined || last === undefined) return undefined
  const ids = await mergesIn(reader, { first, last })
  return ids.length === 0 ? undefined : { first, last }
}

/** The notice with the button that undoes all of them. */
export function mergedNotice(merged: MergedRange | undefined): Html {
  if (!merged) return NOTHING
  const { first, last } = merged
  return html`<div class="notice success with-act" role="status">
    <p>Merged ${countOf(last - first + 1, 'certain duplicate')}.</p>
    <form method="post" action="${DUPLICATES_PATH}">
      ${formKeyField()} ${hiddenField('first', publicActivityId(first))}
      ${hiddenField('last', publicActivityId(last))}
      <button class="plain" name="decision" value="undo">Undo all</button>
    </form>
  </div>`
}

/** @throws {RequestError} `conflict` when one of them was changed since. None is undone then. */
export async function undoMerged(request: FormRequest, undoers: readonly Undoer[]): Promise<void> {
  const [first, last] = ['first', 'last'].map((name) => activityNumber(request.body.get(name)))
  await changeManually(
    request,
    async (changing) => {
      const ids = await mergesIn(changing.tx, { first: first ?? 0, last: last ?? 0 })
      return (await undoEach(changing, undoers, ids)).length
    },
    { bulk: true },
  )
}

/** Newest first, without undone merges. */
async function mergesIn(reader: MemberReader, { first, last }: MergedRange): Promise<number[]> {
  const ids: number[] = []
  if (first === 0 || last - first >= MAX_AT_ONCE) return ids
  const undone = await undoneChanges(reader)
  for (let id = last; id >= first; id -= 1) {
    const change = await findChange(reader, id)
    const isOwn = change?.action === MERGE_ACTION && !change.isByAgent
    if (isOwn && !undone.has(id)) ids.push(id)
  }
  return ids
}
