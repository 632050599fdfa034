/** delete_connections: deletes connections, which can be restored for 30 days. */

import * as Type from '../../base/type.ts'
import { rfc3339 } from '../../base/clock.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { listNames } from '../editing/confirmation-text.ts'
import { requireConnections, WHOLE_NAMES } from '../editing/require-connection.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import {
  ManyPeople,
  deleteConnections,
  DELETED_RETENTION_MS,
  SkippedConnections,
} from './deletion.ts'

export const deleteConnectionsTool = defineWriteTool({
  name: 'delete_connections',
  title: 'Delete people',
  description:
    'Delete or remove contacts with their notes and reminders; restore_connections brings them ' +
    'back for 30 days. Returns which were deleted.',
  effect: 'destructive',
  idempotent: true,
  credits: 1,
  input: Type.Closed({ people: ManyPeople }),
  output: Type.Closed({
    deleted: Type.Array(NamedConnection),
    restorable_until: Type.Optional(Type.String()),
    left_alone: SkippedConnections,
  }),
  async question(reader, { people }) {
    const names = await listNames(reader, people)
    return names && `Delete ${names}? You can restore deleted connections for 30 days.`
  },
  async run({ tx, now, record }, { people }) {
    const { done, skipped, isAnyKnown, change } = await deleteConnections(tx, people, now)
    if (!isAnyKnown) await requireConnections(tx, people, WHOLE_NAMES)
    if (change) await record(change)
    return {
      deleted: done.map(namedOf),
      ...(change && { restorable_until: rfc3339(now + DELETED_RETENTION_MS) }),
      ...(skipped.length > 0 && { left_alone: skipped }),
    }
  },
})
