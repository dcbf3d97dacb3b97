import { createHash, randomBytes } from 'node:crypto'
import { readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { hostname } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { kill, pid } from 'node:process'

/**
 * A name beside `path` for what is written until it is whole. It says which process of which machine writes it, so
 * that what a killed one has left is told from what another one is still writing.
 */
export function partialOf(path: string): string {
  const suffix = `.${machine()}-${pid}-${randomBytes(4).toString('hex')}.partial`
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
    const [, stem, where, writer] = PARTIAL.exec(found) ?? []
    if (where !== machine() || isAlive(Number(writer))) continue
    if (name !== undefined && stem !== name) continue
    orNothing(() => rmSync(join(folder, found), { recursive: true, force: true }))
  }
}

const PARTIAL = /^(.*)\.([0-9a-f]{8})-(\d+)-[0-9a-f]{8}\.partial(?:-journal)?$/s

function isAlive(process: number): boolean {
  try {
    kill(process, 0)
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
