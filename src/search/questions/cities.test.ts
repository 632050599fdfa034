import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { readDataSections } from '../../base/data-file.ts'
import { canonicalTimeZone } from '../../dates/time-zone.ts'
import { cityOf, kilometersBetween } from './cities.ts'

const FILE = new URL('data/cities.txt', import.meta.url)

test('a location names its city in many languages and forms', () => {
  const cases: readonly (readonly [name: string, country: string, locations: readonly string[]])[] =
    [
      ['Munich', 'DE', ['München', 'Greater Munich Area, Germany', 'D-80331 München', 'Мюнхен']],
      ['Tokyo', 'JP', ['東京', 'Tokio', 'Tokyo, Japan']],
      ['Mexico City', 'MX', ['CDMX', 'Ciudad de México']],
      ['New York', 'US', ['NYC', 'New York, NY', 'New York City Metropolitan Area']],
      ['Brooklyn', 'US', ['Brooklyn, New York', 'Brooklyn, NY 11201']],
      ['San Francisco', 'US', ['SF', 'San Francisco Bay Area']],
      ['Hamburg', 'DE', ['Hamburg-Altona', 'Altona, Hamburg', 'Hamburg / Berlin']],
      ['Toronto', 'CA', ['Toronto, CA', 'Toronto, Ontario, Canada']],
      ['Bangalore', 'IN', ['Bangalore, IN', 'Bengaluru, Karnataka, India']],
      ['Moscow', 'RU', ['в Москве']],
      ['Kuwait City', 'KW', ['Kuwait']],
      ['Singapore', 'SG', ['Singapur']],
    ]
  for (const [name, country, locations] of cases)
    for (const location of locations) {
      const city = cityOf(location)
      assert.deepEqual([city?.name, city?.country], [name, country], location)
    }
})

test('cities with one name are distinguished by their state or country, otherwise the search decides', () => {
  const cases: readonly (readonly [location: string, timeZone: string | undefined])[] = [
    ['Cambridge', 'Europe/London'],
    ['Cambridge, UK', 'Europe/London'],
    ['Cambridge, MA', 'America/New_York'],
    ['Cambridge, Massachusetts, United States', 'America/New_York'],
    ['London', 'Europe/London'],
    ['London, Ontario, Canada', 'America/Toronto'],
    ['Birmingham, AL', 'America/Chicago'],
    ['Atlanta, Georgia', 'America/New_York'],
    ['Frankfurt', 'Europe/Berlin'],
    ['Frankfurt (Oder)', 'Europe/Berlin'],
    ['Portland, Oregon', 'America/Los_Angeles'],
    ['Portland, ME', undefined],
    ['Paris, Texas', undefined],
    ['Lagos, Portugal', undefined],
    ['Vienna, VA', undefined],
    ['Springfield', undefined],
    ['Washington State', undefined],
    ['Germany', undefined],
    ['Remote', undefined],
    ['', undefined],
  ]
  for (const [location, timeZone] of cases)
    assert.equal(cityOf(location)?.timeZone, timeZone, location)
  assert.notEqual(cityOf('Frankfurt (Oder)'), cityOf('Frankfurt'))
})

test('the file holds about 1,000 cities with possible coordinates and known time zones', () => {
  const {
    states: _states,
    fillers: _fillers,
    ...sections
  } = Object.fromEntries(readDataSections(FILE))
  const lines = Object.values(sections).flat()
  assert.ok(lines.length >= 1000 && readFileSync(FILE).length < 60_000)
  for (const line of lines) assert.match(line, /^\D+; -?\d+(\.\d+)? -?\d+(\.\d+)?$/)
  for (const [section, cities] of Object.entries(sections)) {
    const [timeZone = '', country = ''] = section.split(' ')
    assert.ok(canonicalTimeZone(timeZone), section)
    for (const line of cities) {
      const [latitude = 0, longitude = 0] = (line.split('; ')[1] ?? '').split(' ').map(Number)
      assert.ok(Math.abs(latitude) <= 70 && Math.abs(longitude) <= 180, line)
      const [name = ''] = line.split(' / ')[0]?.split(';') ?? []
      const named = new Intl.DisplayNames('en', { type: 'region' }).of(country)
      if (!section.includes(' US '))
        assert.equal(cityOf(`${name}, ${named}`)?.country, country, line)
    }
  }
})

test('distances between cities are in kilometers', () => {
  const distance = (one: string, other: string) => {
    const [from, to] = [cityOf(one), cityOf(other)]
    return from && to ? Math.round(kilometersBetween(from, to)) : undefined
  }
  assert.equal(distance('Berlin', 'Berlin'), 0)
  assert.ok(Math.abs((distance('Berlin', 'Hamburg') ?? 0) - 255) < 10)
  assert.ok(Math.abs((distance('Tokyo', 'San Francisco') ?? 0) - 8_280) < 60)
  assert.ok(Math.abs((distance('Auckland', 'Santiago') ?? 0) - 9_670) < 100)
})

test('hostile locations are read in linear time', () => {
  for (const text of ['x', ', ', 'new ', '(', 'Berlin,', 'ab1', '東', 'XX '])
    assert.doesNotThrow(() => cityOf(text.repeat(100_000 / text.length)))
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 300 }), (text) => void cityOf(text)),
  )
})
