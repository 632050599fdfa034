import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestWorld } from '../../../test/fixtures/member.ts'
import { BRIEFING_PATH } from '../../html/site-map.ts'

const HOSTILE = '<img src=x onerror=alert(1)>'

// Today is 2026-11-21, a Saturday.
test('the page shows what matters today, and the days before and after it', async () => {
  await using world = await createTestWorld()
  const ada = await world.join('ada')
  const show = (search = '') => ada.visitor.get(BRIEFING_PATH + search)
  assert.match(
    (await show()).text,
    /Briefing for today .*No meetings with other people\. They come from your calendars/,
  )
  await ada.ask('add_connections', { name: HOSTILE, birthday: '1990-11-23' })
  await ada.ask('save_follow_up', { people: 'c_1', text: HOSTILE, due_on: '2026-11-22' })
  const today = await show()
  assert.match(today.text, /Birthdays <img src=x onerror=alert\(1\)> Mon 23 Nov 2026/)
  assert.match(
    today.text,
    /Changes by agents Claude Agent Planned a follow-up with <img .* · Added <img /,
  )
  assert.ok(!today.html.includes('<img'))
  assert.doesNotMatch(today.text, /Follow-ups <img/)
  const tomorrow = await show('?day=2026-11-22')
  assert.match(tomorrow.text, /Briefing for Sun 22 Nov 2026/)
  assert.match(tomorrow.text, /Sun 22 Nov 2026/)
  assert.match((await show('?day=nonsense')).text, /Briefing for today/)
})
