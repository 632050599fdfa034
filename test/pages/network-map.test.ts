/** The map of the network: no label lies on a bubble or on another label, wherever people live. */

import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { placesMap } from '../../src/pages/network/map.ts'
import { readDataLines } from '../../src/base/data-file.ts'
import { cityOf, type City } from '../../src/search/questions/cities.ts'
import { askTool } from '../fixtures/member.ts'
import { browserMissing } from '../support/browser.ts'
import { DESK, evaluate, PHONE } from './judge.ts'
import { openWindows } from './windows.ts'
import type { Place } from '../../src/pages/network/map-layout.ts'

const NAMED = new URL('../../src/search/questions/data/cities.txt', import.meta.url)

function knownCities(): readonly City[] {
  const names = readDataLines(NAMED).flatMap((line) => /^([^/;[=]+?) ?[/;]/.exec(line)?.[1] ?? [])
  return names.flatMap((name) => cityOf(name) ?? [])
}

const LABELS = ['', ' am Main', ' (Metropolitan Region of the Capital)', ' 東京都市圏']

/** Sizes as they are: a few large places, and many small ones. */
function somePlaces(cities: readonly City[]): fc.Arbitrary<readonly Place[]> {
  const place = fc.record({
    city: fc.constantFrom(...cities),
    people: fc.oneof(fc.integer({ min: 1, max: 3 }), fc.integer({ min: 1, max: 400 })),
    share: fc.constantFrom(0, 0.1, 1),
    suffix: fc.constantFrom(...LABELS),
  })
  return fc
    .uniqueArray(place, { minLength: 1, maxLength: 60, selector: ({ city }) => city })
    .map((all) =>
      all
        .map(({ city, people, share, suffix }) => ({
          city,
          label: city.name + suffix,
          values: [city.name],
          people,
          recent: Math.floor(people * share),
          known: people,
          latest: null,
        }))
        .toSorted((one, other) => other.people - one.people),
    )
}

/** Pairs of labels, and of labels and bubbles, whose shapes meet, and labels outside their map. */
const COLLISIONS = `[...document.querySelectorAll('.maps svg')].flatMap((map) => {
  if (map.getClientRects().length === 0) return []
  const texts = [...map.querySelectorAll('text')].filter((one) => one.getClientRects().length > 0)
  const boxes = texts.map((text) => [text.textContent.trim(), text.getBBox()])
  const { width, height } = map.viewBox.baseVal
  const meets = (one, other) => one.x < other.x + other.width - 1 && other.x < one.x + one.width - 1 &&
    one.y < other.y + other.height - 1 && other.y < one.y + one.height - 1
  const frame = [...map.querySelectorAll('.frame')].map((one) => one.getBBox())
  const circles = [...map.querySelectorAll('circle.all')].map((circle) => circle.getBBox())
  const isOut = ({ x, y, width: w, height: h }) => x < -1 || y < -1 || x + w > width + 1 || y + h > height + 1
  return boxes.flatMap(([name, box], at) => [
    ...(isOut(box) ? [name + ' is outside'] : []),
    ...boxes.slice(at + 1).filter(([, other]) => meets(box, other)).map(([other]) => name + ' lies on ' + other),
    ...frame.filter((other) => meets(box, other)).map(() => name + ' runs into the frame'),
    ...circles.filter((circle) => {
      const [x, y, r] = [circle.x + circle.width / 2, circle.y + circle.height / 2, circle.width / 2]
      const [dx, dy] = [Math.max(box.x - x, 0, x - box.x - box.width), Math.max(box.y - y, 0, y - box.y - box.height)]
      return Math.hypot(dx, dy) < r - 1
    }).map(() => name + ' lies on a bubble'),
  ])
})`

test(
  'no label of random cities lies on a bubble or on another label',
  { skip: browserMissing },
  async () => {
    const cities = knownCities()
    assert.ok(cities.length > 500)
    await using world = await openWindows()
    const page = await world.open({ viewport: DESK })
    await page.goto('/user/network')
    let labels = 0
    await fc.assert(
      fc.asyncProperty(somePlaces(cities), async (places) => {
        const map = placesMap(places).toString()
        await evaluate(page, `document.querySelector('main').innerHTML = ${JSON.stringify(map)}`)
        for (const viewport of [DESK, PHONE]) {
          await page.setViewportSize(viewport)
          assert.deepEqual(await evaluate(page, COLLISIONS), [])
        }
        labels += Number(await evaluate(page, "document.querySelectorAll('.maps text').length"))
        const shown = await evaluate(
          page,
          "[...document.querySelectorAll('.maps title')].map((one) => one.textContent)",
        )
        assert.ok((shown as string[]).length > 0)
      }),
      { numRuns: 12 },
    )
    assert.ok(labels > 12, `${labels} labels`)
  },
)

test(
  'the map of the world is drawn where it has room, and elsewhere the number of people outside is said',
  { skip: browserMissing },
  async () => {
    const at = (name: string, people: number) => {
      const city = cityOf(name)
      assert.ok(city, name)
      return { label: name, values: [name], city, people, recent: 0, known: people, latest: null }
    }
    const places = [
      at('Berlin', 9),
      at('London', 5),
      at('Tokyo', 4),
      at('Madrid', 3),
      at('Lagos', 1),
    ]
    await using world = await openWindows()
    const page = await world.open({ viewport: DESK })
    await page.goto('/user/network')
    const map = placesMap(places).toString()
    await evaluate(page, `document.querySelector('main').innerHTML = ${JSON.stringify(map)}`)
    const shown = `['.maps .world', '.maps .outside'].map((one) =>
      document.querySelector(one).getClientRects().length > 0)`
    for (const width of [1280, 768]) {
      await page.setViewportSize({ width, height: 900 })
      assert.deepEqual(await evaluate(page, shown), [true, false], String(width))
    }
    await page.setViewportSize(PHONE)
    assert.deepEqual(await evaluate(page, shown), [false, true])
    assert.match(map, /5 people are outside this map\./)
  },
)

test('a place that a larger one covers becomes a part of it, and no one is lost', () => {
  const at = (name: string, people: number) => {
    const city = cityOf(name)
    assert.ok(city, name)
    const counts = { people, recent: 1, known: people, latest: null }
    return { label: name, values: [name], city, ...counts }
  }
  const places = [at('Hamburg', 11), at('Kiel', 8), at('Berlin', 5), at('Warsaw', 8)]
  const titles = [
    ...placesMap(places)
      .toString()
      .matchAll(/<title>([^<]*)<\/title>/g),
  ]
  assert.deepEqual(
    titles.map(([, title]) => title),
    [
      'Hamburg and Kiel: 19, 2 within a year',
      'Warsaw: 8, 1 within a year',
      'Berlin: 5, 1 within a year',
    ],
  )
})

test('faces beside a company do not cover each other', { skip: browserMissing }, async () => {
  await using world = await openWindows()
  const connections = ['Hana Choi', 'Mara Weiss', 'Milo Thorn'].map((name) => ({
    name,
    company: 'Navy',
  }))
  const { service } = world
  await askTool(service.url, await service.mintToken(), 'add_connections', { connections })
  const page = await world.open({ viewport: DESK })
  await page.goto('/user/network/introductions')
  await page.getByRole('link', { name: 'Navy' }).waitFor()
  const boxes = await page.locator('.faces > .face').evaluateAll((faces) =>
    faces.map((one) => {
      const { left, right } = one.getBoundingClientRect()
      return { left, right }
    }),
  )
  assert.equal(boxes.length, 3)
  for (const [at, { left }] of boxes.entries())
    assert.ok(left > (boxes[at - 1]?.right ?? 0), `${left} of ${boxes[at - 1]?.right}`)
})
