import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { openConnection } from '../../database/connection.ts'
import { didYouMean } from '../command/did-you-mean.ts'
import { ownText, type SafeText, safe } from '../command/safe-text.ts'
import { UsageError } from '../command/usage-error.ts'
import { escapeControlsButNewlines } from '../output/escape-controls.ts'
import { formatColumns } from '../output/format-columns.ts'
import { FORMATS, isFormatName } from '../output/formats.ts'
import { writeAll } from '../output/write-all.ts'
import { describeTables } from '../reports/describe-tables.ts'
import { checkPairs } from '../sources/query-parameters.ts'
import { savedQueries, savedQuery } from '../sources/saved-queries.ts'
import type { AskedSource } from './asked-source.ts'
import { ask, type Session, show } from './session.ts'

interface DotCommand {
  readonly usage: string
  readonly summary: string
  /** Returns true to end the shell. */
  run(words: readonly string[], session: Session): Promise<unknown>
}

/** The commands of the shell, named as in sqlite3. */
export const DOT_COMMANDS: Readonly<Record<string, DotCommand>> = {
  '.tables': {
    usage: '[pattern]',
    summary: 'Tables and views with rows, or all LIKE a pattern',
    async run([pattern], session) {
      const names = pattern === undefined ? undefined : namesOf(session.source, pattern)
      const tables = await session.source.count(names !== undefined)
      const shown = tables.filter(({ name }) => names?.includes(name) ?? true)
      const { env, stdout } = session.io
      const to = { env, stdout: session.file ? {} : stdout }
      return show(session, (screen) => screen.write(describeTables(shown, to)))
    },
  },
  '.schema': {
    usage: '[table]',
    summary: 'The CREATE statement of a table, or of all',
    run: ([name], session) => print(session, schemaOf(session.source, name)),
  },
  '.mode': {
    usage: '[format]',
    summary: `Format of the rows: ${Object.keys(FORMATS).join(', ')}`,
    async run([name], session) {
      if (name === undefined) return print(session, safe`${ownText(session.format)}\n`)
      if (!isFormatName(name)) throw unknown('format', name, Object.keys(FORMATS))
      session.format = name
    },
  },
  '.headers': {
    usage: 'on|off',
    summary: 'Turn column names on or off',
    async run([word = ''], session) {
      if (word !== 'on' && word !== 'off') throw new UsageError('.headers takes on or off')
      session.headers = word === 'on'
    },
  },
  '.output': {
    usage: '[file]',
    summary: 'Write results to a new file; without a file, to the screen',
    async run([path], session) {
      await session.file?.close()
      session.file = path === undefined ? undefined : await openFile(path)
    },
  },
  '.saved': {
    usage: '[name] [parameter=value ..]',
    summary: 'Run a saved query, or list them',
    async run([name, ...given], session) {
      if (name === undefined) {
        const rows = savedQueries(session.io).map((one) => [one.name, one.summary] as const)
        return print(session, safe`${escapeControlsButNewlines(formatColumns(rows))}\n`)
      }
      const query = savedQuery(name, session.io)
      const pairs = given.flatMap((word) => {
        const [parameter = '', ...value] = word.split('=')
        return [parameter, value.join('=')]
      })
      checkPairs(pairs, query)
      await ask(query, pairs, session)
    },
  },
  '.help': {
    usage: '',
    summary: 'This list',
    run: (_, session) =>
      print(
        session,
        safe`${formatColumns(
          Object.entries(DOT_COMMANDS).map(([name, { usage, summary }]) => [
            ownText(`${name} ${usage}`),
            ownText(summary),
          ]),
        )}\n\nAny other line is SQL; a statement ends with a semicolon.\nCtrl-C drops a line or stops a statement. Ctrl-R searches the history for the typed text.\n`,
      ),
  },
  '.quit': { usage: '', summary: 'Quit, like Ctrl-D', run: async () => true },
  '.exit': { usage: '', summary: 'Quit', run: async () => true },
}

/** Runs a line that begins with a dot. Returns true to end the shell. Throws `UsageError`. */
export async function runDotCommand(line: string, session: Session): Promise<boolean> {
  const [name = '', ...words] = [...line.matchAll(/"([^"]*)"|'([^']*)'|[^\s;]+/g)].map(
    ([word, double, single]) => double ?? single ?? word,
  )
  const command = Object.hasOwn(DOT_COMMANDS, name) ? DOT_COMMANDS[name] : undefined
  if (!command) throw unknown('command', name, Object.keys(DOT_COMMANDS), 'See: .help')
  return (await command.run(words, session)) === true
}

const print = (session: Session, text: SafeText) => show(session, (screen) => screen.write([text]))

const unknown = (noun: string, name: string, names: readonly string[], otherwise?: string) => {
  const hint = didYouMean(name, names) ?? otherwise ?? `Expected one of ${names.join(', ')}.`
  return new UsageError(`there is no ${noun} ${JSON.stringify(name)}`, hint)
}

/** Names of tables and views, sorted. */
function namesOf(source: AskedSource, pattern = '%'): string[] {
  const names = source.describe().map(({ name }) => name)
  const database = openConnection(':memory:')
  try {
    const isLike = database.prepare<[string, string], number>('SELECT ? LIKE ?').pluck()
    return names.filter((name) => isLike.get(name, pattern) === 1).sort()
  } finally {
    database.close()
  }
}

function schemaOf(source: AskedSource, name: string | undefined): SafeText {
  const found = source.statements(name)
  if (found.length === 0) throw unknown('table', name ?? '', namesOf(source), 'See: .tables')
  return found.map((sql) => safe`${escapeControlsButNewlines(sql)};\n`).join('')
}

async function openFile(path: string): Promise<NonNullable<Session['file']>> {
  const stream = createWriteStream(path, { flags: 'wx' })
  await once(stream, 'open').catch((error: NodeJS.ErrnoException) => {
    const message = error.code === 'EEXIST' ? 'there is a file with this name' : error.message
    throw new UsageError(message, 'Name another, or remove it first.', { archive: path })
  })
  return {
    write: (pieces) => writeAll(stream, pieces),
    end: async () => {},
    close: () => new Promise((done) => void stream.end(done)),
  }
}
