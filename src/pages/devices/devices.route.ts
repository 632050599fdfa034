/** `/user/devices`: devices that sync the address book. */

import { phrase, t } from '../../languages/message.ts'
import {
  confirmDevice,
  createDevice,
  requireDeviceOfPassword,
  listDevices,
  requireDevice,
  revokeDevice,
} from '../../access/device-password.ts'
import { resultCookies } from '../../access/result-cookie.ts'
import { hasCode } from '../../base/request-error.ts'
import { showFields } from '../../connections/cards/book-state.ts'
import { undoDeviceChanges } from '../../connections/cards/undo-device.ts'
import { newTag, withStoredSpelling } from '../../connections/model/tag-store.ts'
import { fieldErrors, NOTHING_TYPED } from '../../forms/field-errors.ts'
import { formRoute, pageRoute, type FormRequest, type PageDeps } from '../../forms/page-route.ts'
import { submitOnce } from '../../forms/submission.ts'
import { notFoundPage } from '../../html/message.page.ts'
import {
  CONFIRM_DEVICE_PATH,
  DEVICE_FIELDS_PATH,
  DEVICE_PROFILE_PATH,
  CONTACT_DEVICES_PATH,
  REVOKE_DEVICE_PATH,
  UNDO_DEVICE_PATH,
} from '../../html/site-map.ts'
import { content, seeOther, type Answer } from '../../http/response.ts'
import { recordSecurityEvent } from '../../tools/security-events.ts'
import { CONFIRMATION } from '../account/confirm-form.ts'
import type { IntegrationDeps } from '../agents/agents.page.ts'
import {
  confirmingOf,
  createOnce,
  proofFor,
  proofOf,
  proofRoutes,
  readProof,
  type ConfirmDeps,
  type UseProof,
} from '../agents/confirm-new-token.ts'
import { noticesOf } from '../../ui/notices.ts'
import { appleProfile, PROFILE_TYPE } from './apple-profile.ts'
import { CONFIRM_NEW_DEVICE_PATH, showDevices, type CreatedDevice } from './devices.page.ts'
import type { MemberTransaction } from '../../db/database.ts'
import type { FieldValues } from '../../forms/field-errors.ts'
import type { Route } from '../../http/route.ts'
import type { SecurityEventName } from '../../tools/activity-action.ts'
import type { Undoer } from '../../tools/undo.ts'

export type DevicePageDeps = PageDeps &
  Pick<IntegrationDeps, 'publicUrl' | 'hasher' | 'oidc' | 'attempts'> & {
    readonly undoers: readonly Undoer[]
  }

type DeviceDeps = DevicePageDeps & ConfirmDeps

const NOTICES = noticesOf(CONTACT_DEVICES_PATH, {
  revoked: phrase('Device revoked. It no longer has access to your address book.'),
  confirmed: phrase('Changes confirmed. The device continues with its next sync.'),
  included: phrase('Contacts have your custom fields with the next sync.'),
  excluded: phrase('Contacts no longer have your custom fields with the next sync.'),
  undone: phrase('Changes undone.'),
  partly: phrase('Changes undone, except those of people who were changed since.'),
})

export function deviceRoutes(service: DevicePageDeps): Route[] {
  const deps = { ...service, confirming: confirmingOf(service) }
  return [
    showRoute(deps),
    addRoute(deps),
    ...proofRoutes(deps, CONFIRM_NEW_DEVICE_PATH, (request, proof, errors = {}) =>
      showDevices(request, { proof, publicUrl: deps.publicUrl, fields: { typed: {}, errors } }),
    ),
    endRoute(deps, {
      path: REVOKE_DEVICE_PATH,
      notice: 'revoked',
      event: 'device_revoked',
      end: revokeDevice,
    }),
    endRoute(deps, {
      path: CONFIRM_DEVICE_PATH,
      notice: 'confirmed',
      event: 'device_confirmed',
      end: confirmDevice,
    }),
    fieldsRoute(deps),
    undoRoute(deps),
    profileRoute(deps),
  ]
}

function createdResults(publicUrl: string) {
  return resultCookies<CreatedDevice>(publicUrl, CONTACT_DEVICES_PATH)
}

function showRoute(deps: DeviceDeps): Route {
  const { publicUrl } = deps
  const results = createdResults(publicUrl)
  return pageRoute(deps, {
    path: CONTACT_DEVICES_PATH,
    async handle(request) {
      const proof = await proofOf(deps, request)
      const notice = NOTICES.read(request.search)
      const view = { proof, publicUrl, fields: NOTHING_TYPED, notice }
      return results.show(request, (created) => showDevices(request, { ...view, created }))
    },
  })
}

/** Redirects to a page that shows the password. Reloading that page hides it and creates no second device. */
function addRoute(deps: DeviceDeps): Route {
  const { publicUrl } = deps
  const results = createdResults(publicUrl)
  return formRoute(deps, {
    path: CONTACT_DEVICES_PATH,
    async handle(request) {
      const { body, browser } = request
      const typed = {
        name: body.get('name') ?? '',
        tag: (body.get('tag') ?? '').trim(),
        access: body.get('access') === 'read' ? 'read' : 'write',
      }
      let isConfirmed = false
      try {
        const useProof = await readProof(deps, request)
        isConfirmed = true
        const created = await addOnce(deps, request, typed, useProof)
        return results.redirect(browser.member, created)
      } catch (error) {
        return rejected(deps, request, { typed, error, isConfirmed })
      }
    },
  })
}

interface Typed {
  readonly name: string
  readonly tag: string
  readonly access: string
}

function addOnce(
  deps: DeviceDeps,
  request: FormRequest,
  { name, tag, access }: Typed,
  useProof: UseProof,
): Promise<CreatedDevice> {
  return createOnce(deps, request, useProof, {
    event: 'device_created',
    async create(own) {
      const [spelled] = tag === '' ? [] : await withStoredSpelling(own, [newTag(tag)])
      const asked = { name, readOnly: access === 'read', tag: spelled?.tag ?? null }
      const device = await createDevice(own, asked, request.now)
      return { deviceId: device.deviceId, name: device.name, password: device.password }
    },
    isCurrent: async (own, earlier) =>
      (await listDevices(own)).some(({ deviceId }) => deviceId === earlier.deviceId),
  })
}

async function rejected(
  deps: DeviceDeps,
  request: FormRequest,
  { typed, error, isConfirmed }: { typed: Typed; error: unknown; isConfirmed: boolean },
): Promise<Answer> {
  if (!hasCode(error, 'invalid_request', 'conflict', 'forbidden')) throw error
  const found = fieldErrors(error)
  const isField = Object.keys(found).length > 0
  const errors = isField ? found : { name: error.message }
  const confirmation = isConfirmed ? (request.body.get(CONFIRMATION) ?? '') : ''
  const proof = await proofFor(deps, request, confirmation)
  const fields: FieldValues = { typed: { ...typed }, errors }
  return showDevices(request, { proof, fields, publicUrl: deps.publicUrl })
}

interface Ending {
  readonly path: string
  readonly notice: 'revoked' | 'confirmed'
  readonly event: SecurityEventName
  readonly end: (tx: MemberTransaction, deviceId: string, now: number) => Promise<void>
}

function endRoute(deps: DeviceDeps, { path, notice, event, end }: Ending): Route {
  return formRoute(deps, {
    path,
    gone,
    async handle({ body, db, now, submission }) {
      await db.write((tx) =>
        submitOnce(tx, submission, async () => {
          const device = await requireDevice(tx, body.get('device_id') ?? '')
          await end(tx, device.deviceId, now)
          await recordSecurityEvent(tx, { event, details: { name: device.name } }, now)
          return { deviceId: device.deviceId }
        }),
      )
      return seeOther(NOTICES.pathTo(notice))
    },
  })
}

function fieldsRoute(deps: DeviceDeps): Route {
  return formRoute(deps, {
    path: DEVICE_FIELDS_PATH,
    async handle({ body, db, now }) {
      const isShown = body.get('fields') === 'on'
      await db.write((tx) => showFields(tx, isShown, now))
      return seeOther(NOTICES.pathTo(isShown ? 'included' : 'excluded'))
    },
  })
}

function undoRoute(deps: DeviceDeps): Route {
  return formRoute(deps, {
    path: UNDO_DEVICE_PATH,
    gone,
    async handle({ body, db, now, browser }) {
      const { deviceId } = await requireDevice(db, body.get('device_id') ?? '')
      const by = { db, now, actor: browser.member.name, undoers: deps.undoers }
      const { skipped } = await undoDeviceChanges(by, deviceId)
      return seeOther(NOTICES.pathTo(skipped === 0 ? 'undone' : 'partly'))
    },
  })
}

/** The password comes from the page that shows it, because it is not stored. */
function profileRoute(deps: DeviceDeps): Route {
  return formRoute(deps, {
    path: DEVICE_PROFILE_PATH,
    gone,
    async handle({ body, db, browser }) {
      const password = body.get('password') ?? ''
      await requireDeviceOfPassword(db, password)
      const { memberId, username } = browser.member
      const profile = appleProfile({ publicUrl: deps.publicUrl, memberId, username, password })
      return content(profile, PROFILE_TYPE, 200, {
        'content-disposition': 'attachment; filename="weft.mobileconfig"',
        'cache-control': 'no-store',
      })
    },
  })
}

function gone(): Answer {
  return notFoundPage(
    t('Device not found'),
    t('It may have been revoked since you loaded the page. No changes were made.'),
    { href: CONTACT_DEVICES_PATH, label: t('Back to devices') },
  )
}
