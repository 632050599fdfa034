// Keys press the buttons of the row or panel that has the focus (WCAG 2.1.4), such as y, n and s for duplicates.
document.addEventListener('keydown', (event) => {
  const { key, target, altKey, ctrlKey, metaKey } = event
  // Removes a part that was read from a text.
  if (key === 'Backspace' && target.matches('output > .chip')) target.click()
  if (altKey || ctrlKey || metaKey || target.matches('[type=text], textarea, select')) return
  const button = target.closest('[data-keys]')?.querySelector(`[data-key="${CSS.escape(key)}"]`)
  if (!button || target.closest('[popover]') || /(?:^|; )weft_keys=off/.test(document.cookie))
    return
  event.preventDefault()
  button.click()
})
document.querySelector('[data-keys][tabindex]')?.focus({ preventScroll: true })

// The command palette (Ctrl or Cmd and K) and the keys of the workspace. Without scripts, the list of people is searched.
// Single keys can be turned off under Account, which sets a cookie.
{
  const SEARCH = '/user/search'
  const PALETTE = '/user/palette'
  const texts = document.documentElement.dataset
  const dialog = document.querySelector('.workspace-dialog')
  const paletteForm = dialog.querySelector('form')
  let sheet, timer, asking, isStale, isEntered

  const partsOf = async (address, signal) => {
    const answer = await fetch(address, { redirect: 'error', signal })
    if (!answer.ok) throw new Error(answer.statusText)
    return new DOMParser().parseFromString(await answer.text(), 'text/html')
  }

  // Who or what the palette is for, as fields before the text.
  const SUBJECT = ':scope > :is(.subject, [type=hidden])'
  const setSubject = (form, fields) => {
    for (const old of form.querySelectorAll(SUBJECT)) old.remove()
    form.prepend(...fields)
  }

  // Asks what to offer for what is typed now. An earlier answer that is still under way is not shown.
  const find = async (form) => {
    timer = clearTimeout(timer)
    asking?.abort()
    const { signal } = (asking = new AbortController())
    isStale = true
    try {
      const address = `${PALETTE}?${new URLSearchParams(new FormData(form))}`
      const answer = (await partsOf(address, signal)).querySelector('.palette')
      if (signal.aborted) return
      const asked = answer.querySelector('form')
      setSubject(form, asked.querySelectorAll(SUBJECT))
      form.q.placeholder = asked.q.placeholder
      form.nextElementSibling.replaceWith(answer.querySelector('.found'))
      isStale = false
      if (isEntered) enter(form)
    } catch {
      if (signal.aborted) return
      // Offline or signed out.
      isStale = false
      form.nextElementSibling.replaceChildren()
      if (isEntered) form.submit()
    }
  }

  // Opens the first result of what is typed, also if the answer is still to come.
  const enter = (form) => {
    isEntered = isStale
    const first = form.nextElementSibling.querySelector('a, button')
    if (isStale && timer) void find(form)
    else if (isStale) return
    else if (first) first.click()
    else form.submit()
  }

  // The actions are for the selection of the list, for the person of the row in focus, or of the page.
  const subjectHere = () => {
    const selected = document.querySelectorAll('.bulk [name=c]:checked').length
    const here = personAt(rowHere()) ?? location.pathname
    const person = /\/c_\d+$/.exec(here)?.[0].slice(1)
    return selected > 0 ? [['selected', selected]] : person ? [['person', person]] : []
  }

  // Opens at once, so that no key is lost; what it offers follows.
  const openPalette = (subject, name = texts.textSearch) => {
    const own = document.querySelector('main .palette [type=search]')
    if (!own && (!dialog.open || subject)) {
      const fields = [...(subject ?? subjectHere())].map(([key, value]) =>
        Object.assign(document.createElement('input'), { type: 'hidden', name: key, value }),
      )
      setSubject(paletteForm, fields)
      paletteForm.q.value = ''
      paletteForm.nextElementSibling.replaceChildren()
      dialog.ariaLabel = name
      isEntered = false
      if (!dialog.open) dialog.showModal()
      void find(paletteForm)
    }
    ;(own ?? paletteForm.q).focus()
  }
  dialog.addEventListener('close', () => {
    clearTimeout(timer)
    asking?.abort()
  })

  const showShortcuts = async () => {
    if (document.querySelector('main .shortcuts')) {
      location.hash = 'keys'
      return
    }
    if (!sheet) {
      const part = (await partsOf(PALETTE)).querySelector('.shortcuts')
      sheet = document.body.appendChild(dialog.cloneNode())
      sheet.ariaLabel = texts.textShortcuts
      sheet.append(part)
    }
    sheet.showModal()
  }

  // Also to ask for the person of an action.
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event
    const link = target.closest(`a[href^="${SEARCH}"]:not(.subject)`)
    if (!link || ctrlKey || metaKey || shiftKey || document.querySelector('main .palette')) return
    event.preventDefault()
    link.closest('[popover]')?.hidePopover()
    const asked = new URLSearchParams(link.search)
    if (asked.size > 0) openPalette(asked, link.innerText)
    else openPalette()
  })

  // A mail program opens beside the page.
  dialog.addEventListener('click', ({ target }) => {
    if (target.closest('a[href^="mailto:"]')) dialog.close()
  })

  // Without the person, all of the service is searched.
  document.addEventListener('click', (event) => {
    const subject = event.target.closest('.palette .subject')
    if (!subject) return
    event.preventDefault()
    const { form } = subject.querySelector('input')
    subject.remove()
    form.q.focus()
    void find(form)
  })

  // A menu closes where one clicks beside it, and by Escape.
  const MENUS = ':is(.dropdown, .bulk-bar details)[open]'
  const closeMenus = (target) => {
    for (const menu of document.querySelectorAll(MENUS))
      if (!menu.contains(target)) menu.open = false
  }
  document.addEventListener('click', ({ target }) => closeMenus(target))

  // The field of a new follow-up stays open until a click beside it has met its target, which would move otherwise.
  document.addEventListener('focusin', ({ target }) =>
    target.closest('.adding > form')?.classList.add('open'),
  )
  document.addEventListener('click', ({ target }) => {
    const box = document.querySelector('.adding > .open')
    if (!box?.contains(target)) box?.classList.remove('open')
  })

  // A part of the bar of the selection, which is in its menu on phones.
  const actOnSelection = (part) => {
    if (!part.checkVisibility()) part.closest('[popover]')?.showPopover()
    if (part.matches('details')) {
      part.open = true
      const field = part.querySelector('textarea') ?? part.querySelector('[type=text], select')
      field.focus()
    } else part.click()
  }

  // An action for the selection opens its part of the bar.
  document.addEventListener('click', (event) => {
    const link = event.target.closest('.workspace-dialog a[href^="#bulk-"]')
    const part = link && document.querySelector(link.hash)
    if (!part) return
    event.preventDefault()
    dialog.close()
    actOnSelection(part)
  })

  document.addEventListener('input', ({ target }) => {
    const form = target.closest('.palette form')
    if (!form) return
    isStale = true
    isEntered = false
    clearTimeout(timer)
    asking?.abort()
    timer = setTimeout(() => void find(form), 100)
  })

  // Enter opens the first result; arrows move through the results.
  const inPalette = (event, palette) => {
    const links = [...palette.querySelectorAll('.found :is(a, button)')]
    const at = links.indexOf(event.target)
    if (event.key === 'ArrowDown') links[Math.min(at + 1, links.length - 1)]?.focus()
    else if (event.key === 'ArrowUp')
      (links[at - 1] ?? palette.querySelector('[type=search]')).focus()
    else if (event.key === 'Enter' && event.target.matches('[type=search]'))
      enter(event.target.form)
    else if (event.key === 'Backspace' && event.target.value === '')
      palette.querySelector('.subject')?.click()
    else {
      // What is typed beside a result goes on in the field.
      if (at >= 0 && event.key.length === 1) palette.querySelector('[type=search]').focus()
      return
    }
    event.preventDefault()
  }

  const ROWS = '#people tbody tr:not(.divider), .tasks > [data-keys]:has(> .t)'
  const rowHere = () => document.activeElement.closest(ROWS)
  const personAt = (row) =>
    (row?.querySelector('.name a, a.about') ?? row?.querySelector('a.t'))?.pathname
  const focus = (selector) => {
    const field = document.querySelector(selector)
    field?.closest('details')?.setAttribute('open', '')
    const pop = field?.closest('[popover]')
    // Its button is the anchor.
    pop?.showPopover({ source: document.querySelector(`[popovertarget=${pop.id}]`) })
    field?.focus()
    return field !== null
  }
  const move = (step) => {
    const rows = [...document.querySelectorAll(ROWS)]
    const to = rows.indexOf(rowHere()) + step
    if (rows.length > 0) rows[Math.max(to, 0)]?.querySelector('.name a, a.t').focus()
    else document.querySelector(`main a[rel=${step > 0 ? 'next' : 'prev'}]`)?.click()
  }
  // On the list for the person in focus, otherwise for the person of the page.
  const go = (path, selector) => {
    const row = rowHere()
    if (!row) return focus(selector)
    const person = personAt(row)
    // A follow-up without a person.
    if (!/\/c_\d+$/.test(person)) row.querySelector('a.t').click()
    else location.href = person + path
    return true
  }
  // With a selection, the key is for all of it.
  const together = (part) => {
    if (!document.querySelector('.bulk :is([name=c], [name=all]):checked')) return false
    actOnSelection(document.querySelector(part))
    return true
  }
  const NOTE = '#write textarea'
  const TAG = '#tags input[name=tag]'
  const LOG = '#log textarea'
  const FIELDS = {
    '#write': NOTE,
    '#tags': TAG,
    '#log': LOG,
    '#plan': '#plan [type=text]',
    '#follow_up': '#follow_up',
  }
  const KEYS = {
    '/': () => focus('main #q') || openPalette(),
    '?': () => void showShortcuts(),
    j: () => move(1),
    k: () => move(-1),
    x: () => rowHere()?.querySelector('[type=checkbox]').click(),
    e: () => {
      const edit = rowHere() ? undefined : document.querySelector('main a[href$="/edit"]')
      if (edit) edit.click()
      else if (rowHere()) go('/edit')
    },
    n: () => go('#write', NOTE),
    t: () => together('#bulk-tagging') || go('#tags', TAG),
    c: () => together('#bulk-log') || go('?edit=contact#log', LOG),
    l: () => together('#bulk-plan'),
  }
  // Escape leaves the box of a contact, a note or a follow-up, and closes it if nothing was written in it.
  const BOXES = ':is(.in-place, .composer) :is(textarea, input:not([type=checkbox]))'
  const leave = (field) => {
    const written = [...field.form.querySelectorAll('textarea, [name=follow_up]')]
    const isEmpty = written.every(({ value, defaultValue }) => value === defaultValue)
    const row = field.closest('.tasks > li')?.previousElementSibling
    const box = field.closest('.composer > details')
    field.blur()
    ;(row?.querySelector('a.t') ?? box?.querySelector('summary'))?.focus()
    if (!isEmpty) return
    field.form.classList.remove('open')
    field.form.querySelector('.bar > a')?.click()
    if (box) box.parentElement.firstElementChild.open = true
  }
  // The browser moves the focus to the fragment until the page is loaded.
  addEventListener('load', () => {
    const field = FIELDS[location.hash]
    if (field) focus(field)
    document.querySelector('.in-place [autofocus]')?.form.scrollIntoView({ block: 'nearest' })
  })
  // A box of this page opens in place, with the focus in its field.
  document.addEventListener('click', (event) => {
    const { target, ctrlKey, metaKey, shiftKey } = event
    const link = target.closest(':is(.person-head, #add-menu, .workspace-dialog) a[href*="#"]')
    const isHere = link?.pathname === location.pathname && document.querySelector(FIELDS[link.hash])
    if (isHere && !ctrlKey && !metaKey && !shiftKey) {
      event.preventDefault()
      dialog.close()
      link.closest('[popover]')?.hidePopover()
      focus(FIELDS[link.hash])
    }
  })

  document.addEventListener('keydown', (event) => {
    const { key, target, ctrlKey, metaKey, altKey } = event
    if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
      event.preventDefault()
      openPalette()
      return
    }
    // Saves what is written.
    if ((ctrlKey || metaKey) && key === 'Enter' && target.form?.method === 'post') {
      event.preventDefault()
      target.form.requestSubmit()
      return
    }
    if (ctrlKey || metaKey || altKey || event.isComposing || event.defaultPrevented) return
    const palette = target.closest?.('.palette')
    if (palette) return inPalette(event, palette)
    if (key === 'Escape' && target.matches?.(BOXES)) return leave(target)
    const menu = key === 'Escape' && document.querySelector(MENUS)
    if (menu && !document.querySelector('dialog[open]')) {
      // The menu around it, on phones, stays.
      event.preventDefault()
      menu.querySelector('summary').focus()
      return closeMenus()
    }
    const isField = target.matches?.('input:not([type=checkbox]), textarea, select')
    if (isField || document.querySelector('dialog[open]')) return
    if (/(?:^|; )weft_keys=off/.test(document.cookie)) return
    if (Object.hasOwn(KEYS, key) && KEYS[key]() !== false) event.preventDefault()
  })
}
