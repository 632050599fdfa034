/** find_photos: looks for photos of people without one at Gravatar, and stores those that it finds. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { memberStatement } from '../../db/statement.ts'
import { FetchFailure, type FetchPolicy } from '../../http/public-fetch/public-fetch.ts'
import { defineJob, type Job, type RunningJob } from '../../jobs/job.ts'
import { changedByJob } from '../../jobs/job-starter.ts'
import { t } from '../../languages/message.ts'
import { recordChange } from '../../tools/activity.ts'
import { showPhoto } from '../editing/set-photo.ts'
import { findConnections } from '../model/connection-store.ts'
import { storePhotos } from '../model/photo-store.ts'
import { peopleChangeOf, type ChangedPerson } from '../people/people-changes.ts'
import { fetchGravatar, gravatarOf } from './gravatar.ts'
import type { OutgoingPool } from '../../base/concurrency/outgoing-pool.ts'
import type { Photo } from '../../contact-files/contact/photo.ts'
import type { MemberReader, MemberTransaction } from '../../db/database.ts'

export interface PhotoSearch {
  readonly outgoing: OutgoingPool
  /** By default only public addresses. */
  readonly fetchPolicy?: Partial<FetchPolicy>
  /** Where photos are, with a slash at the end. Default: Gravatar. */
  readonly photoService?: string
}

const PhotoReport = Type.Object({
  found: Type.Integer(),
  not_found: Type.Integer(),
  /** Lookups without an answer. */
  failed: Type.Integer(),
})
type PhotoReport = Type.Static<typeof PhotoReport>

interface PhotoCheckpoint {
  /** The number of the last person who was looked up. */
  readonly after: number
  readonly report: PhotoReport
}

type PhotoJob = RunningJob<object, PhotoCheckpoint>

const START: PhotoCheckpoint = { after: 0, report: { found: 0, not_found: 0, failed: 0 } }

/** It saves its progress after every group of people, so that it continues where it stopped. */
export function findPhotosJob(search: PhotoSearch): Job {
  return defineJob({
    kind: 'find_photos',
    tool: 'update_connections',
    title: 'Look for photos at Gravatar',
    description:
      'Looks for a photo of every connection that has an email address and no photo. Sends SHA-256 hashes of the email addresses ' +
      'to gravatar.com, and stores the photos that it finds.',
    input: Type.Closed({}),
    credits: 0,
    run: (job: PhotoJob) => findPhotos(job, search),
  })
}

/** How many people have no photo, and how many of them can be looked up. */
export async function countWithoutPhoto(reader: MemberReader) {
  return (await reader.get(COUNT, {})) ?? { people: 0, with_email: 0 }
}

/** People per transaction. */
const GROUP = 25
/** Addresses of one person. */
const MAX_ADDRESSES = 3
/** Failures in a row after which the service is considered unreachable. */
const MAX_FAILURES = 3

async function findPhotos(job: PhotoJob, search: PhotoSearch): Promise<PhotoReport> {
  let { after, report } = job.checkpoint ?? START
  const { with_email: left } = await countWithoutPhoto(job.db)
  const total = report.not_found + report.found + report.failed + left
  const look = photoFinder(job, search)
  for (;;) {
    const people = await job.db.all(WITHOUT_PHOTO, { after, limit: GROUP })
    if (people.length === 0) return report
    const { photos, looked, failed, failure } = await lookUp(people, look)
    after = looked.at(-1) ?? after
    report = await job.db.write(async (tx) => {
      const found = await addPhotos(tx, job, photos)
      const now: PhotoReport = {
        found: report.found + found,
        not_found: report.not_found + looked.length - failed - found,
        failed: report.failed + failed,
      }
      const done = now.found + now.not_found + now.failed
      const message = `${now.found} photos found`
      await job.save(tx, { after, report: now }, { done, total: Math.max(total, done), message })
      return now
    })
    if (failure) throw failure
  }
}

/** Stops at the first failure, so that the photos found before it can be stored. `looked` are the numbers of people. */
async function lookUp(
  people: readonly { readonly connection_id: number; readonly emails: string }[],
  look: ReturnType<typeof photoFinder>,
) {
  const photos = new Map<number, Photo>()
  const looked: number[] = []
  let failed = 0
  for (const { connection_id, emails } of people) {
    try {
      const photo = await look(JSON.parse(emails) as string[])
      if (photo === 'failed') failed += 1
      else if (photo) photos.set(connection_id, photo)
      looked.push(connection_id)
    } catch (error) {
      if (error instanceof RequestError) return { photos, looked, failed, failure: error }
      throw error
    }
  }
  return { photos, looked, failed }
}

/**
 * Finds the photo of the first address that has one; `failed` if there is none and an address got no answer.
 *
 * @throws {RequestError} `conflict` when the service cannot be reached several times in a row.
 */
function photoFinder(job: PhotoJob, { outgoing, fetchPolicy, photoService }: PhotoSearch) {
  let failures = 0
  return async (emails: readonly string[]): Promise<Photo | 'failed' | undefined> => {
    let hasFailed = false
    for (const email of emails.slice(0, MAX_ADDRESSES)) {
      const url = gravatarOf(email, photoService)
      const turn = { memberId: job.db.memberId, host: url.host, signal: job.signal }
      try {
        const photo = await outgoing.run(turn, (permit) => fetchGravatar(permit, url, fetchPolicy))
        failures = 0
        if (photo) return photo
      } catch (error) {
        job.signal.throwIfAborted()
        if (!(error instanceof FetchFailure)) throw error
        failures += 1
        hasFailed = true
        if (failures === MAX_FAILURES)
          throw new RequestError('conflict', t('Gravatar could not be reached.'), {
            hint: t('The photos found so far are kept. Try again later.'),
          })
      }
    }
    return hasFailed ? 'failed' : undefined
  }
}

/** Returns how many people got their photo. Those who got another one meanwhile, or were deleted, keep what they have. */
async function addPhotos(
  tx: MemberTransaction,
  job: PhotoJob,
  photos: ReadonlyMap<number, Photo>,
): Promise<number> {
  const now = job.now()
  const stored = await storePhotos(tx, [...photos.values()], now)
  const changed: ChangedPerson[] = []
  for (const connection of await findConnections(tx, [...photos.keys()])) {
    const photoId = photos.get(connection.connectionId)?.photoId
    const isFree = connection.deletedAt === null && connection.details.photo === undefined
    if (!isFree || photoId === undefined || !stored.has(photoId)) continue
    changed.push(await showPhoto(tx, connection, photoId, now))
  }
  if (changed.length === 0) return 0
  await recordChange(tx, await changedByJob(tx, job), peopleChangeOf(changed))
  return changed.length
}

/** By primary key. */
const WITHOUT_PHOTO = memberStatement<
  { after: number; limit: number },
  { connection_id: number; emails: string }
>()(`
  select connection_id, emails from connections
  where member_id = :member_id and connection_id > :after
    and deleted_at is null and photo is null and emails <> '[]'
  order by connection_id limit :limit`)

/** Scans the member's connections. */
const COUNT = memberStatement<object, { people: number; with_email: number }>()(`
  select count(*) as people, count(case when emails <> '[]' then 1 end) as with_email
  from connections where member_id = :member_id and deleted_at is null and photo is null`)
