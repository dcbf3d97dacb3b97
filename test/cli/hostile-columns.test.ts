import { join } from 'node:path'
import { beforeAll, describe, expect, test } from 'vitest'
import { openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load-archive/load-archive.ts'
import { ROOT, run, shareFolder } from '../support/run-command.ts'

// None of these codes is one of ours, so that they can be told from our styles.
const EVIL = '\x1b[45m\x9b2J\x1b]0;owned\x07\u202eevil\r\x00'
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for.
const STYLES = /\x1b\[(?:[123]|2[23]|3[1236]|39)m/g
const CONTROLS = /[\p{Cc}\p{Bidi_Control}]/u

const SAMPLES = ['hello', 'organization'].map((name) => join(ROOT, `samples/${name}.tar.gz`))
const ISSUE = 'mona-lindqvist/tea-timer#4'

/** What joins records stays as it is in one database, so that all of a thread is found; in the other nothing does. */
const KEYS =
  /^(url|path|.*_url|repository|user|issue|pull_request|pull_request_review|pull_request_review_thread|actor|in_reply_to|oid|name|login|full_name|sha256|state|event|subject|kind|role|entry|_entry)$/

const DATABASES = {
  'joined.db': (column: string) => !KEYS.test(column),
  'torn.db': (_: string) => true,
}

shareFolder({})

/** Appends what a terminal would obey to every text of a database. */
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

describe.each(Object.entries(DATABASES))(
  'Q3: of %s, whose texts were changed,',
  (path, isPoisoned) => {
    let names: string[] = []

    beforeAll(async () => {
      await loadArchive(SAMPLES, path)
      await run(['repo', 'index', path])
      expect(poison(path, isPoisoned)).toBeGreaterThan(5000)
      const { stdout } = await run([
        'query',
        path,
        "SELECT name FROM sqlite_schema WHERE name NOT GLOB 'sqlite_*' AND type IN ('table', 'view')",
        '-r',
      ])
      names = stdout.trimEnd().split('\n')
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
      ...['text', 'markdown', 'sarif', 'json'].map((format): [string, ...string[]] => [
        'check',
        path,
        '--format',
        format,
      ]),
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

    test.each(commands.map((argv) => [argv.join(' '), argv] as const))(
      '%s prints none of it',
      async (_, argv) => {
        expectClean(await run(argv, { tty: true, env: { CLICOLOR_FORCE: '1' } }))
      },
    )

    test('no table or view prints any of it', async () => {
      for (const name of names) {
        for (const format of ['table', 'markdown']) {
          const argv = ['query', path, `SELECT * FROM "${name}" LIMIT 5`, '--format', format]
          expectClean(await run(argv, { tty: 'stdout', columns: 400 }))
        }
      }
    })

    test('no thread prints any of it', async () => {
      const { stdout } = await run([
        'query',
        path,
        "SELECT url FROM threads WHERE url NOT GLOB '*evil*' OR number IS NULL LIMIT 12",
        '-r',
      ])
      for (const url of stdout.trimEnd().split('\n').filter(Boolean)) {
        for (const format of ['text', 'markdown']) {
          expectClean(
            await run(['show', path, url, '--format', format], {
              tty: true,
              env: { CLICOLOR_FORCE: '1' },
            }),
          )
        }
      }
    })
  },
)

function expectClean({ stdout, stderr }: { stdout: string; stderr: string }) {
  const shown = (stdout + stderr).replaceAll(STYLES, '').replaceAll('\r\x1b[2K', '')
  expect(shown).not.toBe('')
  const at = shown.replace(/[\n\t]/g, ' ').search(CONTROLS)
  expect(at < 0 ? '' : JSON.stringify(shown.slice(Math.max(0, at - 60), at + 20))).toBe('')
}
