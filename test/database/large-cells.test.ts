import Sqlite from 'better-sqlite3'
import { describe, expect, test } from 'vitest'
import { findLargeCells } from '../../src/database/large-cells.ts'
import { issue } from '../support/archives.ts'
import { examineAt } from '../support/by-path.ts'
import { loaded, opened, recordFile } from '../support/load.ts'
import { inFolder, run } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const ISSUES = recordFile('issues', issue(1, 'One'), issue(2, 'Two'))

/** A database with a cell of as many bytes. */
async function large(bytes: number, column = 'issues.body'): Promise<string> {
  const { path, database } = await loaded(ISSUES)
  database.close()
  const [table, name] = column.split('.')
  new Sqlite(path).exec(`UPDATE ${table} SET ${name} = zeroblob(${bytes})`).close()
  return path
}

const MESSAGE = 'issues.body of the row 1 has 67108865 bytes, and commands read 67108864 at most'

describe('A cell that is larger than a record may be', () => {
  test('is found by its column and row, whatever its type', THOROUGH, async () => {
    const database = opened(await large(2 ** 26 + 1))
    expect([...findLargeCells(database)]).toEqual([
      { column: 'issues.body', rowid: 1n, bytes: 2 ** 26 + 1 },
    ])
  })

  test('is none if it has the largest size', THOROUGH, async () => {
    expect([...findLargeCells(opened(await large(2 ** 26)))]).toEqual([])
  })

  test('is told by doctor, which looks at no values then', THOROUGH, async () => {
    const { faults } = examineAt(await large(2 ** 26 + 1))
    expect(faults).toEqual([{ code: 'value-invalid', where: 'issues.body', message: MESSAGE }])
  })

  const COMMANDS = [
    'build',
    'diff',
    'map',
    'redact',
    'export',
    'check',
    'search',
    'attachments list',
    'serve',
    'site',
  ]
  test.each(COMMANDS)('is an error of %s', THOROUGH, async (name) => {
    inFolder()
    const path = await large(2 ** 26 + 1)
    const more: Record<string, string[]> = {
      build: ['-o', 'out.tar.gz'],
      diff: [path],
      map: ['--url', 'https://a.example=https://b.example', '-o', 'out.db'],
      redact: ['-o', 'out.db'],
      export: ['--csv', 'out'],
      search: ['two'],
      serve: ['--port', '0'],
      site: ['-o', 'out'],
    }
    const { code, stderr } = await run([...name.split(' '), path, ...(more[name] ?? [])])
    expect(stderr).toContain(MESSAGE)
    expect(code).toBe(3)
  })

  test('is read by no query with a limit of memory', THOROUGH, async () => {
    inFolder()
    const { code, stderr } = await run([
      'query',
      await large(2 ** 28),
      'select body from issues',
      '--nl',
    ])
    expect([code, stderr]).toEqual([3, expect.stringContaining('more than 209715200 bytes')])
  })
})
