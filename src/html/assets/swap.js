// Forms and links of `[data-swap]` that lead back to such a page replace it in place, so that nothing moves. Without scripts,
// the browser loads the page. A form `data-autosave` is sent whenever a choice in it changes.
{
  let asking

  const tell = (message) => {
    const toast = Object.assign(document.createElement('div'), { className: 'toast' })
    message.className = 'notice with-act'
    message.role = 'alert'
    toast.append(message)
    document.querySelector('.toast')?.remove()
    document.querySelector('main').append(toast)
  }

  const swap = async (address, body) => {
    asking?.abort()
    const { signal } = (asking = new AbortController())
    const answer = await fetch(address, { method: body ? 'POST' : 'GET', body, signal })
    const page = new DOMParser().parseFromString(await answer.text(), 'text/html')
    // A tour only says that nothing changed.
    const told = page.querySelector('main:not([data-member]) .message')
    if (body && told) return tell(told)
    if (!page.querySelector('[data-swap]')) {
      // What was rejected is shown by the browser.
      if (answer.status === 422 || answer.status === 409) throw new Error(answer.statusText)
      // Signed out, or another error.
      return location.assign(body ? location.href : answer.url)
    }
    const rows = () => [...document.querySelectorAll('[data-keys]')]
    const focused = document.activeElement
    const at = rows().indexOf(focused.closest('[data-keys]'))
    const field = page.querySelector('main [autofocus]:not([popover] *)')
    field?.removeAttribute('autofocus')
    for (const part of ['main', '#menu', '.bottom'])
      document.querySelector(part)?.replaceWith(page.querySelector(part) ?? '')
    if (answer.ok) history.replaceState(null, '', answer.url)
    document.title = page.title
    document.dispatchEvent(new Event('swap'))
    const next = at < 0 ? undefined : (rows()[at] ?? rows().at(-1))?.querySelector('a.t')
    // A choice that is gone leaves its focus to the first of its group.
    const [other] = document.getElementsByName(focused.name)
    const to = field ?? document.getElementById(focused.id) ?? next ?? other
    to?.focus({ preventScroll: true })
    // The caret goes to the end, so that typing continues there.
    if (to?.matches('[type=text], textarea')) to.setSelectionRange(to.value.length, to.value.length)
    ;(field?.form ?? to)?.scrollIntoView({ block: 'nearest' })
  }

  const isHere = ({ pathname }) => /^\/user(?:\/briefing|\/follow-ups)?$/.test(pathname)

  document.addEventListener('click', (event) => {
    const link = event.target.closest('[data-swap] :is(a[data-key], .in-place a, a[href*="edit="])')
    if (!link || !isHere(link) || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    swap(link.href).catch(({ name }) => name === 'AbortError' || location.assign(link.href))
  })

  const send = (form, submitter) => {
    const body = new URLSearchParams(new FormData(form, submitter))
    if (submitter?.hasAttribute('formaction')) form.action = submitter.formAction
    swap(form.action, body).catch(({ name }) => {
      if (name === 'AbortError') return
      if (submitter?.name) {
        const field = Object.assign(document.createElement('input'), { type: 'hidden' })
        ;[field.name, field.value] = [submitter.name, submitter.value]
        form.append(field)
      }
      form.submit()
    })
  }
  document.addEventListener('submit', (event) => {
    const { target, submitter } = event
    const isTold = target.closest('[data-swap], main:not([data-member])')
    if (event.defaultPrevented || !isTold || target.method !== 'post') return
    event.preventDefault()
    send(target, submitter)
  })
  document.addEventListener('change', ({ target }) => {
    const form = target.closest('form[data-autosave]')
    if (form) send(form)
  })

  // Back from the app of an agent, the line about its first call is current.
  document.addEventListener('visibilitychange', () => {
    const waits = document.querySelector('[data-swap] .status:not(.on)')
    if (waits && !document.hidden && !document.querySelector('.logging'))
      swap(location.href).catch(() => {})
  })
}
