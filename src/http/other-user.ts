import { existsSync, readFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import self from 'node:process'

/** The kernel's tables of connections: a line for each, with the account that owns it. */
const TABLES = ['/proc/net/tcp', '/proc/net/tcp6']
const ESTABLISHED = '01'

/**
 * Whether this system tells which account owns a connection. Elsewhere all accounts of the machine count as the one that runs the
 * server.
 */
export const knowsUsers = (): boolean =>
  self.platform === 'linux' && existsSync(TABLES[0] as string)

const known = new WeakMap<Socket, boolean>()

/**
 * Whether another account of this machine has the other end of a connection over loopback, which all accounts share.
 * Looked up once for each connection.
 */
export function isOfOtherUser(socket: Socket): boolean {
  let isOther = known.get(socket)
  if (isOther === undefined) {
    const { localPort, remotePort } = socket
    isOther = isOwnedByOther(readTables(), { localPort, remotePort }, self.getuid?.())
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
 * Finds out whether another account owns the other end of a connection. All connections with the same ports are
 * considered, because loopback has many addresses.
 *
 * @param tables the tables of the kernel
 * @param ownUid the account of this process
 * @returns false also if the tables lack our own end, because then nothing is known
 */
export function isOwnedByOther(
  tables: string,
  { localPort, remotePort }: Ports,
  ownUid: number | undefined,
): boolean {
  if (ownUid === undefined || localPort === undefined || remotePort === undefined) return false
  const rows = tables.split('\n').map((line) => line.trim().split(/\s+/))
  const between = (from: number, to: number) =>
    rows.filter(([, local, remote]) => portOf(local) === from && portOf(remote) === to)
  if (between(localPort, remotePort).length === 0) return false
  const ends = between(remotePort, localPort)
  const isOwn = ([, , , state, , , , uid, , inode]: readonly string[]) =>
    // A connection that its process has left is listed as root's, without an inode.
    state === ESTABLISHED && inode !== '0' && (uid === String(ownUid) || uid === '0')
  return ends.length === 0 || !ends.every(isOwn)
}

const portOf = (address: string | undefined): number =>
  Number.parseInt(address?.split(':')[1] ?? '', 16)
