import type { ArchiveError } from '../../base/errors.ts'
import { compareTexts } from '../../base/text.ts'
import type { ImportedRepository } from '../../client/import/import-options.ts'
import type { LogFinding } from '../../client/import/read-log.ts'
import type { Io } from '../command/io.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { escapeControls } from '../output/escape-controls.ts'
import { formatBytes, formatCount, formatCounted } from '../output/quantities.ts'
import { type Styles, stylesFor } from '../output/styles.ts'
import { remedyFor } from '../remedies.ts'

/** Findings of one log that are printed. */
const MOST_SHOWN = 20

type Outcome = ImportedRepository | { from: string; error: ArchiveError }

/** Describes the result for each repository, and how to continue with those that are not imported yet. */
export function describeImported(
  outcomes: readonly Outcome[],
  { again }: { again: SafeText },
  io: Io,
): SafeText {
  const styles = stylesFor(io.stdout, io.env)
  const parts = outcomes.map((outcome) =>
    'error' in outcome ? describeError(outcome, styles) : describe(outcome, styles),
  )
  const isUnderWay = outcomes.some((each) => 'state' in each && isOpen(each))
  const failed = outcomes.filter((each) => 'error' in each || isFailed(each))
  const summary =
    outcomes.length > 1 && failed.length > 0
      ? [
          safe`${formatCount(failed.length)} of ${formatCount(outcomes.length)} are not imported: ${escapeControls(failed.map(({ from }) => from).join(', '))}`,
        ]
      : []
  const isBefore = outcomes.some((each) => 'state' in each && each.importedBefore)
  const compare = isBefore
    ? [
        safe`Nothing was uploaded for what was imported before. Compare it with this archive: marc migration validate`,
      ]
    : []
  const wait = isUnderWay ? [safe`Wait for it, and read its log: ${again}`] : []
  return [...parts, ...summary, ...wait, ...compare].join('\n')
}

const isFailed = ({ state }: ImportedRepository) =>
  state === 'FAILED' || state === 'FAILED_VALIDATION'
const isOpen = ({ state }: ImportedRepository) =>
  state !== null && state !== 'SUCCEEDED' && !isFailed({ state } as ImportedRepository)

const describeError = (
  { from, error }: { from: string; error: ArchiveError },
  { red }: Styles,
): SafeText =>
  safe`${escapeControls(from)} ${red(safe`is not imported`)}: ${escapeControls(error.message)}\n  ${escapeControls(remedyFor(error))}`

function describe(done: ImportedRepository, styles: Styles): SafeText {
  const { from, repository, archives, migration, state, failureReason, log } = done
  const [source, target] = [escapeControls(from), styles.bold(escapeControls(repository))]
  const files = archives.map(
    ({ path, bytes }) => safe`  ${escapeControls(path)}  ${formatBytes(bytes)}`,
  )
  const lines = log ? [describeCounts(done), ...describeFindings(log.findings, styles)] : []
  if (done.importedBefore) {
    return [safe`${target} was imported before, from the address of ${source}`, ...lines].join('\n')
  }
  if (state === null) return [safe`${source} would become ${target}`, ...files].join('\n')
  if (state === 'SUCCEEDED')
    return [safe`${target} ${styles.green(safe`is imported`)}`, ...lines].join('\n')
  if (!isFailed(done)) {
    const word = ownText(state.toLowerCase().replaceAll('_', ' '))
    return safe`${target} is ${word}: import ${escapeControls(migration ?? '')}`
  }
  const why = failureReason ?? 'the server does not say why'
  const failed = safe`${target} ${styles.red(safe`is not imported`)}: ${escapeControls(why)}`
  return [failed, ...lines].join('\n')
}

function describeCounts({ log }: ImportedRepository): SafeText {
  const { errors = 0, warnings = 0, file = null } = log ?? {}
  const counts = safe`its log has ${formatCounted(errors, 'error')} and ${formatCounted(warnings, 'warning')}`
  return file === null ? counts : safe`${counts}; all of it is in ${escapeControls(file)}`
}

/** Errors first. */
function describeFindings(findings: readonly LogFinding[], styles: Styles): SafeText[] {
  const sorted = findings.toSorted((a, b) => compareTexts(a.severity, b.severity))
  const lines = sorted.slice(0, MOST_SHOWN).map(({ severity, message, record }) => {
    const word = severity === 'error' ? styles.red(safe`error`) : styles.yellow(safe`warning`)
    // Most messages name the record themselves.
    const isNamed = record === null || message.includes(record.url)
    const at = isNamed
      ? safe``
      : safe` at ${escapeControls(record.table)} ${escapeControls(record.url)}`
    return safe`  ${word}${at}: ${escapeControls(message)}`
  })
  const more = findings.length - lines.length
  return more > 0
    ? [...lines, safe`  and ${formatCount(more)} more; --log writes all of them`]
    : lines
}
