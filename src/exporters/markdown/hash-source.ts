import { VERSION } from '../../base/version.ts'
import type { Selection } from '../../database/rows/selection.ts'
import { hashDatabases } from '../hash-databases.ts'

/** A hash of what the files are made from. */
export const hashSource = (
  databases: readonly string[],
  selection: Selection | undefined,
  signal: AbortSignal | undefined,
): Promise<string> => hashDatabases(databases, JSON.stringify([VERSION, selection]), signal)
