import { busy } from '../../http/http-error.ts'
import { stream } from '../../work/call.ts'
import type { GitJob, GitSource, writeGit } from './git-worker.ts'

/** A thread for jobs on Git data that take seconds, so that other requests are answered meanwhile. */
export interface ThreadedGit {
  /** The bytes that a job makes. Throws `HttpError` 503 if too many are under way. */
  write(source: GitSource, job: GitJob): AsyncGenerator<Uint8Array>
  /** Ends all jobs. */
  close(): void
}

/** Jobs at a time. */
const MOST = 32
/** MB of JavaScript objects in the thread. With more the thread ends, but not the server. */
const MOST_MEMORY = 512

export function createThreadedGit(): ThreadedGit {
  const stopping = new AbortController()
  const heap = { maxOldGenerationSizeMb: MOST_MEMORY }
  let count = 0
  return {
    async *write(source, job) {
      if (count >= MOST) throw busy(10)
      count++
      try {
        const { signal } = stopping
        yield* stream<typeof writeGit>(
          'git',
          { source, job },
          { in: 'thread', isShared: true, heap, signal },
        )
      } finally {
        count--
      }
    },
    close: () => stopping.abort(),
  }
}
