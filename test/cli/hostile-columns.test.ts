import { copyFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Io } from '../../src/cli/command/io.ts'
import { REPORT_FORMATS } from '../../src/cli/reports/check/report-formats.ts'
import { paperFor } from '../../src/cli/show/describe-text.ts'
import { describeThread } from '../../src/cli/show/describe-thread.ts'
import { checkDatabase } from '../../src/conformance/checks/check-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { threadMarkdown } from '../../src/reading/markdown/thread-markdown.ts'
import { readThread } from '../../src/reading/threads/read-thread.ts'
import type { Thread } from '../../src/reading/threads/thread.ts'
import { readTimeline } from '../../src/reading/threads/timeline.ts'
import { copySamples } from '../support/load-once.ts'
import { run, shareFolder } from '../support/run-command.ts'
import { everyDay, THOROUGH } from '../support/thorough.ts'

// Codes that our own styles do not use.
const EVIL = '\x1b[45m\x9b2J\x1b]0;owned\x07\u202eevil\r\x00'
// biome-ignore lint/suspicious/noControlCharactersInRegex: the test looks for them.
const STYLES = /\x1b\[(?:[123]|2[23]|3[1236]|39)m/g
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/u

const ISSUE = 'mona-lindqvist/tea-timer#4'

/** Columns that join records. One database keeps them, so that threads are complete; the other has none. */
const KEYS =
  /^(url|path|.*_url|repository|user|issue|pull_request|pull_request_review|pull_request_review_thread|actor|in_reply_to|oid|name|login|full_name|sha256|state|event|subject|kind|role|entry|_entry)$/

const DATABASES = {
  'joined.db': (column: string) => !KEYS.test(column),
  'torn.db': (_: string) => true,
}

shareFolder({})
beforeAll(async () => {
  await copySamples('whole.db')
  await run(['repo', 'index', 'whole.db'])
})

/** Appends terminal codes to every text of a database. */
function poison(path: string, isPoisoned: (column: string) => boolean): number {
  const database = openDatabase(path, { readonly: false })
  const columns = database
    .prepare<[], { table: string; column: string }>(
      `SELECT t.name AS "table", c.name AS "column" FROM sqlite_schema AS t, pragma_table_xinfo(t.name) AS c
       WHERE t.type = 'table' AND c.hidden = 0 AND c.type IN ('TEXT', '') AND t.sql NOT LIKE 'CREATE VIRTUAL%'
       AND t.name NOT LIKE 'search_index%'`,
    )
    .all()
    .filter(({ column }) => isPoisoned(column))
  let changed = 0
  for (const { table, column } of columns) {
    const { changes } = database
      .prepare(
        `UPDATE "${table}" SET "${column}" = "${column}" || ? WHERE typeof("${column}") = 'text' AND NOT json_valid("${column}")`,
      )
      .run(EVIL)
    changed += changes
  }
  database.close()
  return changed
}

/** Keeps a few rows of every table. All rows are printed in the same way. */
function trim(path: string): void {
  const database = openDatabase(path, { readonly: false })
  const names = database
    .prepare<[], string>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`)
    .pluck()
    .all()
  for (const name of names.filter((name) => !/^(sqlite|search)_/.test(name))) {
    database.exec(`DELETE FROM "${name}" WHERE rowid NOT IN (SELECT rowid FROM "${name}" LIMIT 5)`)
  }
  database.close()
}

describe.each(Object.entries(DATABASES))('Q3: of %s, with poisoned texts,', (path, isPoisoned) => {
  const onTerminal = { tty: true, env: { CLICOLOR_FORCE: '1' } } as const

  beforeAll(() => {
    copyFileSync('whole.db', path)
    if (path === 'torn.db') trim(path)
    expect(poison(path, isPoisoned)).toBeGreaterThan(500)
  })

  const commands: [string, ...string[]][] = [
    ['inspect', path],
    ['ls', path],
    ['tables', path, '--all'],
    ['schema', path],
    ['search', path, 'tea'],
    ['show', path, ISSUE],
    ['show', path, ISSUE, '--format', 'markdown'],
    ['show', path, ISSUE, '--format', 'json'],
    ['show', path, 'https://github.com/teo-park'],
    ['show', path, 'https://github.com/teo-park', '--format', 'markdown'],
    ['attachments', 'list', path],
    ['attachments', 'check', path],
    ['doctor', path],
    ['repo', 'list', path],
    ['repo', 'refs', path, 'mona-lindqvist/tea-timer'],
    ['repo', 'log', path, 'mona-lindqvist/tea-timer'],
    ['repo', 'show', path, 'mona-lindqvist/tea-timer'],
    ['repo', 'fsck', path],
    ['build', path, '-o', `${path}.tar.gz`, '--force', '--allow-invalid', '--verbose'],
    ['cat', path, 'https://github.com/teo-park'],
  ]

  const titled = commands.map((argv) => [argv.join(' '), argv] as const)
  const expectCommandClean = async (_: string, argv: readonly string[]) => {
    expectClean(await run(argv, onTerminal))
  }
  // The second database has the names and keys, which some commands print; the first has all that the others print.
  const isForEveryDay = ([line]: (typeof titled)[number]) =>
    /^(?:inspect|ls|tables|repo list|repo refs) /.test(line)
      ? path === 'torn.db'
      : path === 'joined.db' && !/^(?:build|doctor|repo fsck) /.test(line)
  const forEveryDay = titled.filter(isForEveryDay)
  const others = titled.filter((each) => !isForEveryDay(each))
  everyDay(1)(forEveryDay)('%s prints none of it', expectCommandClean)
  test.each(others)('%s prints none of it', THOROUGH, expectCommandClean)

  test('no format of a report prints any of it', path === 'torn.db' ? {} : THOROUGH, async () => {
    const database = openDatabase(path)
    const result = await checkDatabase(database, {})
    for (const format of Object.values(REPORT_FORMATS)) {
      const io = { stdout: { isTTY: true, columns: 80 }, env: { CLICOLOR_FORCE: '1' } }
      const report = { archives: [`${path}${EVIL}`], ...result }
      expectClean({ stdout: [...format(report, io as unknown as Io)].join(''), stderr: '' })
    }
    database.close()
  })

  const printTables = async (format: string) => {
    const database = openDatabase(path)
    const statements = database
      .prepare<[], string>(
        `SELECT format('SELECT * FROM "%w" LIMIT 5;', name) FROM sqlite_schema
         WHERE name NOT GLOB 'sqlite_*' AND type IN ('table', 'view')`,
      )
      .pluck()
      .all()
    database.close()
    expect(statements.length).toBeGreaterThan(50)
    const argv = ['shell', path, statements.join('\n'), '--format', format]
    expectClean(await run(argv, { tty: 'stdout', columns: 400 }))
  }
  const [format, other] = path === 'joined.db' ? ['table', 'markdown'] : ['markdown', 'table']
  test(`no table or view prints any of it as ${format}`, THOROUGH, () => printTables(format))
  test(`no table or view prints any of it as ${other}`, THOROUGH, () => printTables(other))

  test('no thread prints any of it', THOROUGH, () => {
    const database = openDatabase(path)
    const urls = database
      .prepare<[], string>(`SELECT url FROM threads WHERE url NOT GLOB '*evil*' LIMIT 5`)
      .pluck()
      .all()
    expect(urls.length > 0).toBe(path === 'joined.db')
    const paper = paperFor({ stdout: { isTTY: true, columns: 80 }, env: {} } as unknown as Io)
    for (const url of urls) {
      const thread = readThread(database, url) as Thread
      const timeline = [...readTimeline(database, url)]
      const shown = [
        ...describeThread(thread, timeline, paper),
        ...threadMarkdown(thread, timeline),
      ]
      expectClean({ stdout: shown.join(''), stderr: '' })
    }
    database.close()
  })
})

function expectClean({ stdout, stderr }: { stdout: string; stderr: string }) {
  const shown = (stdout + stderr).replaceAll(STYLES, '').replaceAll('\r\x1b[2K', '')
  expect(shown).not.toBe('')
  const at = shown.replace(/[\n\t]/g, ' ').search(CONTROLS)
  expect(at < 0 ? '' : JSON.stringify(shown.slice(Math.max(0, at - 60), at + 20))).toBe('')
}
