import { type Measurement, median } from './measure.ts'
import type { Trial } from './trials.ts'

/** What all runs of a trial come to. */
export interface Result {
  name: string
  /** The median of the runs. */
  seconds: number
  peakMiB: number | undefined
  /** Of all records of the archive, whether the trial reads them or not. */
  recordsPerSecond: number
  against: string | undefined
  /** Medians of both in the same runs. */
  ratio: number | undefined
  most: number | undefined
}

export interface Input {
  records: number
  archiveBytes: number
  runs: number
}

export function summarise(
  trials: readonly Trial[],
  runs: ReadonlyMap<string, readonly Measurement[]>,
  { records }: Input,
): Result[] {
  const secondsOf = (name: string) => median(runs.get(name)?.map(({ seconds }) => seconds) ?? [])
  return trials.map(({ name, against }) => {
    const seconds = secondsOf(name)
    const peaks = runs.get(name)?.flatMap(({ peakMiB }) => peakMiB ?? []) ?? []
    return {
      ...{ name, seconds, recordsPerSecond: records / seconds },
      peakMiB: peaks.length > 0 ? Math.max(...peaks) : undefined,
      against: against?.name,
      ratio: against && seconds / secondsOf(against.name),
      most: against?.most,
    }
  })
}

export function printTable(
  results: readonly Result[],
  { processor, cores, node }: { processor: string; cores: number; node: string },
  { records, archiveBytes, runs }: Input,
): string {
  const mebibytes = (archiveBytes / 2 ** 20).toFixed(0)
  const lines = [
    `${records.toLocaleString('en')} records, ${mebibytes} MiB of tar.gz; medians of ${runs} runs`,
    `${processor}, ${cores} cores, Node.js ${node}`,
    '',
    '| trial | seconds | peak MiB | ratio | at most |',
    '|---|--:|--:|--:|--:|',
  ]
  for (const { name, seconds, peakMiB, ratio, against, most } of results) {
    const compared = ratio === undefined ? '' : `${ratio.toFixed(2)} × ${against}`
    const cells = [name, seconds.toFixed(2), peakMiB?.toFixed(0) ?? '', compared, most ?? '']
    lines.push(`| ${cells.join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}
