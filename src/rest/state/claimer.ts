import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { call } from '../../work/call.ts'
import { reasonOf } from './builder.ts'
import type { Claim, claimMannequin } from './claim-mannequin.ts'
import { type ImporterOptions, importFolderOf } from './importer.ts'
import { CLAIM_JOBS, type Imports } from './imports.ts'
import { openJobQueue } from './job-queue.ts'
import { delay, type JobRunner, type JobStep, openJobRunner } from './job-runner.ts'
import type { StateDatabase } from './state-database.ts'

export type ClaimStep = JobStep | 'claimed' | 'failed'

interface Row extends Claim {
  id: number
  organization: string
}

/**
 * Starts to carry out the claims of a state. Each database of the organization is written anew under another name, and the
 * former one is removed when nobody wants it any more. A claim waits for imports that had begun before; those that begin later
 * know of it. One that was interrupted begins again: where it was done, nothing changes.
 */
export function openClaimer(
  state: StateDatabase,
  imports: Imports,
  options: Omit<ImporterOptions, 'log'> & {
    log?: ((step: ClaimStep, id: number | undefined, message?: string) => void) | undefined
  },
): JobRunner {
  const queue = openJobQueue<Row>(state, CLAIM_JOBS, { ...options, pace: 0 })
  const folder = importFolderOf(state)

  async function claim({ organization, login, claimant }: Row, signal: AbortSignal): Promise<void> {
    const begun = new Set(imports.underWay(organization))
    while (imports.underWay(organization).some((id) => begun.has(id))) {
      if (signal.aborted) return
      await delay(SOON, signal)
    }
    for (const { id, database } of imports.databasesOf(organization)) {
      if (signal.aborted) return
      const guid = database.slice(0, GUID_LENGTH)
      const file = `${guid}.${randomBytes(4).toString('hex')}.db`
      const output = join(folder, file)
      const order = { database: join(folder, database), output, login, claimant }
      await call<typeof claimMannequin>('claim', order, { in: 'process', signal })
      if (imports.replaceDatabase(id, database, file)) await options.show(output, signal)
    }
  }

  return openJobRunner<Row, ClaimStep>({
    queue,
    most: 1,
    pace: 0,
    log: options.log,
    async carryOut(row, signal) {
      try {
        await claim(row, signal)
        return { step: 'claimed', write: () => queue.end(row.id, 'SUCCEEDED') }
      } catch (error) {
        const failure = reasonOf(error)
        const write = () => queue.end(row.id, 'FAILED', { failure })
        return { step: 'failed', message: failure, write }
      }
    },
    abandon() {},
    tidy() {},
  })
}

const GUID_LENGTH = 36
/** Milliseconds between two looks at imports that are soon done. */
const SOON = 50
