import { createHash, randomUUID } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as self from 'node:process'

/**
 * A name next to `path` for a file until it is complete. It names the process and machine that write it, so that the file
 * of a killed process can be distinguished from one that is still being written.
 */
export function partialOf(path: string): string {
  // Node.js makes the random bytes of UUIDs ahead, so this is faster than `randomBytes`.
  const suffix = `.${ownProcess()}-${randomUUID().slice(0, 8)}.partial`
  const [, folder = '', name = ''] = /^(.*[/\\])?([^/\\]*)$/s.exec(path) ?? []
  // A name may have 255 bytes, so a long one is shortened.
  return folder + (Buffer.byteLength(name) <= 255 - suffix.length ? name : '') + suffix
}

/**
 * Removes, if possible, the partial files that dead processes of this machine left next to `path`, or of any name in a
 * folder.
 */
export function removeStale(path: string, { anyName = false } = {}): void {
  const folder = anyName ? path : dirname(path)
  const name = anyName ? undefined : basename(path)
  for (const found of orNothing(() => readdirSync(folder)) ?? []) {
    const [, stem, writer = ''] = PARTIAL.exec(found) ?? []
    if (!hasEnded(writer)) continue
    if (name !== undefined && stem !== name) continue
    orNothing(() => removeOwn(join(folder, found)))
  }
}

const PARTIAL = /^(.*)\.([0-9a-f]{8}-\d+)-[0-9a-f]{8}\.partial(?:-journal|\.wal)?$/s

/** Keeps files of other users with such a name, who might change them during the removal. */
function removeOwn(path: string): void {
  if (lstatSync(path).uid === (self.getuid?.() ?? 0)) rmSync(path, { recursive: true, force: true })
}

/** A name for this process that no process of another machine has. */
export const ownProcess = (): string => `${machine()}-${self.pid}`

/** Whether a process with this name is or was one of this machine. */
export const isOfThisMachine = (name: string): boolean => name.split('-')[0] === machine()

/** Whether the process with this name was one of this machine and is gone. */
export const hasEnded = (name: string): boolean =>
  isOfThisMachine(name) && !isAlive(Number(name.split('-')[1]))

/** Whether a process of this machine exists, of any user, and has not ended. */
function isAlive(process: number): boolean {
  try {
    self.kill(process, 0)
    // One that has ended stays in the list until its parent has asked how.
    return !/\) [ZX]/.test(orNothing(() => readFileSync(`/proc/${process}/stat`, 'latin1')) ?? '')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

let known: string | undefined

/** Distinguishes machines, and containers in one machine, because their process IDs overlap. */
function machine(): string {
  if (known === undefined) {
    const facts = [
      hostname(),
      // Only on Linux.
      orNothing(() => readFileSync('/etc/machine-id', 'utf8')),
      orNothing(() => readlinkSync('/proc/self/ns/pid')),
    ]
    known = createHash('sha256').update(facts.join('\n')).digest('hex').slice(0, 8)
  }
  return known
}

function orNothing<T>(work: () => T): T | undefined {
  try {
    return work()
  } catch {
    return undefined
  }
}
