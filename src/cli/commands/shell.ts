import { existsSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { attachedTo } from '../../database/large-row.ts'
import { defineCommand } from '../command/command.ts'
import type { Io } from '../command/io.ts'
import { safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { FORMAT_OPTIONS, formatOf } from '../options/format-options.ts'
import { SOURCES_OPTION } from '../options/shared-options.ts'
import { pagerOf } from '../output/pager.ts'
import { hasColours } from '../output/styles.ts'
import { answerStatement } from '../shell/answer-statement.ts'
import { type AskedSource, databaseSource } from '../shell/asked-source.ts'
import { openInput } from '../shell/open-input.ts'
import { pagedScreen, plainScreen } from '../shell/open-screen.ts'
import { runPrompt } from '../shell/run-prompt.ts'
import type { Session } from '../shell/session.ts'
import {
  createStatementProcess,
  type StatementProcess,
  type StatementSource,
} from '../shell/statement-process.ts'
import { areDatasets } from '../sources/expand-sources.ts'
import { openSources } from '../sources/open-readable.ts'
import { PARAMETER_OPTION } from '../sources/query-parameters.ts'

type Settings = Pick<Session, 'pairs' | 'format' | 'headers' | 'csvSafe' | 'colours'>

export const shell = defineCommand({
  usage: '<sources..> [input]',
  options: {
    sources: SOURCES_OPTION,
    input: { type: 'string', describe: 'Statements and commands to run instead of a prompt' },
    param: PARAMETER_OPTION,
    ...FORMAT_OPTIONS,
  },
  works: 'in turns',
  examples: [
    [
      'marc shell samples/hello.tar.gz ".tables"',
      'list the tables; without .tables, open a prompt',
    ],
    [
      'marc shell samples/hello.tar.gz samples/organization.tar.gz ".tables"',
      'several archives as one',
    ],
    ['marc shell samples/hello.tar.gz "select 1 as a; select 2 as b" --csv', 'two results'],
  ],
  async run({ sources: named, input: last, param: pairs = [], headers, ...typed }, io) {
    // A prompt has no input, and statements are no files.
    const isSource = last !== undefined && existsSync(last)
    const input = isSource ? undefined : last
    const sources = isSource ? [...named, last] : named
    if (sources.includes('-') && input === undefined) {
      const hint = 'Write the statements on the command line, or load the archive with: marc load'
      throw new UsageError('standard input cannot hold both the source and the statements', hint)
    }
    const isTerminal = io.stdout.isTTY === true
    const settings: Settings = {
      pairs,
      headers,
      csvSafe: typed['csv-safe'] === true,
      format: formatOf(typed) ?? (isTerminal ? 'table' : 'json'),
      colours: hasColours(isTerminal, io.env),
    }
    const answer = async (
      source: AskedSource,
      sourceFor: (sql: string) => Promise<StatementSource>,
    ) => {
      if (input === undefined && io.stdin.isTTY && isTerminal) {
        await converse(source, createStatementProcess(sourceFor), settings, io)
      } else {
        await runScript(input === undefined ? linesOf(io) : input.split('\n'), source, settings, io)
      }
      return 0 as const
    }
    if (areDatasets(sources)) {
      const { datasetSource } = await import('../shell/dataset-source.ts')
      return await answer(datasetSource(sources), async () => sources)
    }
    const { database, databaseFor, close } = await openSources(sources, io)
    try {
      return await answer(databaseSource(database, databaseFor), async (sql) => {
        const asked = await databaseFor(sql)
        return { path: asked.name, isAttached: attachedTo(asked).length > 0 }
      })
    } finally {
      close()
    }
  },
})

async function converse(
  source: AskedSource,
  statements: StatementProcess,
  settings: Settings,
  io: Io,
): Promise<void> {
  const pager = pagerOf(io)
  let session: Session | undefined
  try {
    io.stdout.write(safe`Statements end with a semicolon; .help lists commands, .quit leaves.\n`)
    await runPrompt(io, statements, (terminal) => {
      session = {
        ...settings,
        source,
        io,
        screen: pager === undefined ? plainScreen(io) : pagedScreen(io, pager, terminal),
        // The size of the terminal may change, and a pager shows lines of any length.
        get width() {
          return pager === undefined ? io.stdout.columns : undefined
        },
        run: statements.run,
      }
      return session
    })
  } finally {
    statements.stop()
    await session?.file?.close()
  }
}

/** Runs input to its end, or to the first error. */
async function runScript(
  lines: AsyncIterable<string> | Iterable<string>,
  source: AskedSource,
  settings: Settings,
  io: Io,
): Promise<void> {
  const session: Session = {
    ...settings,
    source,
    io,
    screen: plainScreen(io),
    width: io.stdout.isTTY ? (io.stdout.columns ?? 80) : undefined,
    run: (asked, screen) => screen.write(answerStatement(source, asked)),
  }
  const input = openInput(session)
  try {
    for await (const line of lines) if (await input.accept(line)) return
    await input.finish()
  } finally {
    await session.file?.close()
  }
}

const linesOf = ({ stdin }: Io) =>
  createInterface({ input: stdin, crlfDelay: Number.POSITIVE_INFINITY })
