import type { QueryResult } from '../../query/run-query.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import type { Io } from '../command/io.ts'
import { UsageError } from '../command/usage-error.ts'
import { type Chosen, formatOf } from '../options/format-options.ts'
import { type ChartOptions, formatChart } from '../output/charts/format-chart.ts'
import { inkFor } from '../output/charts/sparkline.ts'
import { stylesFor } from '../output/styles.ts'
import { writeAll } from '../output/write-all.ts'

/** Options of charts: as wide as the terminal, or 80 columns in a pipe. */
export const chartOptions = ({ stdout, env }: Pick<Io, 'stdout' | 'env'>): ChartOptions => ({
  width: (stdout.isTTY && stdout.columns) || 80,
  ink: inkFor(env),
  styles: stylesFor(stdout, env),
})

/** Draws a result, or some of its columns. Throws `UsageError` if there are no numbers to draw. */
export async function writeChart(
  result: QueryResult,
  only: readonly string[] | undefined,
  io: Io,
): Promise<void> {
  const unknown = only?.find((name) => !result.columns.includes(name))
  if (unknown !== undefined) throw unknownColumn(unknown, result.columns)
  const chart = formatChart(result, { ...chartOptions(io), only })
  if (chart === undefined && only) {
    throw new UsageError(`not all of ${only.join(', ')} are numeric columns`)
  }
  if (chart === undefined) {
    const hint = 'Select what is counted first and how many later, such as: select user, count(*) …'
    throw new UsageError('there is no numeric column to draw', hint)
  }
  await writeAll(io.stdout, [chart])
}

function unknownColumn(name: string, columns: readonly string[]): UsageError {
  const hint = didYouMean(name, columns) ?? `Expected one of ${columns.join(', ')}.`
  return new UsageError(`--chart-column: the result has no column ${JSON.stringify(name)}`, hint)
}

/** Throws `UsageError` if a format is chosen too. */
export function checkAlone(format: Chosen): void {
  const name = formatOf(format)
  if (name !== undefined) throw new UsageError(`expected one format, found ${name} and --chart`)
}
