import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  readdirSync,
  realpathSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

let folder: string | undefined

/** Gives a run of all tests a temporary folder of its own: not even a test that is killed leaves anything. */
export function setup(): void {
  folder = makeFolder(process.env.TMPDIR === undefined && hasRoom() ? MEMORY : tmpdir())
  if (folder.startsWith(MEMORY) && !mayRun(folder)) {
    teardown()
    folder = makeFolder(tmpdir())
  }
  process.env.TMPDIR = folder
}

export function teardown(): void {
  if (folder) rmSync(folder, { recursive: true, force: true })
}

function makeFolder(parent: string): string {
  removeLeft(parent)
  const made = realpathSync(mkdtempSync(join(parent, `${PREFIX}${process.pid}-`)))
  // Some tests become other users, who must be able to enter it.
  chmodSync(made, 0o711)
  return made
}

const PREFIX = 'marc-tests-'

/** Milliseconds in which a run makes something in its folder. */
const SILENCE = 600_000

/** Removes the folders of runs that were killed: their process is gone, and nothing was made in them for a while. */
export function removeLeft(parent: string): void {
  for (const name of readdirSync(parent).filter((name) => name.startsWith(PREFIX))) {
    const path = join(parent, name)
    const { mtimeMs = Date.now() } = statSync(path, { throwIfNoEntry: false }) ?? {}
    if (mtimeMs > Date.now() - SILENCE || isRunning(Number.parseInt(name.slice(PREFIX.length), 10)))
      continue
    try {
      rmSync(path, { recursive: true, force: true })
    } catch {
      // It belongs to another user.
    }
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    // Without a number it is the folder of nobody. Processes of others may not be asked.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/** Memory that looks like a disk. Tests write a thousand small databases, and flush each to the disk. */
const MEMORY = '/dev/shm'
const ENOUGH = 4 * 2 ** 30

function hasRoom(): boolean {
  try {
    accessSync(MEMORY, constants.W_OK)
    const { bavail, bsize } = statfsSync(MEMORY)
    return Math.min(bavail * bsize, process.availableMemory()) >= ENOUGH
  } catch {
    return false
  }
}

/** In containers, programs may not be run there. */
function mayRun(path: string): boolean {
  const program = join(path, 'program')
  writeFileSync(program, '#!/bin/sh\n', { mode: 0o700 })
  const { status } = spawnSync(program)
  rmSync(program)
  return status === 0
}
