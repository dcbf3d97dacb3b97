import type { ExportDifference, ExportVerification } from '../../src/index.ts'

/** The differences by partition, and under `rest` those of what all partitions share. */
export const differencesIn = (
  found: readonly ExportVerification[],
): Record<string, ExportDifference[]> =>
  Object.fromEntries(found.map(({ name, differences }) => [name ?? 'rest', differences]))
