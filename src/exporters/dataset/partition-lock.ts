import { ArchiveError } from '../../base/errors.ts'
import { lockFile } from '../../files/lock-file.ts'

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
