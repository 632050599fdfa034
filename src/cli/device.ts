/** weft device: create, list, confirm and revoke the devices that sync a member's address book. */

import type { Command } from 'commander'
import {
  confirmDevice,
  createDevice,
  listDevices,
  requireDevice,
  revokeDevice,
  type Device,
} from '../access/device.ts'
import { rfc3339 } from '../base/clock.ts'
import { newTag } from '../connections/model/tag-store.ts'
import { recordAdminAction } from '../members/admin-log.ts'
import { COMMAND_LINE, recordSecurityEvent } from '../tools/security-events.ts'
import { printList } from './terminal/table.ts'
import { print, say, type Terminal } from './terminal/terminal.ts'
import { withMember } from './with-database.ts'
import type { MemberTransaction } from '../db/database.ts'

export function addDeviceCommands(program: Command, terminal: Terminal): void {
  const device = program
    .command('device')
    .description("Create and manage the devices that sync members' address books")
  device
    .command('create')
    .description('Create a device and print only its password to standard output, once')
    .requiredOption('--member <username>')
    .requiredOption('--name <name>', 'label of the device')
    .option('--read-only', 'the device cannot change anything')
    .option('--tag <tag>', 'sync only people with this tag (default: everyone)')
    .action((options: CreateOptions) => create(terminal, options))
  device
    .command('list')
    .description('List the devices of a member')
    .requiredOption('--member <username>')
    .option('--json', 'as JSON lines')
    .action((options: { member: string; json?: true }) =>
      list(terminal, options.member, options.json === true),
    )
  device
    .command('confirm')
    .description('Let a device continue that was paused because it changed many people')
    .argument('<name>')
    .requiredOption('--member <username>')
    .action((name: string, options: { member: string }) =>
      end(terminal, 'confirm_device', name, options.member),
    )
  device
    .command('revoke')
    .description('Revoke a device by its name or ID; it stops working at once')
    .argument('<name>')
    .requiredOption('--member <username>')
    .action((name: string, options: { member: string }) =>
      end(terminal, 'revoke_device', name, options.member),
    )
}

interface CreateOptions {
  readonly member: string
  readonly name: string
  readonly readOnly?: true
  readonly tag?: string
}

async function create(
  terminal: Terminal,
  { member, name, readOnly, tag }: CreateOptions,
): Promise<void> {
  await withMember(terminal, member, async ({ db, member: { username }, config, now }) => {
    const { password } = await db.write(async (tx) => {
      await recordDeviceEvent(tx, username, { action: 'create_device', name, now })
      const scope = tag === undefined ? null : newTag(tag).tag
      return createDevice(tx, { name, readOnly: readOnly === true, tag: scope }, now)
    })
    print(terminal, password)
    // Only for people; a program reads only the password from standard output.
    if (terminal.stderr.isTTY === true)
      say(
        terminal,
        `Copy the password now; you won't see it again. Server: ${config.publicUrl ?? ''}, username: ${username}`,
      )
  })
}

const EVENTS = {
  create_device: 'device_created',
  confirm_device: 'device_confirmed',
  revoke_device: 'device_revoked',
} as const

async function recordDeviceEvent(
  tx: MemberTransaction,
  member: string,
  { action, name, now }: { action: keyof typeof EVENTS; name: string; now: number },
): Promise<void> {
  await recordAdminAction(tx.shared, { at: now, action, member, reason: name })
  const event = EVENTS[action]
  await recordSecurityEvent(tx, { event, actor: COMMAND_LINE, details: { name } }, now)
}

async function list(terminal: Terminal, username: string, asJson: boolean): Promise<void> {
  await withMember(terminal, username, async ({ db }) => {
    printList(terminal, (await listDevices(db)).map(entryOf), {
      json: asJson,
      none: `${username} has no devices. Create one with \`weft device create\`.`,
      headings: ['NAME', 'ID', 'PREFIX', 'ACCESS', 'TAG', 'CREATED', 'LAST USED', 'STATE'],
      rowOf: (one) => [
        one.name,
        one.id,
        `${one.prefix}…`,
        one.read_only ? 'read' : 'write',
        one.tag ?? '',
        one.created_at.slice(0, 10),
        one.last_used_at?.slice(0, 10) ?? 'never',
        one.paused_at === null ? 'active' : 'paused',
      ],
    })
  })
}

function entryOf(device: Device) {
  return {
    id: device.deviceId,
    name: device.name,
    prefix: device.hint,
    read_only: device.readOnly === 1,
    tag: device.tag,
    created_at: rfc3339(device.createdAt),
    last_used_at: rfc3339(device.lastUsedAt),
    paused_at: rfc3339(device.pausedAt),
  }
}

async function end(
  terminal: Terminal,
  action: 'confirm_device' | 'revoke_device',
  name: string,
  username: string,
): Promise<void> {
  await withMember(terminal, username, async ({ db, member, now }) => {
    await db.write(async (tx) => {
      const device = await requireDevice(tx, name)
      const change = action === 'revoke_device' ? revokeDevice : confirmDevice
      await change(tx, device.deviceId, now)
      await recordDeviceEvent(tx, member.username, { action, name: device.name, now })
    })
    say(terminal, action === 'revoke_device' ? `Revoked ${name}.` : `${name} continues.`)
  })
}
