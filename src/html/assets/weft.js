const layout = document.body.classList
// In the language of the page.
const texts = document.documentElement.dataset

function setCookie(name, value, maxAge = 31536000) {
  const secure = location.protocol === 'https:' ? ';secure' : ''
  document.cookie = `${name}=${value};path=/;max-age=${maxAge};samesite=lax${secure}`
}

// Tells the server the reader's time zone in a cookie, for the times on member pages. Its name is expensive to find (100 ms
// on a phone), so it is found again only when the offset from UTC changes.
if (!layout.contains('public')) {
  const offset = String(new Date().getTimezoneOffset())
  let isKnown = false
  try {
    isKnown =
      localStorage.getItem('weft-offset') === offset && document.cookie.includes('weft_time_zone=')
    localStorage.setItem('weft-offset', offset)
  } catch {
    // Storage is denied.
  }
  if (!isKnown) {
    const isTour = layout.contains('member') && !document.querySelector('main[data-member]')
    const before = document.cookie
    setCookie('weft_time_zone', Intl.DateTimeFormat().resolvedOptions().timeZone)
    // A tour begins without a page that could have told the time zone.
    if (isTour && document.cookie !== before && offset !== '0') location.reload()
  }
}

// Drafts (drafts.js) of members who are not signed in are removed: on a page of another member, and on the page for signing in.
const own = document.querySelector('main[data-member]')?.dataset.member
if (own || document.querySelector('main[data-signed-out]'))
  try {
    for (const key of Object.keys(localStorage))
      if (key.startsWith('weft-draft ') && !key.startsWith(`weft-draft ${own} `))
        localStorage.removeItem(key)
  } catch {
    // Storage is denied.
  }

// Copy buttons: `<button type="button" data-copy="text">Copy</button>`; without a text, it copies the element before the button.
document.addEventListener('click', ({ target }) => {
  const button = target.closest('[data-copy]')
  if (button) void copy(button)
})

async function copy(button) {
  try {
    await navigator.clipboard.writeText(
      button.dataset.copy || button.previousElementSibling.textContent,
    )
  } catch {
    // The clipboard is unavailable over http or denied, so select the value for manual copying.
    getSelection().selectAllChildren(button.previousElementSibling)
    return
  }
  const label = [...button.childNodes]
  button.replaceChildren(texts.textCopied)
  button.disabled = true
  setTimeout(() => {
    button.replaceChildren(...label)
    button.disabled = false
  }, 2000)
}

// Share buttons are shown where the device has a share menu.
for (const button of document.querySelectorAll('[data-share]')) {
  if (!navigator.share) continue
  button.hidden = false
  button.addEventListener('click', () => {
    navigator.share({ title: document.title, url: button.dataset.share }).catch(() => {})
  })
}

// Live content from the event stream in `data-events`: each event replaces the content, and after the last the page is
// reloaded. Without scripts, the page reloads itself periodically.
for (const live of document.querySelectorAll('[data-events]')) {
  const events = new EventSource(live.dataset.events)
  events.addEventListener('message', ({ data }) => {
    live.innerHTML = data
  })
  events.addEventListener('end', () => location.reload())
  // A page restored from the back/forward cache has lost its stream.
  addEventListener('pagehide', () => events.close())
}

// A button that grants access (`data-guarded`) is disabled until its page has been visible and focused for one second,
// so that the second click of a double-click that began on another page has no effect. The style sheet covers the time
// before this script runs; the server rejects an approval that comes sooner.
const guarded = document.querySelectorAll('[data-guarded]')
if (guarded.length > 0) {
  let timer
  const disable = () => {
    clearTimeout(timer)
    for (const button of guarded) button.disabled = true
  }
  const enable = () => {
    for (const button of guarded) button.disabled = false
  }
  const restart = () => {
    disable()
    if (document.visibilityState === 'visible' && document.hasFocus())
      timer = setTimeout(enable, 1000)
  }
  addEventListener('blur', disable)
  for (const event of ['focus', 'pageshow']) addEventListener(event, restart)
  document.addEventListener('visibilitychange', restart)
  restart()
}

// The second click of a double-click does not submit a form again while its response is on the way.
const submittedAt = new WeakMap()
document.addEventListener('submit', (event) => {
  const { target, timeStamp } = event
  if (event.defaultPrevented || target.method !== 'post') return
  if (timeStamp - (submittedAt.get(target) ?? -Infinity) < 3000) event.preventDefault()
  else submittedAt.set(target, timeStamp)
})
// A page restored from the back/forward cache can be submitted at once.
addEventListener('pageshow', () => {
  for (const form of document.forms) submittedAt.delete(form)
})

// Live preview: while a form with the URL `data-preview` is edited, updates its output, or the aside of the page.
let pause, asked
document.addEventListener('input', ({ target }) => {
  const form = target.closest('[data-preview]')
  if (!form) return
  clearTimeout(pause)
  pause = setTimeout(() => void preview(form), 120)
})

async function preview(form) {
  asked?.abort()
  asked = new AbortController()
  const shown = form.querySelector('output') ?? document.querySelector('aside')
  const body = new URLSearchParams(new FormData(form))
  try {
    const { signal } = asked
    const answer = await fetch(form.dataset.preview, { method: 'POST', body, signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const { innerHTML } = page.querySelector(shown.localName)
    // What is pressed meanwhile stays.
    if (shown.innerHTML !== innerHTML) shown.innerHTML = innerHTML
  } catch {
    // Superseded by newer input, offline, or signed out.
  }
}

// Rows of a form: `add_row` adds one from the template next to it, and `remove_row` removes its own. Without scripts,
// these buttons submit the form, and the server returns it with the changed rows.
let rowsAdded = 1000 // after the initial rows of the page

document.addEventListener('click', (event) => {
  const button = event.target.closest('[name=add_row], [name=remove_row]')
  if (!button) return
  event.preventDefault()
  const list = button.closest('fieldset')
  if (button.name === 'remove_row') {
    button.closest('.row').remove()
    list.dispatchEvent(new Event('change', { bubbles: true }))
    list.querySelector('[name=add_row]').focus()
    return
  }
  const template = list.querySelector('template')
  const row = template.innerHTML.replaceAll('-new', `-${rowsAdded++}`)
  template.insertAdjacentHTML('beforebegin', row)
  // A draft that is filled in (drafts.js) leaves the focus where it is.
  if (event.isTrusted)
    template.previousElementSibling.querySelector('input, select, textarea').focus()
})

// A value is proposed for the name, until the person types another one.
for (const field of document.querySelectorAll('[data-proposed-by]')) {
  const { name } = field.form.elements
  const hint = document.getElementById(`${field.id}-hint`)
  let proposed = ''
  const explain = () => {
    if (field.value) hint.textContent = field.dataset.proposedHint.replace('…', field.value)
  }
  field.addEventListener('input', explain)
  name.addEventListener('change', async () => {
    if (field.value !== proposed) return
    try {
      const query = new URLSearchParams({ name: name.value })
      const answer = await fetch(`${field.dataset.proposedBy}?${query}`)
      const { username } = await answer.json()
      // The person may have typed one meanwhile.
      if (answer.ok && field.value === proposed) field.value = proposed = username
      explain()
    } catch {
      // Offline: the server makes one from the name.
    }
  })
}

// The drop target of a file says which one was chosen.
document.addEventListener('change', ({ target }) => {
  const told = target.closest('.drop')?.querySelector('small')
  if (!told || !target.files[0]) return
  told.className = 'chosen'
  told.textContent = target.files[0].name
})

// A button shows what was typed as a password, and hides it.
for (const field of document.querySelectorAll('input[type="password"]')) {
  const button = Object.assign(document.createElement('button'), {
    type: 'button',
    className: 'quiet reveal',
    textContent: texts.textShow,
  })
  button.setAttribute('aria-controls', field.id)
  button.addEventListener('click', () => {
    const isHidden = field.type === 'password'
    field.type = isHidden ? 'text' : 'password'
    button.textContent = isHidden ? texts.textHide : texts.textShow
  })
  field.after(button)
}

// Dates are typed in words; the browser's picker beside the field writes one too.
const addPickers = () => {
  for (const field of document.querySelectorAll('[data-date]:not(:has(+ .picker))')) {
    const picker = document.createElement('input')
    picker.type = 'date'
    picker.className = 'picker'
    picker.ariaLabel = texts.textCalendar
    picker.addEventListener('change', () => {
      field.value = picker.value
    })
    field.after(picker)
  }
}
addPickers()
// After a part of the page was replaced (swap.js).
document.addEventListener('swap', addPickers)

// A form that opens has the focus in its first field before the next key, which would be one of the workspace otherwise.
document.addEventListener('click', (event) => {
  const box = event.target.closest('summary')?.parentElement
  const isForm = box?.matches('.composer details, [data-focus]')
  const first = isForm ? ['textarea', '[type=text], [type=time]'] : ['[autofocus]']
  const field = first.map((one) => box?.querySelector(one)).find(Boolean)
  // The tab that is open stays so.
  if (!field || (box.open && !box.matches('.composer > details'))) return
  event.preventDefault()
  box.open = true
  field.focus()
})

// What a search finds is replaced while it is typed: the parts of the page that `data-live` of its form selects. Without
// scripts, the form does it.
{
  const form = document.querySelector('form[data-live]')
  const { live } = form?.dataset ?? {}
  let timer, asking

  const replace = async () => {
    asking?.abort()
    asking = new AbortController()
    const fields = [...new FormData(form)].filter(([, value]) => value !== '')
    const address = `${form.action}?${new URLSearchParams(fields)}`
    try {
      const answer = await fetch(address, { signal: asking.signal, redirect: 'error' })
      if (!answer.ok) return
      const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
      const parts = live.split(', ')
      if (!parts.every((part) => page.querySelector(part))) return
      for (const part of parts) document.querySelector(part).replaceWith(page.querySelector(part))
      history.replaceState(null, '', address)
    } catch {
      // Superseded by newer input, offline, or signed out.
    }
  }

  form?.addEventListener('input', () => {
    clearTimeout(timer)
    timer = setTimeout(() => void replace(), 120)
  })
}
