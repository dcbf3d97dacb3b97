import { copyFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import Sqlite from 'better-sqlite3'
import { beforeAll, describe, expect, test } from 'vitest'
import { indexCommits } from '../../src/git/history/index-commits.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { examineAt } from '../support/by-path.ts'
import { folderOf } from '../support/folder.ts'
import { recordFile, sourceOf } from '../support/load.ts'
import { ROOT, shareFolder } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

const HELLO = join(ROOT, 'samples/hello.tar.gz')
const later = () =>
  sourceOf({
    ...recordFile('issues', { url: 'https://github.com/a/b/issues/1', title: 'One' }),
    'repositories/mona-lindqvist/tea-timer.git/HEAD': 'ref: refs/heads/main',
    'attachments/1/a.txt': 'x',
  })

const UNCHANGED = { faults: [], count: 0, repaired: [], edits: [], unverified: [] }

function change(path: string, sql: string): void {
  new Sqlite(path).exec(sql).close()
}

describe('The rows of tables without records', () => {
  let original: string
  shareFolder({})
  beforeAll(async () => {
    original = resolve('complete.db')
    await loadArchive(HELLO, original)
    await indexCommits(original, { files: true })
  })

  const copy = async (): Promise<string> => {
    const path = join(await folderOf(), 'it.db')
    copyFileSync(original, path)
    return path
  }

  test('are counted that were changed, added and removed', async () => {
    const path = await copy()
    change(
      path,
      "UPDATE entries SET mode = 0 WHERE id IN (1, 2); DELETE FROM problems; DELETE FROM git_packs WHERE rowid = 1; INSERT INTO problems VALUES (1, 'x', NULL, NULL, NULL, 'x', NULL, 1)",
    )
    const rows = examineAt(path).edits.filter(({ what }) => what === 'rows')
    expect(rows).toEqual([
      { what: 'rows', kind: 'entries', changed: 2, added: 0, removed: 0 },
      { what: 'rows', kind: 'git_packs', changed: 0, added: 0, removed: 1 },
      { what: 'rows', kind: 'problems', changed: 0, added: 1, removed: 0 },
    ])
  })

  test('are as they were loaded, after further loads as well', THOROUGH, async () => {
    const path = await copy()
    expect(examineAt(path)).toEqual(UNCHANGED)
    await loadArchive(later(), path)
    expect(examineAt(path)).toEqual(UNCHANGED)
    await indexCommits(path)
    await loadArchive(HELLO, path, { newestWins: true })
    expect(examineAt(path)).toEqual(UNCHANGED)
  })

  test('stay edited if they were before a further load', THOROUGH, async () => {
    const path = await copy()
    change(
      path,
      "UPDATE entries SET mode = 0 WHERE id = 1; DELETE FROM event_types WHERE event = 'closed'",
    )
    const { edits } = examineAt(path)
    expect(edits.map(({ kind }) => kind)).toEqual(
      expect.arrayContaining(['entries', 'event_types']),
    )
    await loadArchive(later(), path)
    expect(examineAt(path).edits).toEqual(edits)
  })

  test('are not known of a database that an earlier version loaded', THOROUGH, async () => {
    const path = await copy()
    change(path, 'DROP TABLE row_checksums')
    const { faults, edits, unverified } = examineAt(path)
    expect({ faults, edits }).toEqual({ faults: [], edits: [] })
    expect(unverified).toEqual(expect.arrayContaining(['archives', 'entries', 'refs']))
    await loadArchive(later(), path)
    await indexCommits(path)
    expect(examineAt(path).unverified).toEqual(expect.arrayContaining(['archives', 'refs']))
  })
  test('are those of an audit log as well', THOROUGH, async () => {
    const path = join(await folderOf(), 'it.db')
    const log = { ...recordFile('issues'), 'audit_log.csv': 'action,actor\nrepo.create,ada\n' }
    await loadArchive(sourceOf(log), path)
    expect(examineAt(path)).toEqual(UNCHANGED)
    change(path, "UPDATE audit_log SET actor = 'eve'")
    expect(examineAt(path).edits).toEqual([
      { what: 'rows', kind: 'audit_log', changed: 1, added: 0, removed: 0 },
    ])
  })
})
