/** delete_interaction: deletes an interaction for all of its people. */

import * as Type from '../../base/type.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { listNames } from '../editing/confirmation-text.ts'
import { publicConnectionId } from '../model/connection.ts'
import { findConnections } from '../model/connection-store.ts'
import { NamedConnection, namedOf } from '../person/connection-schemas.ts'
import { InteractionId } from './interaction-schemas.ts'
import { recordRemoved } from '../../records/record-rows.ts'
import { INTERACTIONS, requireInteraction } from './interaction-store.ts'

export const deleteInteractionTool = defineWriteTool({
  name: 'delete_interaction',
  title: 'Delete logged contact',
  description:
    'Delete a logged call, meeting or message for all of its people. Returns the activity_id ' +
    'for undo.',
  effect: 'destructive',
  idempotent: false,
  credits: 1,
  input: Type.Closed({ interaction_id: InteractionId }),
  output: Type.Closed({
    interaction_id: Type.String(),
    people: Type.Array(NamedConnection),
    activity_id: Type.String(),
  }),
  async question(reader, { interaction_id }) {
    const { people } = await requireInteraction(reader, interaction_id)
    const names = await listNames(reader, people.map(publicConnectionId))
    return names && `Delete an interaction with ${names}? You can undo this.`
  },
  async run(call, { interaction_id }) {
    const interaction = await requireInteraction(call.tx, interaction_id)
    const activityId = await recordRemoved(INTERACTIONS, call, [interaction])
    const people = (await findConnections(call.tx, interaction.people)).map(namedOf)
    return { interaction_id, people, activity_id: publicActivityId(activityId) }
  },
})
