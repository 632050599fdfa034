// Tells the server the reader's time zone in a cookie, for the times on member pages.
if (!document.body.classList.contains('public')) {
  const { timeZone } = Intl.DateTimeFormat().resolvedOptions()
  const secure = location.protocol === 'https:' ? ';secure' : ''
  document.cookie = `weft_time_zone=${timeZone};path=/;max-age=31536000;samesite=lax${secure}`
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
  button.replaceChildren('Copied')
  button.disabled = true
  setTimeout(() => {
    button.replaceChildren(...label)
    button.disabled = false
  }, 2000)
}

// Live content from the event stream in `data-events`: each event replaces the content, and after the last the page is
// reloaded. Without scripts, the page reloads itself periodically.
for (const live of document.querySelectorAll('[data-events]')) {
  const events = new EventSource(live.dataset.events)
  events.addEventListener('message', ({ data }) => {
    live.innerHTML = data
  })
  events.addEventListener('end', () => location.reload())
  // A page that is left for another may come back as it was, its stream gone.
  addEventListener('pagehide', () => events.close())
}

// A button that grants access (`data-guarded`) is disabled until its page has been visible and focused for one second, so
// that the second click of a double-click that began elsewhere has no effect. The style sheet covers the time before this
// script runs; the server rejects an approval that comes sooner.
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

// What a form would come to (`data-preview` says where it is told) is the aside, as soon as it is typed.
const typed = document.querySelector('[data-preview]')
let pause, asked
typed?.addEventListener('input', () => {
  clearTimeout(pause)
  pause = setTimeout(preview, 250)
})

async function preview() {
  asked?.abort()
  asked = new AbortController()
  const body = new URLSearchParams(new FormData(typed))
  try {
    const { signal } = asked
    const answer = await fetch(typed.dataset.preview, { method: 'POST', body, signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    document.querySelector('aside').innerHTML = page.querySelector('aside').innerHTML
  } catch {
    // Overtaken by what was typed next, offline, or no longer signed in.
  }
}
