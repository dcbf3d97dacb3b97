import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import self from 'node:process'

/** The kernel's lists of connections: one a line, with the account that has it. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const ESTABLISHED = '01'

/** Whether this system says whose a connection is. Elsewhere every account of the machine is taken for the own one. */
export const knowsUsers = (): boolean =>
  self.platform === 'linux' && existsSync(TABLES[0] as string)

const known = new WeakMap<Socket, boolean>()

/**
 * Whether another account of this machine has the other end of a connection over loopback, which all of them share. It is looked
 * up once a connection.
 */
export function isOfOtherUser(socket: Socket): boolean {
  let isOther = known.get(socket)
  if (isOther === undefined) {
    const { localPort, remotePort } = socket
    isOther = judge(readTables(), { localPort, remotePort }, self.getuid?.())
    known.set(socket, isOther)
  }
  return isOther
}

function readTables(): string {
  if (self.platform !== 'linux') return ''
  return TABLES.map((path) => (existsSync(path) ? readFileSync(path, 'latin1') : '')).join('\n')
}

interface Ports {
  readonly localPort?: number | undefined
  readonly remotePort?: number | undefined
}

/**
 * Judges whose the other end of a connection is. Of connections with the same ports all count: addresses of loopback are many.
 *
 * @param tables what the kernel says
 * @param own the account of this process
 * @returns false also if the tables do not have our own end: then nothing can be told
 */
export function judge(
  tables: string,
  { localPort, remotePort }: Ports,
  own: number | undefined,
): boolean {
  if (own === undefined || localPort === undefined || remotePort === undefined) return false
  const rows = tables.split('\n').map((line) => line.trim().split(/\s+/))
  const between = (from: number, to: number) =>
    rows.filter(([, local, remote]) => portOf(local) === from && portOf(remote) === to)
  if (between(localPort, remotePort).length === 0) return false
  const ends = between(remotePort, localPort)
  const isOwn = ([, , , state, , , , uid, , inode]: readonly string[]) =>
    // A connection that its process has left is listed as root's, without an inode.
    state === ESTABLISHED && inode !== '0' && (uid === String(own) || uid === '0')
  return ends.length === 0 || !ends.every(isOwn)
}

const portOf = (address: string | undefined): number =>
  Number.parseInt(address?.split(':')[1] ?? '', 16)
