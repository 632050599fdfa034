// Shows messages of web push, and opens their page on a click. It does nothing else: it neither caches nor fetches.
self.addEventListener('push', (event) => {
  const { title, body, path, tag } = event.data?.json() ?? {}
  event.waitUntil(
    self.registration.showNotification(title ?? 'Weft', { body, tag, data: { path } }),
  )
})

self.addEventListener('notificationclick', (event) => {
  event.notification.close()
  const url = new URL(event.notification.data?.path ?? '/user', self.location.origin)
  if (url.origin === self.location.origin) event.waitUntil(self.clients.openWindow(url.href))
})
