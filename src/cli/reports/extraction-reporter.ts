import type { ExtractedFile, ExtractOutcome } from '../../attachments/extract-attachments.ts'
import type { Io } from '../command/io.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { formatCount } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'

/** Uploads of which something is said one by one; the rest are counted. */
const MOST = 10

const SAID: Partial<Record<ExtractOutcome, SafeText>> = {
  kept: safe`kept, because a file has this name`,
  missing: safe`missing from the archive`,
}

/** Says on standard error what was not written, or with `verbose` all. */
export function tellOutcomes(
  { stderr }: Io,
  { quiet, verbose }: { quiet: boolean | undefined; verbose: boolean | undefined },
) {
  const mode = quiet || verbose ? 'none' : undefined
  const shown = showProgress(stderr, { label: 'extracting', mode })
  const counts: Partial<Record<ExtractOutcome, number>> = {}
  let bytes = 0
  return {
    report({ attachment, outcome, path, bytes: more }: ExtractedFile) {
      bytes += more
      shown.update(bytes)
      const count = (counts[outcome] ?? 0) + 1
      counts[outcome] = count
      if (!verbose && (SAID[outcome] === undefined || count > MOST)) return
      shown.clear()
      const named = path ?? attachment.path ?? attachment.url ?? attachment.name ?? ''
      stderr.write(safe`${escapeControls(String(named))}: ${SAID[outcome] ?? ownText(outcome)}\n`)
    },
    finish() {
      shown.finish()
      for (const [outcome, said] of Object.entries(SAID)) {
        const hidden = (counts[outcome as ExtractOutcome] ?? 0) - MOST
        if (!verbose && hidden > 0) stderr.write(safe`${formatCount(hidden)} more: ${said}\n`)
        counts[outcome as ExtractOutcome] = 0
      }
    },
  }
}
