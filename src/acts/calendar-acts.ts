/** Calendars of members. */

import { rfc3339, systemClock } from '../base/clock.ts'
import { OutgoingPool } from '../base/concurrency/outgoing-pool.ts'
import { RequestError } from '../base/request-error.ts'
import { listCalendars } from '../connections/calendars/calendar-store.ts'
import {
  connectCalendar,
  disconnectCalendar,
  syncNow,
} from '../connections/calendars/manage-calendars.ts'
import { phrase } from '../languages/message.ts'
import { recordChange } from '../tools/activity.ts'
import { changeAct, listAct, taskAct, type ServiceCall } from './act.ts'
import { flag, listedId, option, secret } from './act-arguments.ts'

const ID = listedId('weft calendar list')

function depsOf({ database, settings }: ServiceCall) {
  const { sealSecret } = settings
  return { database, clock: systemClock, sealSecret, outgoing: new OutgoingPool() }
}

export const CALENDAR_ACTS = [
  taskAct({
    name: 'calendar add',
    summary: 'Connect a calendar; its secret address is read from a prompt or standard input',
    action: 'connect_calendar',
    label: phrase('Connected a calendar'),
    member: 'option',
    fields: {
      name: option('name', 'the name to show (default: the name of the calendar)'),
      address: secret('Secret address in iCal format (ICS)'),
    },
    about: ({ name }) => ({ reason: name }),
    async run(call, { name = '', address }) {
      const calendar = { secret_address: address, name }
      const added = await connectCalendar(depsOf(call), call.member.memberId, calendar)
      return `Connected ${added.name} (ID ${added.calendarId}).`
    },
  }),
  listAct({
    name: 'calendar list',
    summary: 'List the calendars of a member',
    member: 'option',
    async list({ db, now }) {
      return (await listCalendars(db, now)).map((one) => ({
        id: one.calendarId,
        name: one.name,
        address: one.addressHint,
        synced_at: rfc3339(one.syncedAt),
        next_sync_at: rfc3339(one.nextSyncAt),
        interactions: one.interactions,
        upcoming: one.upcoming,
        error: one.error,
      }))
    },
    none: ({ member }) =>
      `${member.username} has no calendars. Connect one with \`weft calendar add\`.`,
  }),
  taskAct({
    name: 'calendar sync',
    summary: 'Sync a calendar now, also if its syncing has stopped',
    action: 'sync_calendar',
    label: phrase('Synced a calendar'),
    member: 'option',
    fields: { id: ID },
    about: ({ id }) => ({ reason: String(id) }),
    async run(call, { id }) {
      const { error } = await syncNow(depsOf(call), call.member.memberId, id)
      if (error !== null)
        throw new RequestError('conflict', error, {
          hint: 'Fix the problem, then run the command again.',
        })
      return 'Synced.'
    },
  }),
  changeAct({
    name: 'calendar remove',
    summary: 'Disconnect a calendar; the interactions that it brought are kept',
    action: 'disconnect_calendar',
    label: phrase('Disconnected a calendar'),
    member: 'option',
    bulk: true,
    fields: {
      id: ID,
      deleteInteractions: flag('delete them; undo is possible on the activity page'),
    },
    async change({ mine, now, operator }, { id, deleteInteractions }) {
      const by = { credentialId: null, actor: operator.actor, now }
      const call = { tx: mine, now, record: recordChange.bind(undefined, mine, by) }
      const keep = deleteInteractions !== true
      await disconnectCalendar(call, id, { keep })
      return { keep }
    },
    about: ({ id }) => ({ reason: String(id) }),
    done: ({ keep }) => (keep ? 'Disconnected.' : 'Disconnected, and deleted its interactions.'),
  }),
]
