// People are suggested after an @ in a text box (`data-mentions` is the path of the suggestions): the combobox pattern of
// the ARIA Authoring Practices Guide, as far as a box with several lines may have it. Without scripts, names are typed.
{
  const texts = document.documentElement.dataset
  // An @ that does not follow a letter, with the beginning of a name before the caret.
  const MENTION = /(?<![\p{L}\p{N}._-])@([^\s@][^\n@()]{0,59})$/u
  let field, list, from, timer, asking, isComposing
  // The @ that was answered: its person was chosen, or the list was closed.
  let answered = -1
  // The end of the mention that was inserted, with the space after it.
  let inserted = -1
  // What no one is called; what begins with it finds no one either.
  let unknown

  const options = () => [...(list?.children ?? [])]
  const active = () => options().find((option) => option.ariaSelected === 'true')

  const close = () => {
    clearTimeout(timer)
    asking?.abort()
    list?.remove()
    for (const name of ['controls', 'activedescendant']) field?.removeAttribute(`aria-${name}`)
    list = undefined
  }

  const activate = (option) => {
    for (const one of options()) one.ariaSelected = String(one === option)
    field.setAttribute('aria-activedescendant', option.id)
  }

  const show = (people) => {
    close()
    list = document.createElement('ul')
    list.id = `${field.id}-people`
    list.className = 'mentions'
    list.role = 'listbox'
    list.ariaLabel = texts.textPeople
    // Escaped by the server.
    list.innerHTML = people.join('')
    for (const [at, option] of options().entries()) option.id = `${list.id}-${at}`
    // Keeps the focus in the box until the click.
    list.addEventListener('pointerdown', (event) => event.preventDefault())
    list.addEventListener('click', ({ target }) => choose(target.closest('li')))
    field.after(list)
    field.setAttribute('aria-controls', list.id)
    activate(list.firstElementChild)
    list.scrollIntoView({ block: 'nearest' })
  }

  const choose = (option) => {
    if (!option) return
    // Before a space that is there already, none is added.
    const isBeforeSpace = field.value[field.selectionEnd] === ' '
    const mention = isBeforeSpace ? option.dataset.mention : `${option.dataset.mention} `
    answered = from
    // Ends an open composition, whose text would be inserted again.
    if (isComposing) for (const act of ['blur', 'focus']) field[act]()
    field.setSelectionRange(from, field.selectionEnd)
    // Unlike a change of the value, this can be undone with the keyboard.
    if (!document.execCommand('insertText', false, mention)) {
      field.setRangeText(mention, from, field.selectionEnd, 'end')
      field.dispatchEvent(new Event('input', { bubbles: true }))
    }
    if (isBeforeSpace) field.setSelectionRange(field.selectionEnd + 1, field.selectionEnd + 1)
    inserted = field.selectionEnd
    close()
  }

  const ask = async (typed) => {
    asking?.abort()
    const { signal } = (asking = new AbortController())
    try {
      const address = `${field.dataset.mentions}?${new URLSearchParams({ q: typed })}`
      const answer = await fetch(address, { signal, redirect: 'error' })
      if (!answer.ok) return close()
      const { options: people } = await answer.json()
      if (people.length > 0) return show(people)
      unknown = typed
      close()
    } catch {
      // Superseded by newer input, offline, or signed out.
    }
  }

  document.addEventListener('input', ({ target }) => {
    if (!target.matches?.('[data-mentions]')) return
    if (field !== target) answered = -1
    field = target
    clearTimeout(timer)
    const { value, selectionEnd } = field
    const start = Math.max(selectionEnd - 62, 0)
    const found = MENTION.exec(value.slice(start, selectionEnd))
    from = found ? start + found.index : -1
    if (from !== answered) answered = -1
    const isKnown = found && !(unknown !== undefined && found[1].startsWith(unknown))
    if (!isKnown || from === answered) return close()
    timer = setTimeout(() => void ask(found[1]), 100)
  })
  // The space that is typed out of habit is there already.
  document.addEventListener('beforeinput', (event) => {
    const isTwice = event.data === ' ' && event.target === field && inserted === field.selectionEnd
    if (isTwice && field.value[inserted - 1] === ' ') event.preventDefault()
    inserted = -1
  })
  document.addEventListener('compositionstart', () => (isComposing = true))
  document.addEventListener('compositionend', () => (isComposing = false))
  document.addEventListener('focusin', ({ target }) => {
    if (target.matches('[data-mentions]')) target.ariaAutoComplete = 'list'
  })
  for (const left of ['focusout', 'click'])
    document.addEventListener(left, ({ target }) => target === field && close())

  // Before the keys of the page (keys.js).
  document.addEventListener(
    'keydown',
    (event) => {
      const { key, target, ctrlKey, metaKey, altKey, shiftKey } = event
      if (!list || target !== field || event.isComposing || event.keyCode === 229) return
      if (ctrlKey || metaKey || altKey || shiftKey) return
      const at = options().indexOf(active())
      if (key === 'ArrowDown') activate(options()[at + 1] ?? list.firstElementChild)
      else if (key === 'ArrowUp') activate(options().at(at - 1))
      else if (key === 'Enter' || key === 'Tab') choose(active())
      else if (key === 'Escape') {
        answered = from
        close()
      } else {
        if (/^(Arrow|Home|End|Page)/.test(key)) close()
        return
      }
      event.preventDefault()
    },
    true,
  )
}
