/** Credentials of members: API tokens, and the devices that sync the address book. */

import { listApiTokens, mintApiToken, revokeApiToken } from '../access/api-token.ts'
import { createCloudAgent, findCloudAgent } from '../access/cloud-agent.ts'
import {
  confirmDevice,
  createDevice,
  listDevices,
  requireDevice,
  revokeDevice,
} from '../access/device-password.ts'
import { rfc3339 } from '../base/clock.ts'
import { RequestError } from '../base/request-error.ts'
import { newTag } from '../connections/model/tag-store.ts'
import { phrase } from '../languages/message.ts'
import { changeAct, listAct } from './act.ts'
import { argument, flag, option, requiredOption } from './act-arguments.ts'

const DAYS = {
  read: (text: string) => (/^\d{1,5}$/.test(text) ? Number(text) : undefined),
  rule: 'Use a whole number of days.',
}

export const TOKEN_ACTS = [
  changeAct({
    name: 'token create',
    summary: 'Create a token and print only the token to standard output, once',
    action: 'create_token',
    label: phrase('Created an API token'),
    event: 'token_created',
    member: 'option',
    fields: {
      name: requiredOption('name', 'label of the token'),
      agent: option('name', "the cloud agent that uses it (default: the member's own client)"),
      days: option('days', 'lifetime in days (default: no expiry)', DAYS),
    },
    async change({ mine, now }, { name, agent, days }) {
      const token = { name, lifetimeDays: days ?? null }
      if (agent === undefined) return mintApiToken(mine, { ...token, holder: 'ai_client' }, now)
      const { agentId } =
        (await findCloudAgent(mine, agent)) ?? (await createCloudAgent(mine, agent, now))
      return mintApiToken(mine, { ...token, holder: 'cloud_agent', agentId }, now)
    },
    about: ({ name }) => ({ reason: name }),
    done: ({ secret: result }, { settings }) => ({
      result,
      note: `Copy the token now; you won't see it again. Connect to ${settings.publicUrl ?? ''}/mcp with the header Authorization: Bearer <token>.`,
    }),
  }),
  listAct({
    name: 'token list',
    summary: 'List the tokens of a member',
    member: 'option',
    async list({ db }) {
      const tokens = await listApiTokens(db)
      return tokens.map(({ tokenId, name, hint, agent, createdAt, lastUsedAt, expiresAt }) => ({
        id: tokenId,
        name,
        prefix: hint,
        agent,
        created_at: rfc3339(createdAt),
        last_used_at: rfc3339(lastUsedAt),
        expires_at: rfc3339(expiresAt),
      }))
    },
    none: ({ member }) =>
      `${member.username} has no tokens. Create one with \`weft token create\`.`,
  }),
  changeAct({
    name: 'token revoke',
    summary: 'Revoke a token by its name or ID; it stops working at once',
    action: 'revoke_token',
    label: phrase('Revoked an API token'),
    event: 'token_revoked',
    member: 'option',
    fields: { name: argument('name') },
    async change({ mine, now, member: { username } }, { name }) {
      if (await revokeApiToken(mine, name, now)) return name
      throw new RequestError('not_found', `${username} has no active token named “${name}”.`, {
        hint: `List tokens with \`weft token list --member ${username}\`.`,
      })
    },
    about: ({ name }) => ({ reason: name }),
    done: (name) => `Revoked ${name}.`,
  }),
]

export const DEVICE_ACTS = [
  changeAct({
    name: 'device create',
    summary: 'Create a device and print only its password to standard output, once',
    action: 'create_device',
    label: phrase('Added a device'),
    event: 'device_created',
    member: 'option',
    fields: {
      name: requiredOption('name', 'label of the device'),
      readOnly: flag('the device cannot change anything'),
      tag: option('tag', 'sync only people with this tag (default: everyone)'),
    },
    async change({ mine, now }, { name, readOnly, tag }) {
      const scope = tag === undefined ? null : newTag(tag).tag
      return createDevice(mine, { name, readOnly: readOnly === true, tag: scope }, now)
    },
    about: ({ name }) => ({ reason: name }),
    done: ({ password: result }, { settings, member }) => ({
      result,
      note: `Copy the password now; you won't see it again. Server: ${settings.publicUrl ?? ''}, username: ${member.username}`,
    }),
  }),
  listAct({
    name: 'device list',
    summary: 'List the devices of a member',
    member: 'option',
    async list({ db }) {
      return (await listDevices(db)).map((device) => ({
        id: device.deviceId,
        name: device.name,
        prefix: device.hint,
        read_only: device.readOnly === 1,
        tag: device.tag,
        created_at: rfc3339(device.createdAt),
        last_used_at: rfc3339(device.lastUsedAt),
        paused_at: rfc3339(device.pausedAt),
      }))
    },
    none: ({ member }) =>
      `${member.username} has no devices. Create one with \`weft device create\`.`,
  }),
  changeAct({
    name: 'device confirm',
    summary: 'Let a device continue that was paused because it changed many people',
    action: 'confirm_device',
    label: phrase('Confirmed the changes of a device'),
    event: 'device_confirmed',
    member: 'option',
    fields: { name: argument('name') },
    async change({ mine, now }, { name }) {
      const device = await requireDevice(mine, name)
      await confirmDevice(mine, device.deviceId, now)
      return device
    },
    about: (_, { name }) => ({ reason: name }),
    done: ({ name }) => `${name} continues.`,
  }),
  changeAct({
    name: 'device revoke',
    summary: 'Revoke a device by its name or ID; it stops working at once',
    action: 'revoke_device',
    label: phrase('Revoked a device'),
    event: 'device_revoked',
    member: 'option',
    fields: { name: argument('name') },
    async change({ mine, now }, { name }) {
      const device = await requireDevice(mine, name)
      await revokeDevice(mine, device.deviceId, now)
      return device
    },
    about: (_, { name }) => ({ reason: name }),
    done: ({ name }) => `Revoked ${name}.`,
  }),
]
