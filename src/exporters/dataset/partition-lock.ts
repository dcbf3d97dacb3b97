import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { ArchiveError } from '../../base/errors.ts'
import { isPlainFile } from '../../files/inner-folder.ts'
import { isStaleLock, lockFile } from '../../files/lock-file.ts'

/**
 * Takes the lock of a partition, and waits while another process has it.
 *
 * @returns a function that releases the lock
 * @throws `partition-busy` if `wait` is false; `interrupted`
 */
export const lockPartition = (
  path: string,
  { wait = true, signal }: { wait?: boolean | undefined; signal?: AbortSignal | undefined } = {},
): Promise<() => void> =>
  lockFile(path, {
    wait,
    signal,
    busy: (holder) =>
      new ArchiveError('partition-busy', `${holder} writes this partition`, { archive: path }),
  })

/**
 * Takes the locks in a folder that processes left when they were killed, and releases each after `tidy` has removed what
 * else they left.
 *
 * @param isLock whether a file of that name may be such a lock
 */
export async function takeStaleLocks(
  folder: string,
  isLock: (name: string) => boolean,
  tidy: (name: string) => void = () => {},
): Promise<void> {
  for (const name of readdirSync(folder).filter(isLock)) {
    const path = join(folder, name)
    // Whatever else somebody put there is not read: a pipe would never end.
    if (!isPlainFile(path) || !isStaleLock(path)) continue
    try {
      const release = await lockPartition(path, { wait: false })
      tidy(name)
      release()
    } catch (error) {
      // Another process was faster, and does the same.
      if (!(error instanceof ArchiveError && error.code === 'partition-busy')) throw error
    }
  }
}
