import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deviceAt, openDevice, phoneCard } from '../../../test/fixtures/dav-device.ts'
import { startTestService } from '../../../test/support/service.ts'
import { openSignedIn } from '../../../test/support/visitor.ts'
import { givePassword, PASSWORD } from '../../../test/support/password.ts'
import { ACTIVITY_PATH, CONTACT_DEVICES_PATH, REVOKE_DEVICE_PATH } from '../../html/site-map.ts'
import { accessOf } from '../../exports/access-file.ts'
import { setCustomField } from '../../connections/custom-fields/custom-field-changes.ts'
import { findConnection, updateConnection } from '../../connections/model/connection-store.ts'
import { recordSearchChanges } from '../../connections/model/search-changes.ts'
import type { TestServiceOptions } from '../../../test/support/service.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

async function openPage(options: TestServiceOptions = {}) {
  const service = await startTestService(options)
  const ada = await service.addMember({ email: 'ada@example.org' })
  await givePassword(service, ada)
  const visitor = await openSignedIn(service, ada)
  return {
    service,
    ada,
    visitor,
    db: service.database.member(ada.memberId),
    show: () => visitor.get(CONTACT_DEVICES_PATH),
    [Symbol.asyncDispose]: () => service[Symbol.asyncDispose](),
  }
}

test('a member adds a device, whose password is shown once, and revokes it', async () => {
  await using world = await openPage()
  const { service, ada, visitor } = world
  const wrong = await visitor.submit(await world.show(), { name: HOSTILE, confirm_password: 'no' })
  assert.equal(wrong.status, 422)
  assert.ok(!wrong.html.includes('<img'))
  const form = { name: HOSTILE, tag: '', access: 'write', confirm_password: PASSWORD }
  const created = await visitor.follow(await visitor.submit(await world.show(), form))
  assert.match(created.text, /added.*you won't see it again/)
  assert.ok(!created.html.includes('<img'))
  const [password = ''] = /(?:[a-z2-9]{4}-){5}[a-z2-9]{4}/.exec(created.html) ?? []
  assert.match(created.html, /class="qr"/)
  const { memberId } = ada
  const phone = deviceAt(service.url, { deviceId: '', username: 'ada', password, memberId })
  assert.equal((await phone.put('a.vcf', phoneCard('u1', 'Ann Lee'))).status, 201)
  const profile = await visitor.submit(created, {}, 'Download profile')
  assert.match(profile.html, /<key>CardDAVPassword<\/key><string>(?:[a-z2-9]{4}-){5}/)
  assert.match(profile.html, new RegExp(`<string>/dav/${memberId}/</string>`))
  const again = await world.show()
  assert.ok(!again.html.includes(password) && !(await service.everything()).includes(password))
  assert.match(again.text, /last used just now/)
  const forms = again.forms.filter(({ action }) => action.endsWith(REVOKE_DEVICE_PATH))
  const revoked = await visitor.follow(await visitor.submit({ ...again, forms }))
  assert.match(revoked.text, /Device revoked/)
  assert.equal((await phone.get('a.vcf')).status, 401)
})

test('custom fields leave only if the member chooses so, and no client changes or doubles them', async () => {
  await using world = await openPage()
  const { service, ada, visitor, db } = world
  const phone = await openDevice(service, ada)
  const latin = Buffer.from(phoneCard('u2', 'Bj\u00f6rn Vier'), 'latin1')
  const card = phoneCard('u1', 'Ann Lee', 'X-WEFT-FIELD:Own;line', 'NOTE:mine')
  await phone.put('a.vcf', card)
  await phone.send('PUT', `${phone.book}b.vcf`, latin, { 'content-type': 'text/vcard' })
  const texts = ['Climbing, b\u00f6lder;\nand \\ more', 'x'.repeat(500)]
  const [hobby, other] = await db.write(async (tx) => [
    (await setCustomField(tx, { name: 'Hobby; and' }, service.clock.now())).field,
    (await setCustomField(tx, { name: 'Z\u00fcge' }, service.clock.now())).field,
  ])
  assert.ok(hobby && other)
  const fill = (id: number) =>
    db.write(async (tx) => {
      const before = await findConnection(tx, id)
      assert.ok(before)
      const custom = { [hobby.fieldId]: texts[0] ?? '', [other.fieldId]: texts[1] ?? '' }
      await updateConnection(tx, before, {
        ...before,
        details: { ...before.details, custom },
        version: before.version + 1,
      })
      await recordSearchChanges(tx, [id])
    })
  await fill(1)
  await fill(2)
  const etags = await phone.list()
  assert.equal((await phone.get('a.vcf')).text, card)
  const page = await world.show()
  // A second click changes nothing, and is no second entry of the activity log.
  await visitor.submit(page, {}, 'Include custom fields')
  const included = await visitor.follow(await visitor.submit(page, {}, 'Include custom fields'))
  assert.match(included.text, /have your custom fields with the next sync/)
  const { text: activity } = await visitor.get(ACTIVITY_PATH)
  assert.equal(activity.match(/changed whether contacts apps have your custom fields/g)?.length, 1)
  const access = await accessOf(db, service.clock.now())
  assert.partialDeepStrictEqual(access, { devices_have_custom_fields: true })
  const { token } = await phone.sync()
  const shown = (await phone.get('a.vcf')).text
  const first = 'X-WEFT-CUSTOM:Hobby\\; and;Climbing\\, b\u00f6lder\\;\\nand \\\\ more'
  const unfolded = shown.replaceAll('\r\n ', '')
  assert.ok(unfolded.includes(`${first}\r\nX-WEFT-CUSTOM:Z\u00fcge;${texts[1]}\r\n`), shown)
  assert.deepEqual(shown.replaceAll(/X-WEFT-CUSTOM:.*\r\n(?: .*\r\n)*/g, ''), card)
  assert.ok((await phone.get('b.vcf')).bytes.includes('Z\u00fcge'))

  const lines = /X-WEFT-CUSTOM[^]*?(?=UID|NOTE|END|X-WEFT-FIELD)/
  const clients: readonly [string, string][] = [
    ['drops them', shown.replace(lines, '')],
    ['changes them', shown.replace(/X-WEFT-CUSTOM:[^;]*?;/, 'item1.X-WEFT-CUSTOM;A=1:Changed;')],
    ['doubles them', shown.replace(lines, (found) => found + found)],
    [
      'writes another order',
      unfolded.replace(/(X-WEFT-CUSTOM:.*\r\n)(X-WEFT-CUSTOM:.*\r\n)/, '$2$1'),
    ],
  ]
  for (const [about, sent] of clients) {
    const put = await phone.put('a.vcf', sent)
    assert.deepEqual([put.status, put.headers.get('etag')], [204, null], about)
    const served = (await phone.get('a.vcf')).text.replaceAll('\r\n ', '')
    assert.equal(served.match(/X-WEFT-CUSTOM/g)?.length, 2, about)
    assert.ok(served.includes(first), about)
    assert.equal(served.match(/NOTE:mine/g)?.length, 1, about)
  }
  assert.equal((await findConnection(db, 1))?.details.custom?.[hobby.fieldId], texts[0])
  const repeated = await phone.put('a.vcf', (await phone.get('a.vcf')).text)
  assert.notEqual(repeated.headers.get('etag'), null)
  assert.deepEqual((await phone.sync((await phone.sync(token)).token)).changed, [])

  await db.write((tx) =>
    setCustomField(tx, { name: hobby.name, renameTo: 'Sport' }, service.clock.now()),
  )
  assert.ok((await phone.get('a.vcf')).text.includes('X-WEFT-CUSTOM:Sport;'))
  const excluded = await visitor.follow(
    await visitor.submit(await world.show(), {}, 'Leave out custom fields'),
  )
  assert.match(excluded.text, /no longer have your custom fields/)
  assert.deepEqual((await phone.get('b.vcf')).bytes, latin)
  assert.equal((await phone.list()).get('b.vcf'), etags.get('b.vcf'))
  assert.ok(!(await phone.get('a.vcf')).text.includes('X-WEFT-CUSTOM'))
  assert.ok((await phone.get('a.vcf')).text.includes('X-WEFT-FIELD:Own;line'))
})

test('a burst pauses the device until the member confirms, and all its changes can be undone at once', async () => {
  await using world = await openPage({ davBurst: { people: 3, percent: 20 } })
  const { service, ada, visitor, db } = world
  const own = await openDevice(service, ada, { name: 'Mac' })
  for (let index = 1; index <= 10; index++)
    await own.put(`${index}.vcf`, phoneCard(`u${index}`, `Person ${index}`))
  service.clock.advance(2 * 3_600_000)
  const phone = await openDevice(service, ada, { name: 'Phone' })
  await phone.put('1.vcf', phoneCard('u1', 'Changed One', 'TEL:1'))
  const remove = (index: number) => phone.send('DELETE', `${phone.book}${index}.vcf`)
  assert.deepEqual([(await remove(2)).status, (await remove(3)).status], [204, 204])
  const paused = await remove(4)
  assert.deepEqual([paused.status, paused.headers.get('retry-after')], [503, '3600'])
  assert.equal((await phone.put('5.vcf', phoneCard('u5', 'New Name'))).status, 503)
  assert.equal((await phone.list()).size, 8)
  assert.equal((await own.put('5.vcf', phoneCard('u5', 'Person 5', 'TEL:5'))).status, 204)
  const shown = await world.show()
  assert.match(shown.text, /changed or deleted many people/)
  const confirmed = await visitor.follow(await visitor.submit(shown, {}, 'Confirm changes'))
  assert.match(confirmed.text, /Changes confirmed/)
  assert.equal((await remove(4)).status, 204)
  const page = await world.show()
  const forms = page.forms.filter(({ fields }) => fields['device_id'] === phone.deviceId)
  const undone = await visitor.follow(await visitor.submit({ ...page, forms }, {}, 'Undo changes'))
  assert.match(undone.text, /Changes undone/)
  assert.equal((await findConnection(db, 1))?.name, 'Person 1')
  for (const id of [2, 3, 4])
    assert.equal((await findConnection(db, id))?.deletedAt, null, String(id))
  assert.equal((await own.get('1.vcf')).text.includes('FN:Person 1'), true)
  assert.equal((await own.list()).size, 10)
})
