import { connect, createServer, type Socket } from 'node:net'
import self from 'node:process'
import { expect, test } from 'vitest'
import { isOfOtherUser, isOwnedByOther, knowsUsers } from '../../src/http/other-user.ts'

const HEAD =
  '  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode'
const row = (from: string, to: string, { state = '01', uid = 1000, inode = 77 } = {}) =>
  `   1: ${from} ${to} ${state} 00000000:00000000 00:00000000 00000000  ${uid}        0 ${inode} 1 00000000584338a0`
const OURS = row('0100007F:221A', '0100007F:C350')
const ports = { localPort: 0x221a, remotePort: 0xc350 }
const theirs = (more: Parameters<typeof row>[2]) =>
  [HEAD, OURS, row('0100007F:C350', '0100007F:221A', more)].join('\n')

test.each([
  ['the same account', theirs({ uid: 1000 }), false],
  ['root', theirs({ uid: 0 }), false],
  ['another account', theirs({ uid: 1001 }), true],
  ['a process that has gone', theirs({ uid: 0, inode: 0 }), true],
  ['a connection that is being closed', theirs({ state: '05' }), true],
  ['nobody that the kernel knows', [HEAD, OURS].join('\n'), true],
  [
    'two of several addresses, one of another account',
    `${theirs({})}\n${row('0200007F:C350', '0100007F:221A', { uid: 1001 })}`,
    true,
  ],
  [
    'one over IPv6',
    [HEAD, row('X:221A', 'X:C350'), row('X:C350', 'X:221A', { uid: 5 })].join('\n'),
    true,
  ],
  [
    'one of another port',
    `${theirs({})}\n${row('0100007F:C351', '0100007F:221A', { uid: 1001 })}`,
    false,
  ],
  ['one of which nothing is known', HEAD, false],
])('The other end of %s is another user: %s', (_, tables, expected) => {
  expect(isOwnedByOther(tables, ports, 1000)).toBe(expected)
})

test('Where systems have no accounts, all are one', () => {
  expect(isOwnedByOther(theirs({ uid: 1001 }), ports, undefined)).toBe(false)
  expect(isOwnedByOther(theirs({ uid: 1001 }), {}, 1000)).toBe(false)
})

test('A connection of this process is its own, and is listed where the kernel lists any', async () => {
  const server = createServer().listen(0, '127.0.0.1')
  const accepted = new Promise<Socket>((resolve) => server.once('connection', resolve))
  await new Promise((resolve) => server.once('listening', resolve))
  const { port } = server.address() as { port: number }
  const client = connect(port, '127.0.0.1')
  const socket = await accepted
  expect(isOfOtherUser(socket)).toBe(false)
  expect(knowsUsers()).toBe(self.platform === 'linux')
  client.destroy()
  socket.destroy()
  server.close()
})
