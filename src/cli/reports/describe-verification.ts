import type { ExportVerification } from '../../exporters/verify/verify-export.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'

/** Differences of one partition that are shown, at most. */
const SHOWN = 20

/** Formats the result of `--verify` for people. */
export function describeVerification(
  found: readonly ExportVerification[],
  io: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  if (found.length === 0) return safe`There are no partitions.`
  const { bold } = stylesFor(io.stdout, io.env)
  return found
    .flatMap(({ name, differences }) => {
      const shown = escapeControls(name)
      if (differences.length === 0) return [safe`${shown} is as it should be.`]
      const more = differences.length - SHOWN
      return [
        safe`${bold(shown)} differs:`,
        ...differences.slice(0, SHOWN).map(describeDifference),
        ...(more > 0 ? [safe`  and ${more} more`] : []),
      ]
    })
    .join('\n') as SafeText
}

function describeDifference({
  table,
  fact,
  expected,
  found,
}: ExportVerification['differences'][number]): SafeText {
  const where = table === undefined ? safe`` : safe`${escapeControls(table)}, `
  const show = (value: typeof found) => escapeControls(String(value ?? 'nothing'))
  return safe`  ${where}${escapeControls(fact)}: expected ${show(expected)}, found ${show(found)}`
}
