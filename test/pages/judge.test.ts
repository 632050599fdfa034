import assert from 'node:assert/strict'
import { test } from 'node:test'
import { browserMissing, openBrowser } from '../support/browser.ts'
import { brokenPolicies, complaintsOf, judge, PHONE } from './judge.ts'
import { startOther } from './world.ts'
import { contentSecurityPolicy } from '../../src/html/content-security-policy.ts'

const whole = (body: string, title = 'Weft') => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <title>${title}</title>
  </head>
  <body>
    <main>${body}</main>
  </body>
</html>`

/** Invalid pages, with the expected findings. */
const WRONG: Readonly<Record<string, readonly [told: RegExp, document: string]>> = {
  'an inline script': [/script-src-elem/, whole('<h1>A</h1><script>alarmed = 1</script>')],
  'an inline style': [/no-inline-style/, whole('<h1 style="color: red">A</h1>')],
  'invalid HTML that browsers repair': [
    /element-permitted-content/,
    whole('<h1>A</h1><p><span><div>b</div></span></p>'),
  ],
  'a duplicate ID': [/no-dup-id/, whole('<h1 id="a">A</h1><p id="a">b</p>')],
  'an image without alt text': [/image-alt|wcag/, whole('<h1>A</h1><img src="/a.png" />')],
  'a second h1': [/heading/, whole('<h1>A</h1><h1>B</h1>')],
  'a page wider than the window': [/sideways/, whole(`<h1>A</h1><p>${'W'.repeat(200)}</p>`)],
}

for (const [name, [told, document]] of Object.entries(WRONG))
  test(`the judge finds ${name}`, { skip: browserMissing }, async () => {
    await using served = await serve(document)
    await served.page.goto(served.address)
    await assert.rejects(judge(served.page, 'the page'), told)
  })

test('the judge accepts a valid page', { skip: browserMissing }, async () => {
  await using served = await serve(whole('<h1>A</h1><p>b</p>'))
  const complaints = complaintsOf(served.page)
  await served.page.goto(served.address)
  await judge(served.page, 'the page')
  assert.deepEqual(complaints, [])
})

test('later policy violations are reported too', { skip: browserMissing }, async () => {
  await using served = await serve(
    whole('<h1>A</h1><form action="https://elsewhere.example/"><button>Send</button></form>'),
  )
  const { page, address } = served
  const complaints = complaintsOf(page)
  await page.goto(address)
  assert.deepEqual(await brokenPolicies(page), [])
  const said = page.waitForEvent('console')
  await page.getByRole('button').click({ noWaitAfter: true })
  await said
  assert.match(complaints.join(), /form-action/)
})

async function serve(document: string) {
  const other = await startOther('127.0.0.1', (_request, response) => {
    const policy = contentSecurityPolicy()
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
    })
    response.end(document)
  })
  const opened = await openBrowser()
  const page = await opened.browser.newPage({ viewport: PHONE })
  return {
    page,
    address: `http://127.0.0.1:${other.port}/`,
    async [Symbol.asyncDispose]() {
      await opened[Symbol.asyncDispose]()
      await other[Symbol.asyncDispose]()
    },
  }
}
