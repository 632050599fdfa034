/** The routes of all pages. */

import { accountRoutes, type AccountRouteDeps } from './account/catalog.ts'
import { activityRoutes } from './activity/activity.route.ts'
import { addressBookRoutes, type AddressBookPageDeps } from './address-books/address-books.route.ts'
import { adminRoutes } from './admin/catalog.ts'
import { integrationRoutes } from './agents/agents.route.ts'
import type { IntegrationDeps } from './agents/agents.page.ts'
import { calendarRoutes, type CalendarPageDeps } from './calendar/calendar.route.ts'
import { deviceRoutes, type DevicePageDeps } from './devices/devices.route.ts'
import { connectionRoutes } from './connections/catalog.ts'
import { creditRoutes, type CreditDeps } from './credits/credits.route.ts'
import { networkRoutes, type NetworkDeps } from './directory/directory.route.ts'
import { customFieldRoutes } from './custom-fields/custom-fields.route.ts'
import { importRoutes, type ImportDeps } from './import/import.route.ts'
import { jobPageRoutes, type JobPageDeps } from './jobs/jobs.route.ts'
import { introductionsRoute } from './network/introductions.route.ts'
import { networkRoute } from './network/network.route.ts'
import { notificationRoutes, type NotificationDeps } from './notifications/notifications.route.ts'
import { webhookRoutes } from './notifications/webhook.route.ts'
import { calendarFeedRoute } from './notifications/calendar-feed.route.ts'
import { pushWorkerRoute } from './notifications/push-worker.route.ts'
import { unsubscribeRoutes } from './notifications/unsubscribe.route.ts'
import { profileEditorRoutes } from './profile/profile.route.ts'
import { humanRoutes, type HumanDeps } from './public-profile/public-profile.route.ts'
import { paletteRoutes } from './palette/palette.route.ts'
import { shareRoute } from './share/share.route.ts'
import { firstDayRoute } from './today/first-day.route.ts'
import { followUpRoutes, type FollowUpDeps } from './today/follow-ups.route.ts'
import { todayRoutes } from './today/today.route.ts'
import { tourRoutes, type TourDeps } from './tour/tour.route.ts'
import { sidebarReader } from './read-sidebar.ts'
import type { CalendarAccess } from '../connections/calendars/calendar-deps.ts'
import type { Route } from '../http/route.ts'
import { tagCadenceRoutes } from './tags/tag-cadences.route.ts'
import type { ProfileEditorDeps } from './profile/profile.page.ts'
import type { AdminDeps } from './admin/admin-deps.ts'
import type { UndoDeps } from './activity/undo.route.ts'
import type { ListDeps } from './connections/list.route.ts'
import type { PersonDeps } from './person/details.page.ts'

type PageDeps = AccountRouteDeps &
  DevicePageDeps &
  Omit<AddressBookPageDeps, keyof CalendarAccess> &
  Omit<AdminDeps, 'sealSecret'> &
  CalendarPageDeps &
  ListDeps &
  CreditDeps &
  FollowUpDeps &
  PersonDeps &
  HumanDeps &
  ImportDeps &
  IntegrationDeps &
  JobPageDeps &
  NetworkDeps &
  Omit<NotificationDeps, 'sealSecret'> &
  ProfileEditorDeps &
  TourDeps &
  UndoDeps

export function pageRoutes(service: PageDeps): Route[] {
  const { sealSecret } = service.calendars
  const deps = { ...service, sealSecret, readSidebar: sidebarReader(service) }
  return [
    ...humanRoutes(deps),
    ...networkRoutes(deps),
    ...integrationRoutes(deps),
    ...profileEditorRoutes(deps),
    ...calendarRoutes(deps),
    ...deviceRoutes(deps),
    ...addressBookRoutes({ ...deps, ...service.calendars }),
    ...accountRoutes(deps),
    ...notificationRoutes(deps),
    ...webhookRoutes(deps),
    calendarFeedRoute(deps),
    pushWorkerRoute(),
    ...unsubscribeRoutes(deps),
    ...todayRoutes(deps),
    firstDayRoute(deps),
    ...connectionRoutes(deps),
    ...customFieldRoutes(deps),
    ...tagCadenceRoutes(deps),
    ...followUpRoutes(deps),
    networkRoute(deps),
    introductionsRoute(deps),
    ...paletteRoutes(deps),
    shareRoute(deps),
    ...tourRoutes(deps),
    ...importRoutes(deps),
    ...jobPageRoutes(deps),
    ...creditRoutes(deps),
    ...activityRoutes(deps),
    ...adminRoutes(deps),
  ]
}
