import type { ExtractSummary } from '../../attachments/extract-attachments.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatDuration } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'

const LINES = [
  ['written', ''],
  ['linked', 'other names of the same content'],
  ['same', 'the same content under the same name'],
  ['kept', 'there was a file; replace them with --force'],
  ['missing', 'not in the archive'],
] as const satisfies readonly (readonly [keyof ExtractSummary, string])[]

/** The summary of an extraction as a person reads it. */
export function describeExtraction(
  folder: string,
  done: ExtractSummary,
  seconds: number,
  { stdout, env }: Pick<Io, 'stdout' | 'env'>,
): SafeText {
  const { bold } = stylesFor(stdout, env)
  const lines = LINES.filter(([name]) => done[name] > 0 || name === 'written').map(
    ([name, meaning]) => {
      const remark = name === 'written' ? formatBytes(done.bytes) : ownText(meaning)
      return safe`  ${ownText(name).padEnd(8)} ${formatCount(done[name]).padStart(9)}  ${remark}`
    },
  )
  const end = safe`Extracted in ${formatDuration(seconds * 1000)}.`
  return [bold(escapeControls(folder)), ...lines, end].join('\n')
}
