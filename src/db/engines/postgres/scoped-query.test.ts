/** A statement and its scope, sent together, on one connection. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { withClient } from '../../../../test/support/postgres.ts'
import { createDatabaseLocation, TEST_ENGINE } from '../../../../test/support/store.ts'
import { prepareScope, queryInScope } from './scoped-query.ts'

const POSTGRES = { skip: TEST_ENGINE !== 'postgres' && 'for PostgreSQL only' }

const OWN = "select cast(current_setting('weft.member_id', true) as bigint) as id"

test(
  'if the scope cannot be set, the query does not run, and the connection stays usable',
  POSTGRES,
  async () => {
    await using location = await createDatabaseLocation('new')
    await withClient(location.address, async (client) => {
      await prepareScope(client, 5000)
      await client.query('deallocate weft_scope')
      await assert.rejects(queryInScope(client, '7', { text: OWN, name: 'own' }), /weft_scope/)
      const { rows } = await client.query('select 1 as one')
      assert.deepEqual(rows, [{ one: 1 }])
    })
  },
)
