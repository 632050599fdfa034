/**
 * An address book app with tsdav: finds the book from the host alone, syncs by token, and writes cards of both versions.
 * Prints each step. Arguments: the URL of the host, the username, the password of a device.
 */

import assert from 'node:assert/strict'
import { argv, stdout } from 'node:process'
import { createDAVClient, DAVNamespaceShort } from 'tsdav'

const [, , serverUrl, username, password] = argv
const client = await createDAVClient({
  serverUrl,
  credentials: { username, password },
  authMethod: 'Basic',
  defaultAccountType: 'carddav',
})
const [book, ...others] = await client.fetchAddressBooks()
assert.equal(others.length, 0)
assert.deepEqual(book.resourcetype.toSorted(), ['addressbook', 'collection'])
assert.ok(book.syncToken && book.ctag && book.reports.includes('syncCollection'))
stdout.write('found the address book')

const cardOf = (version, name, ...more) =>
  ['BEGIN:VCARD', `VERSION:${version}`, `UID:${name}`, `FN:${name}`, 'N:;;;;', ...more]
    .concat('END:VCARD', '')
    .join('\r\n')
const three = cardOf('3.0', 'Ann', 'TEL;TYPE=CELL:+49 30 1', 'X-OWN:1')
const four = cardOf('4.0', 'Bo', 'BDAY:--1130', 'PHOTO:data:image/png;base64,iVBORw0KGgo=')
const create = (filename, vCardString) =>
  client.createVCard({ addressBook: book, filename, vCardString })
const first = await create('a.vcf', three)
assert.equal(first.status, 201)
assert.ok(first.headers.get('etag'), 'a card that is stored as it came has an ETag')
const second = await create('b.vcf', four)
assert.equal(second.status, 201)
assert.equal(second.headers.get('etag'), null, 'a card of version 4.0 is served in another one')
assert.equal((await create('a.vcf', three)).status, 412)
const cards = await client.fetchVCards({ addressBook: book })
const named = (name) => cards.find(({ url }) => url.endsWith(`/${name}`))
assert.equal(named('a.vcf').data.trim(), three.trim())
assert.match(named('b.vcf').data, /VERSION:3\.0[^]*ENCODING=b/)
const [whole] = await client.addressBookMultiGet({
  url: book.url,
  props: {
    [`${DAVNamespaceShort.DAV}:getetag`]: {},
    [`${DAVNamespaceShort.CARDDAV}:address-data`]: {
      _attributes: { 'content-type': 'text/vcard', version: '4.0' },
    },
  },
  objectUrls: [new URL(named('b.vcf').url).pathname],
  depth: '1',
})
assert.equal(whole.props.addressData.trim(), four.trim())
stdout.write(', created and read cards of both versions')

const [before] = await client.fetchAddressBooks()
const changed = three.replace('+49 30 1', '+49 30 2')
const update = (vCard) => client.updateVCard({ vCard })
assert.equal((await update({ ...named('a.vcf'), data: changed })).status, 204)
assert.equal((await update({ ...named('a.vcf'), data: three })).status, 412)
stdout.write(', updated one, not with a stale ETag')
assert.equal((await client.deleteVCard({ vCard: named('b.vcf') })).status, 204)
assert.equal((await client.deleteVCard({ vCard: named('a.vcf') })).status, 412)
assert.equal((await create('c.vcf', cardOf('3.0', 'Cem'))).status, 201)
const { objects } = await client.smartCollectionSync({
  collection: { ...before, objects: cards, objectMultiGet: client.addressBookMultiGet },
  method: 'webdav',
  detailedResult: true,
})
const names = (list) => list.map(({ url }) => url.slice(-5)).toSorted()
assert.deepEqual(names(objects.created), ['c.vcf'])
assert.deepEqual(names(objects.updated), ['a.vcf'])
assert.deepEqual(names(objects.deleted), ['b.vcf'])
assert.equal(objects.updated[0].data.trim(), changed.trim())
stdout.write(', and synced an addition, a change and a deletion')

const [last] = await client.fetchAddressBooks()
assert.notEqual(last.syncToken, before.syncToken)
assert.equal((await client.isCollectionDirty({ collection: before })).isDirty, true)
assert.equal((await client.isCollectionDirty({ collection: last })).isDirty, false)
