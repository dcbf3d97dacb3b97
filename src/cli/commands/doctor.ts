import { existsSync } from 'node:fs'
import {
  DATABASE_FAULTS,
  type DatabaseFault,
  type Edit,
} from '../../conformance/doctor/database-fault.ts'
import type { IntegrityReport } from '../../conformance/doctor/examine-database.ts'
import { openDatabase } from '../../database/open-database.ts'
import { isDatabase } from '../../files/is-database.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { shellWord, UsageError } from '../command/usage-error.ts'
import { PROGRESS_OPTIONS, progressMode } from '../options/shared-options.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { showProgress } from '../output/progress.ts'
import { formatCount } from '../output/quantities.ts'
import { stylesFor } from '../output/styles.ts'
import { writeAll } from '../output/write-all.ts'

export const doctor = defineCommand({
  usage: '<database>',
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
  works: 'in SQLite',
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
    if (!repair) await io.mayEndAtOnce?.()
    const { examineDatabase } = await import('../../conformance/doctor/examine-database.ts')
    const database = openDatabase(path)
    try {
      const integrity = examineDatabase(database, {
        repair,
        progress: ({ bytes }) => shown.update(bytes),
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
  const { faults, count, repaired, edits, unverified } = integrity
  const name = bold(escapeControls(database))
  const line = ({ code, where, message }: DatabaseFault) =>
    safe`  ${ownText(code)} ${escapeControls(where)}: ${escapeControls(message)}: ${ownText(DATABASE_FAULTS[code].summary)}`
  const more = count - faults.length
  return [
    ...(repaired.length > 0 ? [yellow(safe`Repaired`), ...repaired.map(line)] : []),
    ...(count > 0 ? [yellow(safe`Damaged`), ...faults.map(line)] : []),
    ...(more > 0 ? [safe`  and ${formatCount(more)} more`] : []),
    ...(edits.length > 0 ? [yellow(safe`Edited`), ...describeEdits(edits)] : []),
    ...(unverified.length > 0 ? [notCompared(unverified)] : []),
    safe`${name} ${verdict(integrity)}`,
  ].join('\n')
}

/** `  issues  2 changed, 1 added`; files by what they are for, definitions by their type: `  schema: trigger mine  1 added`. */
function describeEdits(edits: readonly Edit[]): SafeText[] {
  const rows = edits.map(({ what, kind, ...counts }) => {
    const ways = (['changed', 'added', 'removed'] as const).filter((way) => counts[way] > 0)
    const numbers = ways.map((way) => safe`${formatCount(counts[way])} ${ownText(way)}`)
    const isNamed = what === 'files' || what === 'schema'
    return [isNamed ? `${what}: ${kind}` : kind, numbers.join(', ')] as const
  })
  const width = Math.max(...rows.map(([name]) => name.length))
  return rows.map(([name, numbers]) => safe`  ${escapeControls(name).padEnd(width)}  ${numbers}`)
}

const notCompared = (tables: readonly string[]): SafeText =>
  safe`An earlier version of marc loaded it: edits of ${ownText(tables.join(', '))} cannot be found. Loading the archives again helps.`

function verdict({ faults, count, edits, unverified }: IntegrityReport): SafeText {
  if (count === 0) {
    return edits.length > 0
      ? safe`was edited since it was loaded, but is not damaged.`
      : unverified.length > 0
        ? safe`is otherwise unchanged since it was loaded.`
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

/**
 * Throws `UsageError` with a hint for a file or folder that is not a database. A missing one is reported by `openDatabase`.
 */
async function requireDatabase(path: string, hint: string): Promise<void> {
  if (!existsSync(path) || (await isDatabase(path))) return
  throw new UsageError('expected a database, found something else', hint, { archive: path })
}
