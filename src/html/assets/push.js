// Subscribes this browser to web push, and submits the form with the subscription.
const form = document.querySelector('form[data-push-key]')
const told = form?.querySelector('[role=status]')

if (form && 'serviceWorker' in navigator && 'PushManager' in window) {
  form.hidden = false
  form.addEventListener('submit', (event) => {
    if (form.elements.subscription.value !== '') return
    event.preventDefault()
    subscribe().then(
      () => form.requestSubmit(),
      () => (told.textContent = form.dataset.failed),
    )
  })
} else if (form) document.querySelector('[data-push-missing]').hidden = false

async function subscribe() {
  const registration = await navigator.serviceWorker.register(form.dataset.worker)
  await navigator.serviceWorker.ready
  const subscription = await registration.pushManager.subscribe({
    userVisibleOnly: true,
    applicationServerKey: form.dataset.pushKey,
  })
  form.elements.subscription.value = JSON.stringify(subscription)
}
