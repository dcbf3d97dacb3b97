import { type Measurement, median } from './measure.ts'
import type { Reads, Trial } from './trials.ts'

/** The summary of all runs of a trial. */
export interface Result {
  name: string
  /** The median of the runs. */
  seconds: number
  /** The median of what the runs used of processors; undefined where the system does not tell. */
  processorSeconds: number | undefined
  /** Share of the time of all runs that a hypervisor gave to others. */
  stolen: number
  peakMiB: number | undefined
  /** The rate in uncompressed bytes of its input. */
  megabytesPerSecond: number | undefined
  /** Undefined unless the input is JSON. */
  recordsPerSecond: number | undefined
  against: string | undefined
  /** Medians of both in the same runs. */
  ratio: number | undefined
  /** The same of processors. */
  processorRatio: number | undefined
  most: number | undefined
}

export interface Input {
  records: number
  archiveBytes: number
  /** Before compression. */
  bytes: Readonly<Record<Reads, number>>
  runs: number
}

export function summarise(
  trials: readonly Trial[],
  runs: ReadonlyMap<string, readonly Measurement[]>,
  { records, bytes }: Input,
): Result[] {
  const secondsOf = (name: string) => median(runs.get(name)?.map(({ seconds }) => seconds) ?? [])
  const processorsOf = (name: string) => {
    const known = runs.get(name)?.flatMap(({ processorSeconds }) => processorSeconds ?? []) ?? []
    return known.length > 0 ? median(known) : undefined
  }
  return trials.map(({ name, reads, against }) => {
    const seconds = secondsOf(name)
    const all = runs.get(name) ?? []
    const processorSeconds = processorsOf(name)
    // What it is compared with may have been left out.
    const other = against && runs.get(against.name)?.length ? against.name : undefined
    const processors = other === undefined ? undefined : processorsOf(other)
    const peaks = all.flatMap(({ peakMiB }) => peakMiB ?? [])
    return {
      name,
      seconds,
      processorSeconds,
      stolen: sum(all.map(({ stolen }) => stolen)) / sum(all.map((run) => run.seconds)),
      megabytesPerSecond: reads && bytes[reads] / seconds / 1e6,
      recordsPerSecond: reads === 'json' ? records / seconds : undefined,
      peakMiB: peaks.length > 0 ? Math.max(...peaks) : undefined,
      against: against?.name,
      ratio: other === undefined ? undefined : seconds / secondsOf(other),
      processorRatio: processorSeconds && processors && processorSeconds / processors,
      most: against?.most,
    }
  })
}

const sum = (values: readonly number[]): number => values.reduce((all, value) => all + value, 0)

export function printTable(
  results: readonly Result[],
  { processor, cores, node }: { processor: string; cores: number; node: string },
  { records, archiveBytes, runs }: Input,
): string {
  const mebibytes = (archiveBytes / 2 ** 20).toFixed(0)
  const whole = (value: number | undefined) =>
    value === undefined ? '' : Math.round(value).toLocaleString('en')
  const lines = [
    `${records.toLocaleString('en')} records, ${mebibytes} MiB of tar.gz; medians of ${runs} runs`,
    `${processor}, ${cores} cores, Node.js ${node}`,
    '',
    '| trial | seconds | of processors | stolen | MB/s | records/s | peak MiB | ratio | of processors | at most |',
    '|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|',
  ]
  for (const { name, seconds, stolen, megabytesPerSecond, recordsPerSecond, ...rest } of results) {
    const { peakMiB, ratio, against, most, processorSeconds, processorRatio } = rest
    const taken = `${(100 * stolen).toFixed(0)} %`
    const compared = ratio === undefined ? '' : `${ratio.toFixed(2)} × ${against}`
    const speed = [whole(megabytesPerSecond), whole(recordsPerSecond), whole(peakMiB)]
    const used = processorSeconds?.toFixed(2) ?? ''
    const byProcessors = processorRatio?.toFixed(2) ?? ''
    const times = [seconds.toFixed(2), used, taken]
    const cells = [name, ...times, ...speed, compared, byProcessors, most ?? '']
    lines.push(`| ${cells.join(' | ')} |`)
  }
  return `${lines.join('\n')}\n`
}
