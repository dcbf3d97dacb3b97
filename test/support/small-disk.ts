import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished, type TestContext } from 'vitest'
import { isRequired } from './describe-where.ts'
import { inFolder } from './run-command.ts'

/** Bytes of a small disk. */
export const DISK = 4 * 2 ** 20

/** A file system of four megabytes in memory; where the machine does not allow one, the test is skipped. */
export function smallDisk(context: TestContext): string {
  const folder = inFolder()
  const disk = join(folder, 'disk')
  mkdirSync(disk)
  try {
    execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${DISK}`, 'tmpfs', disk], { stdio: 'ignore' })
  } catch (error) {
    if (isRequired('MARC_TOOLS')) throw error
    context.skip('no right to mount a small disk here')
  }
  // Before the folder goes, as what was registered last is done first.
  onTestFinished(() => void execFileSync('umount', ['-l', disk]))
  return disk
}
