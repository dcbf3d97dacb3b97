import type { Database } from '../../database/open-database.ts'
import { diffDatabases } from '../../transform/diff/diff-databases.ts'
import { CHANGES, type Change, type DiffOptions } from '../../transform/diff/diff-options.ts'
import { findMisspelt } from '../../transform/diff/member-patterns.ts'
import { diffAsSql } from '../../transform/diff/sql-patch.ts'
import { summarizeDiff } from '../../transform/diff/summarize-diff.ts'
import type { WorkingCopy } from '../../transform/working-copy.ts'
import { defineCommand } from '../command/command.ts'
import type { ExitCode } from '../command/exit-codes.ts'
import type { Io } from '../command/io.ts'
import { asStored, type SafeText } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { JSON_OPTION, ownFormatOf } from '../options/format-options.ts'
import { limitOf } from '../options/reading-options.ts'
import { SELECTION_OPTIONS, selectionOf } from '../options/selection-options.ts'
import { PAGER_OPTION, QUIET_OPTION, SOURCE_OPTION } from '../options/shared-options.ts'
import { escapeControlsButNewlines } from '../output/escape-controls.ts'
import { PLAIN_STYLES, stylesFor } from '../output/styles.ts'
import { writeAll } from '../output/write-all.ts'
import { resolveSelection } from '../process/resolve-selection.ts'
import { asJson, asText, DIFF_FORMATS, formatSummary } from '../reports/diff-formats.ts'
import { openReadable } from '../sources/open-readable.ts'
import { openRenamed, RENAMED_OPTIONS } from '../sources/open-renamed.ts'

export const diff = defineCommand({
  usage: '<source> <other>',
  options: {
    source: SOURCE_OPTION,
    other: { ...SOURCE_OPTION, describe: 'Another such source to compare it with' },
    stat: { type: 'boolean', describe: 'Only count the changes of each kind' },
    summary: { type: 'boolean', describe: 'Only one line for each change' },
    format: {
      choices: DIFF_FORMATS,
      value: '<format>',
      describe: 'Format; sql makes the first into the other [text]',
    },
    json: JSON_OPTION,
    only: {
      type: 'string',
      value: '<changes>',
      describe: 'Only added, removed or changed, separated by commas [all]',
    },
    member: {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<name>',
      describe: 'Only changes of this member; * stands for any characters; repeatable [all]',
    },
    ignore: {
      type: 'string',
      array: true,
      nargs: 1,
      value: '<kind.member>',
      describe: 'Members that do not count, such as "*.updated_at"; repeatable [none]',
    },
    context: { type: 'string', value: '<lines>', describe: 'Lines shown around a change [3]' },
    word: { type: 'boolean', describe: 'Compare texts word by word' },
    git: {
      choices: ['refs', 'commits', 'none'],
      default: 'refs',
      value: '<what>',
      describe: 'Compare refs; commits lists what each moved one gained and lost',
    },
    files: {
      type: 'boolean',
      default: true,
      describe: 'Do not compare files: attachments, assets',
    },
    bytes: {
      type: 'boolean',
      describe: 'Also compare the archives that marc build would make of both, entry by entry',
    },
    ...RENAMED_OPTIONS,
    ...SELECTION_OPTIONS,
    quiet: { ...QUIET_OPTION, describe: 'Print nothing; the exit code says whether they differ' },
    pager: PAGER_OPTION,
  },
  exits: [1],
  exitMeanings: { 0: 'they do not differ', 1: 'they differ' },
  examples: [
    ['marc diff samples/hello.tar.gz samples/organization.tar.gz --stat', 'counts by kind'],
    [
      'marc diff samples/hello.tar.gz samples/organization.tar.gz --kind users --format ndjson',
      'for programs; exit code 1: they differ',
    ],
  ],
  async run({ source, other, only, member, ignore, context, word, git, ...typed }, io) {
    const format = ownFormatOf(typed) ?? 'text'
    if (source === '-' && other === '-') {
      throw new UsageError('standard input cannot hold both sources')
    }
    const lines = limitOf('context', context) ?? 3
    const options: DiffOptions = {
      ...selectionOf(typed),
      only: parseChanges(only),
      members: member,
      ignore,
      refs: git !== 'none',
      files: typed.files,
      bytes: typed.bytes,
      commits: typed.stat || typed.quiet ? 'none' : git === 'commits' ? 'list' : 'count',
    }
    const contents =
      typed.bytes || format === 'sql' || git === 'commits'
        ? 'all'
        : typed.files
          ? 'uploads'
          : 'none'
    const reading = { quiet: typed.quiet, contents } as const
    const first = await openReadable(source, io, reading)
    const b = await openReadable(other, io, reading).catch((error: unknown) => {
      first.close()
      throw error
    })
    let renamed: WorkingCopy | undefined
    try {
      renamed = await openRenamed(first, b, typed)
      const a = renamed?.database ?? first
      refuseMisspelt([a, b], options)
      const resolved = await resolveEither([a, b], options, {
        timeout: typed.timeout,
        io,
        isRenamed: renamed !== undefined,
      })
      if (format === 'sql') return await writeSql(a, b, resolved, io)
      if (typed.stat && !typed.quiet) {
        const summary = await summarizeDiff(a, b, resolved)
        await writeAll(io.stdout, formatSummary(summary, format))
        return summary.counts.size > 0 ? 1 : 0
      }
      const styles = format === 'text' ? stylesFor(io.stdout, io.env) : PLAIN_STYLES
      const style = { styles, context: lines, byWord: word === true }
      const found = { any: false }
      const changes = noting(diffDatabases(a, b, resolved), found)
      if (typed.quiet) {
        await changes.next()
        return found.any ? 1 : 0
      }
      const pieces =
        format === 'json' || format === 'ndjson'
          ? asJson(changes, format)
          : asText(changes, { a, b, style, summary: typed.summary, format })
      await writeAll(io.stdout, pieces)
      return found.any ? 1 : 0
    } finally {
      renamed?.close()
      first.close()
      b.close()
    }
  },
})

/** Throws `UsageError` for a member that no record has: its changes would be shown, or missing, without a word. */
function refuseMisspelt(databases: readonly Database[], options: DiffOptions): void {
  const found = findMisspelt(databases, options)
  if (!found) return
  const { pattern, meant } = found
  throw new UsageError(
    `no record has such a member: ${pattern}`,
    meant
      ? `Did you mean ${meant}?`
      : 'List the members of a kind with: marc schema <database> <kind>',
  )
}

/** The selection with names that either database has. */
async function resolveEither(
  [a, b]: readonly [Database, Database],
  options: DiffOptions,
  { isRenamed, ...limits }: { timeout: string | undefined; io: Io; isRenamed: boolean },
): Promise<DiffOptions> {
  try {
    const resolved = await resolveSelection(a, options, limits)
    const { where, fromQuery } = options
    await resolveSelection(b, { where, fromQuery }, limits)
    return resolved
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    return await resolveSelection(b, options, limits).catch(() => {
      throw isRenamed ? new UsageError(error.message, RENAMED_FIRST, error.place) : error
    })
  }
}

const RENAMED_FIRST = 'What is selected is named as after the renaming'

function parseChanges(text: string | undefined): DiffOptions['only'] {
  const words = text?.split(',').map((word) => word.trim())
  const strange = words?.find((word) => !CHANGES.some((change) => change === word))
  if (strange === undefined) return words as DiffOptions['only']
  throw new UsageError(`--only takes ${CHANGES.join(', ')}, not ${JSON.stringify(strange)}`)
}

async function writeSql(a: Database, b: Database, options: DiffOptions, io: Io): Promise<ExitCode> {
  let count = 0
  function* statements(): Generator<SafeText> {
    for (const sql of diffAsSql(a, b, options)) {
      count++
      // A terminal would obey control characters; SQLite reads the text as it is.
      yield io.stdout.isTTY ? escapeControlsButNewlines(sql) : asStored(sql)
    }
  }
  await writeAll(io.stdout, statements())
  // BEGIN and COMMIT alone change nothing.
  return count > 2 ? 1 : 0
}

async function* noting(changes: AsyncIterable<Change>, found: { any: boolean }) {
  for await (const change of changes) {
    found.any = true
    yield change
  }
}
