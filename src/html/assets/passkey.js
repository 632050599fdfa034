// Submits a form `data-passkey` (`create` or `get`) with a credential, or shows the message in `data-<error>`.
const Key = window.PublicKeyCredential

for (const form of document.querySelectorAll('[data-passkey]')) void prepare(form)

async function prepare(form) {
  const { passkey, options, ask, rp, unknown } = form.dataset
  const told = form.querySelector('[role=status]')
  const parse = Key?.[`parse${passkey === 'get' ? 'Request' : 'Creation'}OptionsFromJSON`]
  let renewing
  let running

  form.addEventListener('submit', (event) => {
    event.preventDefault()
    clearInterval(renewing)
    told.textContent = ''
    void perform()
  })

  // Tells the browser to stop offering this passkey.
  if (unknown) Key?.signalUnknownCredential?.({ rpId: rp, credentialId: unknown }).catch(() => {})

  // Offers passkeys in autofill, and renews the challenge before it expires. `data-explicit`: only on a button press.
  if (
    ask &&
    parse &&
    !('explicit' in form.dataset) &&
    (await Key.isConditionalMediationAvailable?.())
  ) {
    renewing = setInterval(() => void perform('conditional'), 240_000)
    void perform('conditional')
  }

  async function perform(mediation) {
    running?.abort()
    const { signal } = (running = new AbortController())
    try {
      const body = new URLSearchParams(new FormData(form))
      const json = ask ? await (await fetch(ask, { method: 'POST', body, signal })).text() : options
      const publicKey = parse(JSON.parse(json))
      const credential = await navigator.credentials[passkey]({ publicKey, mediation, signal })
      form.credential.value = JSON.stringify(credential)
      form.submit()
    } catch ({ name }) {
      if (!mediation)
        told.textContent =
          form.dataset[parse ? name.toLowerCase() : 'missing'] ?? form.dataset.failed
    }
  }
}
