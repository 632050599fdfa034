import assert from 'node:assert/strict'
import { test } from 'node:test'
import { encode } from 'uqr'
import { startTestService, type TestService } from '../../../test/support/service.ts'
import type { Page } from '../../../test/support/visitor.ts'
import { DAY } from '../../base/clock.ts'
import { creditBalance } from '../../credits/account.ts'
import { requireMember, updateMember } from '../../members/member.ts'
import { ACCOUNT_KIND } from '../../tools/activity-action.ts'
import { listChanges } from '../../tools/activity-log/read-activity.ts'
import { join, type Person } from '../../../test/fixtures/account.ts'
import { PROFILE_PREVIEW_PATH, PROFILE_PATH } from '../../html/site-map.ts'

const FULL = {
  name: 'Ada Lovelace',
  headline: 'Notes on the Analytical Engine',
  about: 'One.\n\nTwo.',
  location: 'London',
  organization: 'Analytical Society',
  title: 'Mathematician',
  skills: ['Algebra', 'Poetry, applied'],
  links: [{ label: 'Notes', url: 'https://ada.example/notes' }],
  avatarUrl: 'https://ada.example/ada.png',
}

test('the form holds the stored profile, and the preview shows the public page', async () => {
  await using service = await startTestService()
  const ada = await join(service, FULL)
  const page = await ada.visitor.get(PROFILE_PATH)
  assert.equal(page.status, 200)
  const { fields } = formOf(page)
  assert.equal(fields['name'], 'Ada Lovelace')
  assert.equal(fields['about'], 'One.\n\nTwo.')
  assert.equal(fields['skills'], 'Algebra, Poetry, applied')
  assert.equal(fields['links/0/label'], 'Notes')
  assert.equal(fields['links/1/url'], '')
  assert.equal(fields['visibility'], 'public')
  const preview = /<aside.*<\/aside>/s.exec(page.html)?.[0] ?? ''
  for (const text of ['Mathematician', 'Analytical Society', 'London', 'Algebra', 'Two.'])
    assert.ok(preview.includes(text), text)
  assert.ok(preview.includes('Still empty: Photo.'))
})

test('submitting the unchanged form changes nothing, even if a skill contains a comma', async () => {
  await using service = await startTestService()
  const ada = await join(service, FULL)
  const saved = await save(ada, {})
  assert.match((await ada.visitor.follow(saved)).text, /No changes to save/)
  const stored = await requireMember(service.database, ada.member.memberId)
  assert.deepEqual(stored, ada.member)
  assert.deepEqual(await changes(service, ada), [])
})

test('saving is free and recorded in the activity under the member’s name', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const saved = await save(ada, {
    headline: ' Countess ',
    about: 'One.\r\n\r\nTwo.',
    skills: 'Algebra, ,Poetry,algebra',
    'links/1/label': 'Notes',
    'links/1/url': 'https://ada.example',
    avatar_url: 'https://ada.example/ada.png',
    visibility: 'private',
  })
  assert.equal(saved.status, 303)
  assert.match(
    (await ada.visitor.follow(saved)).text,
    /Profile saved\. .*Only you can see this profile/,
  )
  const stored = await requireMember(service.database, ada.member.memberId)
  assert.equal(stored.headline, 'Countess')
  assert.equal(stored.about, 'One.\n\nTwo.')
  assert.deepEqual(stored.skills, ['Algebra', 'Poetry'])
  assert.deepEqual(stored.links, [{ label: 'Notes', url: 'https://ada.example/' }])
  assert.equal(stored.isPublic, false)
  const [change, ...others] = await changes(service, ada)
  assert.equal(others.length, 0)
  assert.equal(change?.action, 'profile.update')
  assert.equal(change.actor, 'Ada Lovelace')
  const db = service.database.member(ada.member.memberId)
  assert.equal((await creditBalance(db, 1000, service.clock.now())).remaining, 1000)
})

test('empty fields and empty link rows are cleared', async () => {
  await using service = await startTestService()
  const ada = await join(service, FULL)
  const cleared = { headline: '', about: '', skills: '', 'links/0/label': '', 'links/0/url': '' }
  assert.equal((await save(ada, cleared)).status, 303)
  const stored = await requireMember(service.database, ada.member.memberId)
  assert.deepEqual(
    [stored.headline, stored.about, stored.skills, stored.links],
    [null, null, [], []],
  )
  assert.equal(stored.title, 'Mathematician')
})

test('all errors appear beside their fields and the input is kept', async () => {
  await using service = await startTestService()
  const ada = await join(service, FULL)
  const typed = {
    name: ' ',
    username: 'no one!',
    headline: 'x'.repeat(201),
    skills: `Algebra, ${'y'.repeat(61)}`,
    'links/1/label': '<b>Bad</b>',
    'links/1/url': 'javascript:alert(1)',
    avatar_url: 'ftp://ada.example',
  }
  const page = await save(ada, typed)
  assert.equal(page.status, 422)
  const { errors, fields } = formOf(page)
  assert.deepEqual(Object.keys(errors).toSorted(), [
    'avatar_url',
    'headline',
    'links/1/url',
    'name',
    'skills',
    'username',
  ])
  assert.match(errors['skills'] ?? '', /number 2 must have at most 60/)
  for (const [name, value] of Object.entries(typed)) assert.equal(fields[name], value, name)
  assert.doesNotMatch(page.html, /<b>Bad/)
  assert.deepEqual(await requireMember(service.database, ada.member.memberId), ada.member)
})

test('the preview of what is stored does not say that it is not saved', async () => {
  await using service = await startTestService()
  const ada = await join(service, FULL)
  await save(ada, { headline: 'Countess' })
  const shown = await ada.visitor.submit(await ada.visitor.get(PROFILE_PATH), {}, 'Preview')
  assert.match(shown.text, /Preview of your public page/)
  assert.doesNotMatch(shown.text, /not saved/)
})

test('the preview shows the valid unsaved changes', async () => {
  await using service = await startTestService()
  const ada = await join(service, FULL)
  const asideOf = ({ html }: Page) => /<aside.*<\/aside>/s.exec(html)?.[0] ?? ''
  const typed = {
    headline: '<b>Countess</b>',
    title: 'x'.repeat(121),
    username: 'countess',
    skills: 'Algebra, Whist',
    'links/1/label': 'Bad',
    'links/1/url': 'javascript:alert(1)',
    visibility: 'private',
  }
  const page = await ada.visitor.get(PROFILE_PATH)
  const shown = await ada.visitor.submit(page, typed, 'Preview')
  assert.deepEqual([shown.status, shown.address], [200, service.url + PROFILE_PREVIEW_PATH])
  const aside = asideOf(shown)
  for (const text of ['&#60;b&#62;Countess', '@countess', 'Whist', 'not saved'])
    assert.ok(aside.includes(text), text)
  assert.doesNotMatch(aside, /<b>Countess|javascript:|xxx|Poetry/)
  // Invalid fields keep their stored values.
  assert.ok(aside.includes('Mathematician') && aside.includes('https://ada.example/notes'))
  const { fields, errors } = formOf(shown)
  assert.deepEqual(Object.keys(errors).toSorted(), ['links/1/url', 'title'])
  for (const [name, value] of Object.entries(typed)) assert.equal(fields[name], value, name)
  assert.deepEqual(await requireMember(service.database, ada.member.memberId), ada.member)
  assert.deepEqual(await changes(service, ada), [])
  const refused = await ada.visitor.submit(shown, {}, 'Save')
  assert.equal(refused.status, 422)
  assert.ok(asideOf(refused).includes('Whist'))
  const good = { title: 'Analyst', 'links/1/label': '', 'links/1/url': '' }
  assert.equal((await ada.visitor.submit(refused, good, 'Save')).status, 303)
  assert.ok(asideOf(await ada.visitor.get(PROFILE_PATH)).includes('Only you'))
})

test('after a username change the old URL redirects for 180 days', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const page = await ada.visitor.follow(await save(ada, { username: 'Countess' }))
  assert.match(page.text, /@countess/)
  const old = await ada.visitor.get('/human/ada')
  assert.deepEqual([old.status, old.location], [301, `${service.url}/human/countess`])
  service.clock.advance(180 * DAY)
  assert.equal((await ada.visitor.get('/human/ada')).status, 404)
})

test('a taken username shows an error beside the field', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  await join(service, { username: 'grace', name: 'Grace Hopper' })
  const page = await save(ada, { username: 'grace', headline: 'Kept' })
  assert.equal(page.status, 422)
  assert.match(formOf(page).errors['username'] ?? '', /is taken/)
  assert.equal(formOf(page).fields['headline'], 'Kept')
  assert.equal((await requireMember(service.database, ada.member.memberId)).headline, null)
})

test('concurrent changes are shown before they can be overwritten', async () => {
  await using service = await startTestService()
  const ada = await join(service)
  const { memberId } = ada.member
  const opened = await ada.visitor.get(PROFILE_PATH)
  await service.database.write((tx) =>
    updateMember(tx, memberId, { headline: 'By an agent' }, service.clock.now()),
  )
  const refused = await ada.visitor.submit(opened, { title: 'Countess' })
  assert.equal(refused.status, 409)
  assert.match(refused.text, /while you were editing.*By an agent/)
  assert.equal((await requireMember(service.database, memberId)).title, null)
  assert.equal((await ada.visitor.submit(refused, { title: 'Countess' })).status, 303)
  assert.equal((await requireMember(service.database, memberId)).title, 'Countess')
})

test('the profile form requires the member’s own session', async () => {
  await using service = await startTestService()
  const ada = await join(service, { headline: 'Only Ada’s' })
  const grace = await join(service, { username: 'grace', name: 'Grace Hopper' })
  assert.doesNotMatch((await grace.visitor.get(PROFILE_PATH)).text, /Only Ada/)
  await save(grace, { headline: 'Only Grace’s' })
  assert.equal((await requireMember(service.database, ada.member.memberId)).headline, 'Only Ada’s')
  const forged = await grace.visitor.post(PROFILE_PATH, { headline: 'x', form_token: 'x' })
  assert.equal(forged.status, 403)
  const stranger = await fetch(service.url + PROFILE_PATH, { redirect: 'manual' })
  assert.equal(stranger.status, 303)
})

type Fields = Readonly<Record<string, string>>

async function save({ visitor }: Person, fields: Fields): Promise<Page> {
  const page = await visitor.get(PROFILE_PATH)
  return visitor.submit(page, { headline: formOf(page).fields['headline'] ?? '', ...fields })
}

function formOf(page: Page) {
  const form = page.forms.find(({ fields }) => 'headline' in fields)
  assert.ok(form, page.text)
  return form
}

/** Apart from the sign-in. */
async function changes({ database }: TestService, { member }: Person) {
  const all = await listChanges(database.member(member.memberId), Number.MAX_SAFE_INTEGER, 10)
  return all.filter(({ subjectKind }) => subjectKind !== ACCOUNT_KIND)
}

test('a public profile has a QR code with its URL', async () => {
  await using service = await startTestService()
  const { visitor, member } = await join(service)
  const { html } = await visitor.get(PROFILE_PATH)
  const [, size = '', path = ''] =
    /viewBox="0 0 (\d+) \d+"\s+role="img"[^>]*>\s*<path d="([^"]*)"/.exec(html) ?? []
  const dark = new Set([...path.matchAll(/M(\d+ \d+)h1v1h-1z/g)].map(([, square]) => square))
  const { data } = encode(`${service.url}/human/${member.username}`, { ecc: 'M', border: 4 })
  assert.equal(data.length, Number(size))
  data.forEach((row, y) => row.forEach((isDark, x) => assert.equal(dark.has(`${x} ${y}`), isDark)))
})
