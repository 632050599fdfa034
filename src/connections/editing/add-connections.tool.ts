/** add_connections: adds several people in one change. */

import * as Type from '../../base/type.ts'
import { RequestError } from '../../base/request-error.ts'
import { publicActivityId } from '../../tools/activity.ts'
import { defineWriteTool } from '../../tools/tool.ts'
import { publicConnectionId } from '../model/connection.ts'
import { fullSnapshot } from '../model/snapshot.ts'
import { ADDITIONS_ACTION } from '../undo/undo-connections.ts'
import { storeUnlessDuplicate, type NewPerson } from './add-connection.ts'
import { AS_DESCRIBED, NewConnectionFields, type NewInput } from './connection-input.ts'
import { detailsArgument } from './detail-input.ts'
import type { WholeConnection } from '../model/whole-connection.ts'
import type { WriteCall } from '../../tools/tool.ts'

const MAX_PER_CALL = 100

const NewPersonFields = { ...NewConnectionFields, details: detailsArgument(AS_DESCRIBED) }

export const addConnectionsTool = defineWriteTool({
  name: 'add_connections',
  title: 'Add several connections',
  description: 'Adds several people like add_connection, all or none. Returns an ID for each.',
  effect: 'write',
  additive: true,
  idempotent: true,
  credits: 5,
  input: Type.Object(
    {
      connections: Type.Array(Type.Object(NewPersonFields, { additionalProperties: false }), {
        minItems: 1,
        maxItems: MAX_PER_CALL,
        description: `Up to ${MAX_PER_CALL} people`,
      }),
    },
    { additionalProperties: false },
  ),
  output: Type.Object(
    {
      created: Type.Integer(),
      connections: Type.Array(
        Type.Object(
          { connection_id: Type.String(), name: Type.String(), created: Type.Boolean() },
          { additionalProperties: false },
        ),
        { description: 'In the order given' },
      ),
      activity_id: Type.Optional(Type.String({ description: 'For undo' })),
    },
    { additionalProperties: false },
  ),
  async run(call, { connections }) {
    const results: NewPerson[] = []
    for (const [index, input] of connections.entries())
      results.push(await addAt(call, input, index))
    const added = results.flatMap((result) => ('added' in result ? [result.added] : []))
    const activityId = added.length === 0 ? undefined : await recordAdditions(call, added)
    return {
      created: added.length,
      connections: results.map((result) => {
        const { connectionId, name } =
          'added' in result ? result.added.connection : result.duplicate
        return { connection_id: publicConnectionId(connectionId), name, created: 'added' in result }
      }),
      ...(activityId !== undefined && { activity_id: publicActivityId(activityId) }),
    }
  },
})

/** An error names the person by index, such as `/connections/3/emails`. */
async function addAt(call: WriteCall, input: NewInput, index: number): Promise<NewPerson> {
  try {
    return await storeUnlessDuplicate(call, input)
  } catch (error) {
    if (!(error instanceof RequestError)) throw error
    const { errors = [], ...details } = error.details
    throw new RequestError(error.code, `connections/${index}/${error.message} Nothing was added.`, {
      ...details,
      errors: errors.map(({ pointer, detail }) => ({
        pointer: `/connections/${index}${pointer}`,
        detail,
      })),
    })
  }
}

function recordAdditions(
  { record }: WriteCall,
  added: readonly WholeConnection[],
): Promise<number> {
  return record({
    action: ADDITIONS_ACTION,
    subjectKind: 'connections',
    subjectId: String(added.length),
    before: null,
    after: { connections: added.map(fullSnapshot) },
    connections: added.map(({ connection }) => connection.connectionId),
  })
}
