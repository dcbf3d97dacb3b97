import { createHash, randomBytes } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import * as self from 'node:process'

/**
 * A name beside `path` for what is written until it is whole. It says which process of which machine writes it, so
 * that what a killed one has left is told from what another one is still writing.
 */
export function partialOf(path: string): string {
  const suffix = `.${ownProcess()}-${randomBytes(4).toString('hex')}.partial`
  const [, folder = '', name = ''] = /^(.*[/\\])?([^/\\]*)$/s.exec(path) ?? []
  // A name may have 255 bytes, so this one has to be shorter where that one is long.
  return folder + (Buffer.byteLength(name) <= 255 - suffix.length ? name : '') + suffix
}

/**
 * Removes, where it can, what processes of this machine that are gone have left beside `path`, or in a folder for any
 * name.
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

const PARTIAL = /^(.*)\.([0-9a-f]{8}-\d+)-[0-9a-f]{8}\.partial(?:-journal)?$/s

/** What somebody else has put under such a name, perhaps to change it while it is removed, stays. */
function removeOwn(path: string): void {
  if (lstatSync(path).uid === (self.getuid?.() ?? 0)) rmSync(path, { recursive: true, force: true })
}

/** A name for this process that no process of another machine has. */
export const ownProcess = (): string => `${machine()}-${self.pid}`

/** Whether the process with this name was one of this machine and is gone. */
export function hasEnded(name: string): boolean {
  const [where, process] = name.split('-')
  return where === machine() && !isAlive(Number(process))
}

function isAlive(process: number): boolean {
  try {
    self.kill(process, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'
  }
}

let known: string | undefined

/** What tells numbers of processes apart that mean different ones: of machines, and of containers in one. */
function machine(): string {
  if (known === undefined) {
    const facts = [
      hostname(),
      // What only Linux knows.
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
