/**
 * The certified oidc-provider, with its own store in memory: nothing it issues outlives the process. Public clients
 * register, and refresh tokens rotate, as with Weft. `node oidc-provider.mjs <port>`; `GET /families/<n>` answers with a
 * client and n of its refresh tokens, as if members had allowed it. JavaScript, for the package has no types.
 */

import { createServer } from 'node:http'
import Provider from 'oidc-provider'

const port = Number(process.argv[2])
const REDIRECT_URI = 'https://client.example/callback'

const provider = new Provider(`http://127.0.0.1:${port}`, {
  clients: [
    {
      client_id: 'bench',
      redirect_uris: [REDIRECT_URI],
      grant_types: ['authorization_code', 'refresh_token'],
      token_endpoint_auth_method: 'none',
    },
  ],
  clientDefaults: { token_endpoint_auth_method: 'none' },
  features: { registration: { enabled: true }, devInteractions: { enabled: false } },
  findAccount: (_, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
  rotateRefreshToken: true,
})
const answer = provider.callback()

createServer((request, response) => {
  const [, count] = /^\/families\/(\d+)$/.exec(request.url) ?? []
  if (count === undefined) return answer(request, response)
  const families = Array.from({ length: Number(count) }, issue)
  return Promise.all(families).then((tokens) =>
    response.end(JSON.stringify({ clientId: 'bench', tokens })),
  )
}).listen(port, '127.0.0.1')

/** Without `openid`, so that no ID token has to be signed. */
async function issue() {
  const client = await provider.Client.find('bench')
  const scope = 'offline_access'
  const grant = new provider.Grant({ accountId: 'ada', clientId: 'bench' })
  grant.addOIDCScope(scope)
  const grantId = await grant.save()
  const of = { accountId: 'ada', client, grantId, gty: 'authorization_code', scope }
  return new provider.RefreshToken(of).save()
}
