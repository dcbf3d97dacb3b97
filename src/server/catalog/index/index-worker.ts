import { workerData } from 'node:worker_threads'
import { openIndex } from './index-file.ts'

/** What the thread is to index. */
export interface IndexOrder {
  readonly folder: string
  readonly paths: readonly string[]
  readonly allEvents: boolean
}

const { folder, paths, allEvents } = workerData as IndexOrder
openIndex(folder, paths, { allEvents }).close()
