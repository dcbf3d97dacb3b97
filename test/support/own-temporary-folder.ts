import { spawnSync } from 'node:child_process'
import {
  accessSync,
  chmodSync,
  constants,
  mkdtempSync,
  realpathSync,
  rmSync,
  statfsSync,
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
  const made = realpathSync(mkdtempSync(join(parent, 'marc-tests-')))
  // Some tests become other users, who must be able to enter it.
  chmodSync(made, 0o711)
  return made
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
