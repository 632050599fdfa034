import assert from 'node:assert/strict'
import { test } from 'node:test'
import { databaseUnavailable } from '../../db/unavailable.ts'
import { describeError } from './describe-error.ts'

test('a person at the command line learns why the database is unavailable', () => {
  const full = Object.assign(new Error('database or disk is full'), { errcode: 13 })
  assert.match(describeError(databaseUnavailable(full), false), /^The disk is full\. Free some/)
  const stopped = new Error('connect ECONNREFUSED 127.0.0.1:5432')
  assert.equal(
    describeError(databaseUnavailable(stopped), false),
    'The database is temporarily unavailable. Try again in a few seconds.\n(connect ECONNREFUSED 127.0.0.1:5432)',
  )
})
