import type { Database } from '../../../database/open-database.ts'
import type { Change } from '../../../transform/diff/diff-options.ts'
import { type Validation, validateArchive } from '../../../validate/validate-archive.ts'
import { defineCommand } from '../../command/command.ts'
import type { Io } from '../../command/io.ts'
import { ownText, type SafeText, safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { clientOf, SERVER_OPTIONS } from '../../options/client-options.ts'
import { JSON_OPTION, ownFormatOf } from '../../options/format-options.ts'
import { SOURCE_OPTION } from '../../options/shared-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatTable } from '../../output/format-table.ts'
import { formatCount } from '../../output/quantities.ts'
import { streamJson } from '../../output/stream-json.ts'
import { PLAIN_STYLES, stylesFor } from '../../output/styles.ts'
import { writeAll } from '../../output/write-all.ts'
import { asJson, asText } from '../../reports/diff-formats.ts'
import { openReadable } from '../../sources/open-readable.ts'

const EXAMPLE = 'marc migration validate samples/hello.tar.gz --repo mona-lindqvist/tea-timer'

const FORMATS = ['text', 'json', 'ndjson', 'markdown'] as const

export const validate = defineCommand({
  usage: '<source> [repository]',
  options: {
    source: SOURCE_OPTION,
    repository: {
      type: 'string',
      describe: 'owner/name in the archive [the only one, or that of the same name]',
    },
    repo: { value: '<owner/name>', describe: 'The repository on the server; required' },
    sample: {
      value: '<n>',
      default: '200',
      describe: 'Pull requests whose reviews are compared, which takes a request for each',
    },
    all: { type: 'boolean', describe: 'Compare the reviews of all pull requests' },
    format: { choices: FORMATS, value: '<format>', describe: 'Format of the differences [text]' },
    json: JSON_OPTION,
    ...SERVER_OPTIONS,
  },
  exits: [1, 4],
  // A child process has no terminal to ask for a token.
  works: 'in turns',
  exitMeanings: { 0: 'nothing was lost or changed', 1: 'they differ' },
  examples: [
    [EXAMPLE, 'what an import has lost'],
    [`${EXAMPLE} --all --json`, 'with all reviews, for programs'],
  ],
  async run({ source, repository: from, repo, sample, all, ...typed }, io) {
    const format = ownFormatOf(typed) ?? 'text'
    if (repo === undefined) {
      throw new UsageError(
        'no repository is named',
        'Name the one on the server: --repo owner/name',
      )
    }
    const client = clientOf(typed, io)
    const { quiet, verbose } = typed
    const isShown = !quiet && (verbose || io.stderr.isTTY === true)
    const database = await openReadable(source, io, { quiet, contents: 'git' })
    try {
      const validation = await validateArchive(database, {
        ...client,
        repository: repo,
        from,
        sample: all ? 'all' : countOf(sample),
        progress({ side, kind }) {
          if (isShown) io.stderr.write(safe`${ownText(side)}: reading ${ownText(kind)}\n`)
        },
      })
      await writeAll(io.stdout, describe(validation, { database, repo, format }, io))
      return validation.ok ? 0 : 1
    } finally {
      database.close()
    }
  },
})

interface Shown {
  database: Database
  /** The repository on the server. */
  repo: string
  format: (typeof FORMATS)[number]
}

/** The differences as `marc diff` prints them; as text, then what was compared and what was not. */
async function* describe(
  { from, ok, kinds, differences, notCompared }: Validation,
  { database, repo, format }: Shown,
  io: Io,
): AsyncGenerator<SafeText> {
  if (format === 'json') {
    yield* streamJson({ from, repository: repo, ok, kinds, differences, notCompared })
    yield safe`\n`
    return
  }
  if (format === 'ndjson') return yield* asJson(each(differences), format)
  const styles = format === 'text' ? stylesFor(io.stdout, io.env) : PLAIN_STYLES
  yield* asText(each(differences), {
    a: database,
    b: database,
    summary: false,
    format,
    style: { styles, context: 3, byWord: false },
  })
  if (format === 'markdown') return
  if (differences.length > 0) yield safe`\n`
  const rows = kinds.map(({ kind, archive, server }) => [kind, archive, server])
  yield* formatTable({ columns: ['kind', 'archive', 'server'], rows }, { styles })
  yield safe`\n`
  for (const { kind, records } of notCompared) {
    yield safe`not compared: ${formatCount(records)} ${escapeControls(kind)}\n`
  }
  const places = differences.length === 1 ? safe`place` : safe`places`
  const found = ok
    ? styles.green(safe`is as in the archive`)
    : styles.red(safe`differs in ${formatCount(differences.length)} ${places}`)
  yield safe`${styles.bold(escapeControls(repo))} ${found}\n`
}

async function* each(changes: readonly Change[]): AsyncGenerator<Change> {
  yield* changes
}

function countOf(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new UsageError(`--sample takes a number, not ${JSON.stringify(text)}`)
}
