import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyLines, oneLine } from './contact/clean-text.ts'
import { birthdayIn, dayIn } from '../dates/date-notations.ts'
import { emailsIn, phoneIn } from './contact/emails-and-phones.ts'
import { collect, streamOf } from '../../test/fixtures/reading.ts'
import { readBlocks } from './bytes/blocks.ts'
import { decodeText } from './bytes/text.ts'
import { linkIn, profileUrlIn } from './contact/urls.ts'

test('reads dates as exports write them, in seven languages', () => {
  const days: Record<string, string | null> = {
    '12 Mar 2024': '2024-03-12',
    '7-Feb-22': '2022-02-07',
    '2021-11-03': '2021-11-03',
    '2021-11-03T10:00:00Z': '2021-11-03',
    'Mar 5, 2020': '2020-03-05',
    '3. März 2021': '2021-03-03',
    '1er août 2020': '2020-08-01',
    '14 juil. 2019': '2019-07-14',
    '5 de mayo de 2019': '2019-05-05',
    '9 gen 2018': '2018-01-09',
    '2 mrt 2017': '2017-03-02',
    '2024年3月12日': '2024-03-12',
    '31 Feb 2020': null,
    '14 jui 2019': null,
    soon: null,
  }
  for (const [text, day] of Object.entries(days)) assert.equal(dayIn(text), day, text)
})

test('reads dates in many languages, with weekdays, eras and other digits', () => {
  const days: Record<string, string | null> = {
    '1st of March 1990': '1990-03-01',
    'Tuesday, November 12, 2002': '2002-11-12',
    'mardi 12 novembre 2002': '2002-11-12',
    'вторник, 12 ноября 2002 г.': '2002-11-12',
    '11.X.1999': '1999-10-11',
    '11 XII 1999': '1999-12-11',
    '11.XIX.1999': null,
    令和2年5月6日: '2020-05-06',
    昭和60年4月1日: '1985-04-01',
    令和元年5月1日: '2019-05-01',
    民國110年5月6日: '2021-05-06',
    '9 يونيو 2022': '2022-06-09',
    '٩ يونيو ٢٠٢٢': '2022-06-09',
    '9. čvn 2022': '2022-06-09',
    '9. junij 2022': '2022-06-09',
    '9 ביוני 2022': '2022-06-09',
    '9 जून 2022': '2022-06-09',
    '9 มิ.ย. 2565': '2022-06-09',
    '9 มิถุนายน 2565': '2022-06-09',
    'ngày 9 tháng 6 năm 2022': '2022-06-09',
    '9 tháng 6, 2022': '2022-06-09',
    'summer 12 March 2020': null,
    'before 12 March 2020': null,
  }
  for (const [text, day] of Object.entries(days)) assert.equal(dayIn(text), day, text)
})

test('reads birthdays with and without a year', () => {
  const birthdays: Record<string, string | null> = {
    '1985-03-22': '1985-03-22',
    '19850322': '1985-03-22',
    ' --12-01': '--12-01',
    '--0229': '--02-29',
    '1604-05-06': '--05-06',
    '3/22/1985': '1985-03-22',
    '3/4/85': '1985-03-04',
    '22/3/1985': '1985-03-22',
    '22.03.1985': '1985-03-22',
    '06-21': '--06-21',
    '21-06': '--06-21',
    '0/0/00': null,
    '1985-13-01': null,
  }
  for (const [text, day] of Object.entries(birthdays)) assert.equal(birthdayIn(text), day, text)
  assert.equal(birthdayIn('3/4/1985', { order: 'day-first' }), '1985-04-03')
})

test('normalizes every spelling of a LinkedIn profile URL', () => {
  const one = 'https://www.linkedin.com/in/mira-holt'
  const written = [
    'linkedin.com/in/Mira-Holt',
    'http://www.linkedin.com/in/mira-holt/',
    'https://de.linkedin.com/in/mira-holt?trk=export',
    'https://www.linkedin.com/in/mira-holt/en#about',
    ' HTTPS://M.LINKEDIN.COM/in/mira-holt ',
  ]
  for (const url of written) assert.equal(profileUrlIn(url), one, url)
  assert.equal(
    profileUrlIn('https://www.linkedin.com/in/jos%C3%A9-b'),
    'https://www.linkedin.com/in/josé-b',
  )
  assert.equal(
    profileUrlIn('https://www.linkedin.com/in/a%2Fb'),
    'https://www.linkedin.com/in/a%2fb',
  )
  const others = ['https://www.linkedin.com/company/x', 'https://evil.example/linkedin.com/in/x']
  for (const url of others) assert.equal(profileUrlIn(url), null, url)
})

test('keeps only http links, with scheme and without credentials', () => {
  assert.equal(linkIn('www.holt.example/blog'), 'https://www.holt.example/blog')
  assert.equal(linkIn('http://holt.example/'), 'http://holt.example')
  assert.equal(linkIn('https://me:pw@holt.example/x'), 'https://holt.example/x')
  for (const bad of ['javascript:alert(1)', 'data:text/html,x', 'mailto:a@b.example', 'no url', ''])
    assert.equal(linkIn(bad), null, bad)
})

test('finds the emails and phone numbers in a cell', () => {
  assert.deepEqual(emailsIn(' Mira <Mira@Holt.example>; m2@holt.example'), [
    'mira@holt.example',
    'm2@holt.example',
  ])
  assert.deepEqual(emailsIn('/o=ExchangeLabs/cn=mira'), [])
  assert.deepEqual(phoneIn('tel:+49 30 1234'), ['+49 30 1234'])
  assert.deepEqual(phoneIn('\u202a+49 30 1234\u202c'), ['+49 30 1234'])
  assert.deepEqual(phoneIn('none'), [])
})

test('strips invisible characters and never splits a character', () => {
  assert.equal(oneLine(' Mi\0ra\t\nHo\ud800lt ', 300), 'Mira Holt')
  assert.equal(oneLine('ab😀', 3), 'ab')
  assert.equal(manyLines('a\r\nb\u0007\tc', 300), 'a\nb\tc')
})

test('decodes UTF-8, UTF-16 and Windows-1252, wherever the blocks are cut', async () => {
  const text = 'Zoë Müller;😀\r\nJosé;Straße\r\n'
  const little = Buffer.from(`\ufeff${text}`, 'utf16le')
  const big = Buffer.from(little).swap16()
  const latin = Buffer.from('José;Straße\r\nAnn\r\n', 'latin1')
  const mixed = Buffer.concat([Buffer.from('Zoë\n'), Buffer.from('José\n', 'latin1')])
  for (const size of [1, 2, 3, 5, 64]) {
    const decode = async (bytes: Uint8Array) =>
      (await collect(decodeText(await readBlocks(streamOf(bytes), size)))).join('')
    assert.equal(await decode(Buffer.from(`\ufeff${text}`)), text)
    assert.equal(await decode(latin), 'José;Straße\r\nAnn\r\n')
    assert.equal(await decode(mixed), 'Zoë\nJosé\n')
    assert.equal(await decode(Buffer.from('Zoë\nJosé').subarray(0, -1)), 'Zoë\nJos')
    if (size < 2) continue
    assert.equal(await decode(little), text)
    assert.equal(await decode(big), text)
  }
})
