// A file, another one and the first again end in the values of the first, in every field.

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { updateConnectionTool } from '../../test/fixtures/one-person.ts'
import { openSharedWorld, type Acting } from '../../test/fixtures/network.ts'
import { findConnections } from '../connections/model/connection-store.ts'
import { TEXT_FIELDS, type Connection } from '../connections/model/connection.ts'
import type { MergeResult } from './merging/merge-contact.ts'
import type { ImportedContact } from '../contact-files/contact/contact.ts'
import type { ContactDetails } from '../contact-files/contact/details.ts'

const EMAIL = 'mira.holt@x.example'
const LINK = 'https://holt.example/'

/** Two states of each field. Lists have one value of which a part changes. */
const STATES: Readonly<
  Record<string, readonly [one: Partial<ImportedContact>, other: Partial<ImportedContact>]>
> = {
  name: [{ name: 'Mira Holt' }, { name: 'Mira Ann Holt' }],
  givenName: [{ givenName: 'Mira' }, { givenName: 'Mira Ann' }],
  familyName: [{ familyName: 'Holt' }, { familyName: 'Holt-Poe' }],
  company: [{ company: 'Northwind' }, { company: 'Southwind' }],
  title: [{ title: 'Pilot' }, { title: 'Captain' }],
  location: [{ location: 'Leeds' }, { location: 'York' }],
  birthday: [{ birthday: '--07-09' }, { birthday: '1985-07-09' }],
  connectedOn: [{ connectedOn: '2024-03-12' }, { connectedOn: '2020-01-02' }],
  profileUrl: [
    { profileUrl: 'https://www.linkedin.com/in/mira-holt' },
    { profileUrl: 'https://www.linkedin.com/in/miraholt' },
  ],
  ...details('namePrefix', 'Dr.', 'Prof.'),
  ...details('middleName', 'Ann', 'A.'),
  ...details('nameSuffix', 'MBA', 'PhD'),
  ...details('nickname', 'Miri', 'M'),
  ...details('phoneticGivenName', 'Meera', 'Mira'),
  ...details('phoneticFamilyName', 'Holt', 'Hollt'),
  ...details('pronouns', 'she/her', 'they/them'),
  ...details('labels', { [EMAIL]: 'work' }, { [EMAIL]: 'home' }),
  ...details(
    'addresses',
    [{ label: 'home', city: 'Leeds', country: 'UK' }],
    [{ label: 'work', city: 'Leeds', country: 'UK' }],
  ),
  ...details(
    'handles',
    [{ service: 'skype', value: 'mira', label: 'home' }],
    [{ service: 'skype', value: 'mira', label: 'work' }],
  ),
  ...details(
    'organizations',
    [{ name: 'Old Ltd', title: 'Clerk', from: '2001', until: '2003', current: false }],
    [{ name: 'Old Ltd', title: 'Clerk', from: '2001', until: '2004', current: false }],
  ),
  ...details(
    'relations',
    [{ name: 'Ben Poe', relation: 'partner' }],
    [{ name: 'Ben Poe', relation: 'spouse' }],
  ),
  ...details('custom', [{ field: 'Team', value: 'Blue' }], [{ field: 'Team', value: 'Red' }]),
}

function details<Field extends keyof ContactDetails>(
  field: Field,
  one: ContactDetails[Field],
  other: ContactDetails[Field],
): Readonly<Record<string, readonly [Partial<ImportedContact>, Partial<ImportedContact>]>> {
  const of = (value: ContactDetails[Field]) => ({ details: { [field]: value } })
  return { [field]: [of(one), of(other)] }
}

async function stateOf({ db }: Acting): Promise<Pick<Connection, 'details'>> {
  const [person = assert.fail()] = await findConnections(db, [1])
  const main = TEXT_FIELDS.map((field) => [field, person[field]] as const)
  return { ...Object.fromEntries(main), details: person.details }
}

for (const [field, [one, other]] of Object.entries(STATES))
  test(`the ${field} of a file that is imported again replaces that of the file in between`, async () => {
    await using world = await openSharedWorld()
    const member = await world.join()
    const contactWith = (values: Partial<ImportedContact>) => ({
      name: 'Mira Holt',
      emails: [EMAIL],
      links: [LINK],
      ...values,
    })
    const load = (values: Partial<ImportedContact>, jobId: number) =>
      member.import([contactWith(values)], { source: 'google', jobId })
    await load(one, 1)
    const first = await stateOf(member)
    await load(other, 2)
    const second = await stateOf(member)
    assert.notDeepEqual(second, first)
    await member.ask(updateConnectionTool, { connection_id: 'c_1', add_tags: ['edited'] })
    await load(one, 3)
    const third = await stateOf(member)
    assert.deepEqual(withoutFormer(third), withoutFormer(first))
    assert.deepEqual(await load(one, 4), ['unchanged'])
    await load(other, 5)
    assert.deepEqual(withoutFormer(await stateOf(member)), withoutFormer(second))
  })

/** Changed jobs leave former positions. */
function withoutFormer({
  details: { organizations, ...others },
  ...state
}: Pick<Connection, 'details'>) {
  const kept = organizations?.filter(({ name }) => name === 'Old Ltd')
  return {
    ...state,
    details: { ...others, ...(kept && kept.length > 0 && { organizations: kept }) },
  }
}

test('a row with another title is a namesake if the file still has the earlier row, in any order', async () => {
  await using world = await openSharedWorld()
  const clerk = { name: 'Zoe Quist', company: 'Acme', title: 'Clerk' }
  const driver = { ...clerk, title: 'Driver' }
  const pilot = { ...clerk, title: 'Pilot' }
  const resultsOf = async (...files: (typeof clerk)[][]) => {
    const member = await world.join()
    const results: MergeResult[][] = []
    for (const [at, file] of files.entries())
      results.push(await member.import(file, { source: 'google', jobId: at + 1 }))
    return results.slice(1)
  }
  assert.deepEqual(await resultsOf([clerk], [driver]), [['job_changed']])
  assert.deepEqual(await resultsOf([clerk], [clerk, driver]), [['unchanged', 'review']])
  assert.deepEqual(await resultsOf([clerk], [driver, clerk]), [['review', 'unchanged']])
  assert.deepEqual(await resultsOf([clerk, driver], [pilot, driver]), [
    ['job_changed', 'unchanged'],
  ])
})

test('a company of another kind of file is kept as a further position, once', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const emails = [EMAIL]
  const acme = { name: 'Mira Holt', emails, company: 'Acme', title: 'Pilot' }
  await member.import([acme], { source: 'linkedin', jobId: 1 })
  const bolt = { name: 'Mira Holt', emails, company: 'Bolt', title: 'Captain' }
  const load = (contact: Partial<ImportedContact>, jobId: number) =>
    member.import([contact], { source: 'google', jobId })
  assert.deepEqual(await load(bolt, 2), ['updated'])
  const positions = async () => {
    const [person = assert.fail()] = await findConnections(member.db, [1])
    const { company, title, details: kept } = person
    return { company, title, others: kept.organizations }
  }
  const expected = {
    company: 'Acme',
    title: 'Pilot',
    others: [{ name: 'Bolt', title: 'Captain', current: true }],
  }
  assert.deepEqual(await positions(), expected)
  assert.deepEqual(await load(bolt, 3), ['unchanged'])
  assert.deepEqual(await load({ ...bolt, company: 'ACME Inc.', phones: ['+1 212 555 0100'] }, 4), [
    'updated',
  ])
  assert.deepEqual(await positions(), expected)
  assert.deepEqual(await load({ ...bolt, phones: ['+1 212 555 0101'] }, 5), ['updated'])
  assert.deepEqual(await positions(), expected)
})

test('a birthday with its year replaces the same without it, from any file but not a typed one', async () => {
  await using world = await openSharedWorld()
  const member = await world.join()
  const day = { name: 'Mira Holt', emails: [EMAIL], birthday: '--07-09' }
  const whole = { ...day, birthday: '1985-07-09' }
  await member.import([day], { source: 'linkedin', jobId: 1 })
  const birthday = async () => (await findConnections(member.db, [1]))[0]?.birthday
  assert.deepEqual(await member.import([whole], { source: 'google', jobId: 2 }), ['updated'])
  assert.equal(await birthday(), '1985-07-09')
  assert.deepEqual(await member.import([day], { source: 'linkedin', jobId: 3 }), ['unchanged'])
  assert.equal(await birthday(), '1985-07-09')
  await member.ask(updateConnectionTool, { connection_id: 'c_1', birthday: '--07-09' })
  await member.import([{ ...whole, title: 'Pilot' }], { source: 'google', jobId: 4 })
  assert.equal(await birthday(), '--07-09')
})
