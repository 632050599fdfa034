import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as fc from 'fast-check'
import { createTestWorld, type Person, personOf } from '../../../test/fixtures/member.ts'
import { connectionPath, NEW_CONNECTION_PATH } from '../../html/site-map.ts'
import { inLanguage } from '../../languages/language.ts'
import { SAME_ORIGIN, type Form, type Page } from '../../../test/support/visitor.ts'
import { inWords, withDates } from './draft/draft-dates.ts'
import { draftOf, EMPTY_PERSON } from './draft/person-draft.ts'

const EDIT = connectionPath('c_1', 'edit')

/** Presses buttons that change the rows of a form, one after the other. */
async function pressed(
  { visitor }: Person,
  page: Page,
  ...buttons: readonly string[]
): Promise<Page> {
  let at = page
  for (const button of buttons) {
    at = await visitor.submit(at, {}, button)
    assert.equal(at.status, 200)
  }
  return at
}

function personForm({ forms }: Page): Form {
  const form = forms.find(({ fields }) => 'given_name' in fields)
  assert.ok(form)
  return form
}

async function stored(person: Person): Promise<Readonly<Record<string, unknown>>> {
  const { emails, phones, links, details } = await personOf(person)
  return { emails, phones, links, details }
}

test('everything that a record holds is entered without scripts, changed and removed', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const blank = await pressed(
    ada,
    await ada.visitor.get(NEW_CONNECTION_PATH),
    'emails',
    'links',
    'handles',
    'addresses',
    'organizations',
    'dates',
    'relations',
  )
  const added = await ada.visitor.submit(blank, {
    name: 'Grace Hopper',
    name_prefix: 'Dr.',
    phonetic_given_name: 'Greys',
    'emails-0-value': 'Grace@Navy.example',
    'emails-0-label': 'work',
    'emails-1-value': 'g@x.example',
    'phones-0-value': '+1 555 0100',
    'phones-0-label': 'mobile',
    'links-0-value': 'https://grace.example',
    'links-0-label': 'blog',
    'handles-0-service': 'X',
    'handles-0-value': 'grace',
    'addresses-0-street': '1 Main St\r\nFloor 2',
    'addresses-0-postal_code': '22201',
    'addresses-0-city': 'Arlington',
    'addresses-0-label': 'home',
    'organizations-0-title': 'Professor',
    'organizations-0-name': 'Vassar',
    'organizations-0-from': '1931',
    'organizations-0-until': '1943-12',
    'dates-0-label': 'anniversary',
    'dates-0-date': '--06-15',
    'relations-0-name': 'Vincent',
    'relations-0-relation': 'spouse',
  })
  assert.equal(added.status, 303, added.text)
  const all = {
    emails: ['grace@navy.example', 'g@x.example'],
    phones: ['+1 555 0100'],
    links: ['https://grace.example'],
    details: {
      name_prefix: 'Dr.',
      phonetic_given_name: 'Greys',
      labels: {
        'grace@navy.example': 'work',
        '+1 555 0100': 'mobile',
        'https://grace.example': 'blog',
      },
      addresses: [
        { label: 'home', street: '1 Main St\nFloor 2', city: 'Arlington', postal_code: '22201' },
      ],
      handles: [{ service: 'x', value: 'grace' }],
      organizations: [
        { name: 'Vassar', title: 'Professor', from: '1931', until: '1943-12', current: false },
      ],
      dates: [{ label: 'anniversary', date: '--06-15' }],
      relations: [{ name: 'Vincent', relation: 'spouse' }],
    },
  }
  assert.deepEqual(await stored(ada), all)
  // Saving the form as it is shown changes nothing.
  const same = await ada.visitor.submit(await ada.visitor.get(EDIT), {}, 'Save')
  assert.equal(new URL(same.location ?? '').search, '')
  assert.deepEqual(await stored(ada), all)
  const form = await pressed(ada, await ada.visitor.get(EDIT), 'emails-0', 'relations-0')
  const changed = await ada.visitor.follow(
    await ada.visitor.submit(form, {
      'emails-0-label': 'private',
      'addresses-0-street': '',
      'addresses-0-label': '',
      'handles-0-service': '',
      'handles-0-value': '',
      'organizations-0-current': 'yes',
      name_prefix: '',
    }),
  )
  const { name_prefix: _, handles: _handles, relations: _relations, ...left } = all.details
  assert.deepEqual(await stored(ada), {
    ...all,
    emails: ['g@x.example'],
    details: {
      ...left,
      labels: {
        '+1 555 0100': 'mobile',
        'https://grace.example': 'blog',
        'g@x.example': 'private',
      },
      addresses: [{ city: 'Arlington', postal_code: '22201' }],
      organizations: [{ ...all.details.organizations[0], current: true }],
    },
  })
  await ada.visitor.submit(changed, {}, 'a_2')
  assert.deepEqual(await stored(ada), all)
})

test('what has a value is shown, and what is empty is behind “More fields”', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const details = { relations: [{ name: 'Tom', relation: 'brother' }] }
  await ada.ask('add_connections', { name: 'Ann', links: ['https://ann.example'], details })
  await ada.ask('set_custom_field', { name: 'Diet', kind: 'text' })
  const { text } = await ada.visitor.get(EDIT)
  assert.match(text, /Links URL .* Relations Name .* More fields Positions .* Addresses .* Diet /)
  assert.doesNotMatch(text, /More fields .*(?:Links|Relations)/)
  assert.doesNotMatch((await ada.visitor.get(EDIT)).html, /class="more-fields" open/)
})

test('a new person has a name, a company, an email address and a phone number; the rest is behind “More fields”', async () => {
  await using world = await createTestWorld()
  const { visitor } = await world.join('ada')
  const { text } = await visitor.get('/user/connections/new')
  assert.match(
    text,
    /Name Company Email addresses .* Phone numbers .* More fields Note Tags .* Title Location /,
  )
  const prefilled = await visitor.get('/user/connections/new?note=Met+in+Oslo&title=Cook')
  assert.match(prefilled.text, / Note Met in Oslo Tags .* Title More fields Location /)
})

test('of an address, the first box and those with a value are open, and of a new one the usual ones', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const details = { addresses: [{ region: 'Virginia', country: 'US' }] }
  await ada.ask('add_connections', { name: 'Ann', details })
  const { html } = await ada.visitor.get(EDIT)
  const row = /Addresses<[^]*?<template>/.exec(html)?.[0] ?? ''
  const blank = /Addresses<[^]*?<template>([^]*?)<\/template>/.exec(html)?.[1] ?? ''
  const open = (part: string) =>
    [...(part.split('<details')[0] ?? '').matchAll(/name="addresses-\w+-(\w+)"/g)].map(
      ([, name]) => name,
    )
  assert.deepEqual(open(row), ['street', 'country', 'region'])
  assert.deepEqual(open(blank), ['street', 'label', 'city', 'postal_code', 'country'])
  assert.equal(row.match(/name="addresses-0-\w+"/g)?.length, 8, 'the others are there, too')
})

test('emails keep the order of the form, in which the first is preferred', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const emails = Array.from({ length: 20 }, (_, at) => `e${at}@x.example`)
  await ada.ask('add_connections', { name: 'Grace Hopper', emails })
  await ada.ask('update_connections', { people: 'c_1', emails: { add: ['last@x.example'] } })
  const form = await ada.visitor.get(EDIT)
  await ada.visitor.submit(form, { 'emails-0-value': 'first@x.example' })
  const after = await stored(ada)
  assert.deepEqual(after['emails'], ['first@x.example', ...emails.slice(1), 'last@x.example'])
})

test('every error in a row is beside its control, and rows and input are kept', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper', emails: ['g@x.example'] })
  const form = await pressed(
    ada,
    await ada.visitor.get(EDIT),
    'emails',
    'links',
    'handles',
    'addresses',
    'dates',
    'dates',
    'organizations',
    'relations',
  )
  const typed = {
    nickname: 'Amazing Grace',
    'emails-1-value': 'a@x.example, b@x.example',
    'links-0-value': 'x y',
    'handles-0-value': 'grace',
    'addresses-0-label': 'home',
    // The first row of dates is left blank.
    'dates-1-label': 'anniversary',
    'dates-1-date': 'May',
    'organizations-0-department': 'Math',
    'organizations-0-from': '--05-01',
    'relations-0-relation': 'spouse',
  }
  const wrong = await ada.visitor.submit(form, typed)
  assert.equal(wrong.status, 422)
  const { errors, fields } = personForm(wrong)
  assert.deepEqual(Object.keys(errors), [
    'emails-1-value',
    'links-0-value',
    'handles-0-service',
    'addresses-0-street',
    'relations-0-name',
  ])
  assert.equal(
    errors['emails-1-value'],
    'Email address has several values. Add one email address per row.',
  )
  for (const [name, value] of Object.entries(typed)) assert.equal(fields[name], value, name)
  const rest = await ada.visitor.submit(wrong, {
    'emails-1-value': '',
    'links-0-value': '',
    'handles-0-service': 'x',
    'addresses-0-label': '',
    'relations-0-name': 'Vincent',
  })
  const left = personForm(rest).errors
  assert.deepEqual(Object.keys(left), [
    'organizations-0-title',
    'organizations-0-from',
    'dates-1-date',
  ])
  assert.match(left['dates-1-date'] ?? '', /^Date must be a date: YYYY-MM-DD/)
  const saved = await ada.visitor.submit(rest, {
    'organizations-0-title': 'Professor',
    'organizations-0-from': '1931-05',
    'dates-1-date': '1930',
  })
  assert.equal(saved.status, 303, saved.text)
})

test('a list has at most 50 values', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  await ada.ask('add_connections', { name: 'Grace Hopper' })
  const page = await ada.visitor.get(EDIT)
  const form = personForm(page)
  const rows = Array.from({ length: 51 }, (_, at) => [
    [`dates-${at}-date`, `${1900 + at}`],
    [`emails-${at}-value`, `e${at}@x.example`],
  ]).flat()
  const sent = { ...form.fields, ...(Object.fromEntries(rows) as Record<string, string>) }
  const headers = { 'sec-fetch-site': 'same-origin', origin: world.service.url }
  const wrong = await ada.visitor.post(form.action, sent, headers)
  assert.equal(wrong.status, 422)
  assert.match(wrong.text, /Email addresses Must have at most 50 items\./)
})

test('in German, dates and usual labels are shown in words, and saving them changes nothing', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const details = [
    'labels={"g@x.example":"home","+49 30 23125001":"privat"}',
    'dates=[{"label":"anniversary","date":"2015-06-20"},{"label":"Stapellauf","date":"2015-06"},{"label":"Jahrestag","date":"2016"},{"label":"Anniversary","date":"2017"}]',
    'relations=[{"name":"Vincent","relation":"spouse"}]',
  ]
  await ada.ask('add_connections', {
    name: 'Grace Hopper',
    emails: ['g@x.example'],
    phones: ['+49 30 23125001'],
    birthday: '1906-12-09',
    details,
  })
  const before = await stored(ada)
  const inGerman = { 'accept-language': 'de' }
  const form = personForm(await ada.visitor.get(EDIT, inGerman))
  const shown = {
    birthday: '9. Dez. 1906',
    'emails-0-label': 'privat',
    'phones-0-label': 'privat',
    'dates-0-label': 'Jahrestag',
    'dates-0-date': '20. Juni 2015',
    'dates-1-label': 'Stapellauf',
    'relations-0-relation': 'Ehepartner',
  }
  for (const [name, text] of Object.entries(shown)) assert.equal(form.fields[name], text, name)
  const send = (changes: object) =>
    ada.visitor.post(EDIT, { ...form.fields, ...changes }, { ...SAME_ORIGIN, ...inGerman })
  const same = await send({})
  assert.equal(same.status, 303)
  assert.equal(new URL(same.location ?? '').search, '')
  assert.deepEqual(await stored(ada), before)
  await send({ birthday: '10. Dezember 1815', 'emails-0-label': 'Arbeit' })
  const after = await personOf(ada)
  assert.equal(after.birthday, '1815-12-10')
  const { labels } = after.details as { readonly labels: object }
  assert.deepEqual(labels, { 'g@x.example': 'work', '+49 30 23125001': 'privat' })
})

test('every date that the form shows in words is read back as it was stored', () => {
  const day = fc.date({
    min: new Date('1500-01-01'),
    max: new Date('2499-12-31'),
    noInvalidDate: true,
  })
  const dates = fc.tuple(day, fc.constantFrom(4, 7, 10, -1)).map(([date, length]) => {
    const whole = date.toISOString().slice(0, 10)
    return length < 0 ? `-${whole.slice(4)}` : whole.slice(0, length)
  })
  for (const language of ['en', 'de'] as const)
    inLanguage(language, () =>
      fc.assert(
        fc.property(dates, (date) => {
          const draft = draftOf({ ...EMPTY_PERSON, birthday: date }, [])
          const words = inWords(draft, [])
          const context = { timeZone: 'UTC', now: Date.parse('2026-11-29T12:00:00Z') }
          assert.equal(withDates(words, [], context).texts['birthday'], date)
          // Whole dates and days without a year are never shown as they are stored.
          if (/^(?:\d{4}|-)-\d\d-\d\d$/.test(date)) assert.notEqual(words.texts['birthday'], date)
        }),
      ),
    )
})
