import { openDatabase } from '../../database/open-database.ts'
import { DATABASE_FAULTS, type DatabaseFault, type Edit } from '../../doctor/database-fault.ts'
import { examineDatabase, type IntegrityReport } from '../../doctor/examine-database.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { shellWord } from '../command/usage-error.ts'
import { PROGRESS_OPTIONS, progressMode } from '../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { formatCount } from '../output/quantities.ts'
import { ownText, type SafeText, safe } from '../output/safe-text.ts'
import { stylesFor } from '../output/styles.ts'
import { writeAll } from '../output/write-all.ts'
import { requireDatabase } from '../sources/is-database.ts'

export const doctor = defineCommand({
  usage: '<database>',
  summary: 'Compare a database with what was loaded, and repair what is safe to repair',
  options: {
    database: { type: 'string', demandOption: true, describe: 'A database that marc load created' },
    repair: {
      type: 'boolean',
      describe: 'Rebuild views and indexes, and remove contents that no file uses',
    },
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
    ...PROGRESS_OPTIONS,
  },
  exits: [1],
  examples: [
    ['marc doctor hello.db', 'find damage and edits'],
    ['marc doctor hello.db --repair', 'repair the damage'],
  ],
  async run({ database: path, repair, json, quiet, verbose }, io) {
    await requireDatabase(path, `Check an archive with: marc check ${shellWord(path)}`)
    const mode = progressMode({ quiet, verbose })
    const shown = showProgress(io.stderr, {
      label: `examining ${path}`,
      total: undefined,
      mode,
    })
    let seen = 0
    if (!repair) io.mayEndAtOnce?.()
    const database = openDatabase(path)
    try {
      const integrity = examineDatabase(database, {
        repair,
        progress(bytes) {
          seen += bytes
          shown.update(seen)
        },
      })
      shown.finish()
      const text = json
        ? escapeControlsInJson(JSON.stringify({ database: path, ...integrity }))
        : describe(path, integrity, io)
      await writeAll(io.stdout, [safe`${text}\n`])
      return exitCode(integrity)
    } finally {
      shown.finish()
      database.close()
    }
  },
})

const exitCode = ({ faults, count, edits }: IntegrityReport): ExitCode =>
  faults.some(({ code }) => code === 'pages-damaged') ? 3 : count + edits.length > 0 ? 1 : 0

function describe(database: string, integrity: IntegrityReport, { stdout, env }: Io): SafeText {
  const { bold, yellow } = stylesFor(stdout, env)
  const { faults, count, repaired, edits } = integrity
  const name = bold(escapeControls(database))
  const line = ({ code, where, message }: DatabaseFault) =>
    safe`  ${ownText(code)} ${escapeControls(where)}: ${escapeControls(message)}: ${ownText(DATABASE_FAULTS[code].summary)}`
  const more = count - faults.length
  return [
    ...(repaired.length > 0 ? [yellow(safe`Repaired`), ...repaired.map(line)] : []),
    ...(count > 0 ? [yellow(safe`Damaged`), ...faults.map(line)] : []),
    ...(more > 0 ? [safe`  and ${formatCount(more)} more`] : []),
    ...(edits.length > 0 ? [yellow(safe`Edited`), ...describeEdits(edits)] : []),
    safe`${name} ${verdict(integrity)}`,
  ].join('\n')
}

/** `  issues  2 changed, 1 added`; files by what they are for: `  files: attachment  1 removed`. */
function describeEdits(edits: readonly Edit[]): SafeText[] {
  const rows = edits.map(({ what, kind, ...counts }) => {
    const ways = (['changed', 'added', 'removed'] as const).filter((way) => counts[way] > 0)
    const numbers = ways.map((way) => safe`${formatCount(counts[way])} ${ownText(way)}`)
    return [what === 'files' ? `files: ${kind}` : kind, numbers.join(', ')] as const
  })
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, numbers]) => safe`  ${escapeControls(name).padEnd(width)}  ${numbers}`)
}

function verdict({ faults, count, edits }: IntegrityReport): SafeText {
  if (count === 0) {
    return edits.length > 0
      ? safe`was edited since it was loaded, but is not damaged.`
      : safe`is unchanged since it was loaded.`
  }
  if (faults.some(({ code }) => code === 'pages-damaged')) {
    return safe`is damaged. Nothing was written to it, because that could make it worse.\nLoad the archives again into another database.`
  }
  const hopeless = faults.some(({ code }) => !DATABASE_FAULTS[code].repair)
  return hopeless
    ? safe`is damaged.\nOnly views and indexes can be repaired. To recover the rest, load the archives again into another database.`
    : safe`can be repaired with: --repair`
}
