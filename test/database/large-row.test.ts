import Sqlite from 'better-sqlite3'
import { expect, test } from 'vitest'
import { issue } from '../support/archives.ts'
import { loaded, recordFile } from '../support/load.ts'
import { inFolder, run } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'

test(
  'A row with a cell larger than a record may be is an error of show before it is read',
  THOROUGH,
  async () => {
    inFolder()
    const { url } = issue(1, 'One')
    const { path, database } = await loaded(recordFile('issues', issue(1, 'One')))
    database.close()
    new Sqlite(path).exec(`UPDATE issues SET body = zeroblob(${2 ** 26 + 1})`).close()
    const message =
      'issues.body of the row 1 has 67108865 bytes, and commands read 67108864 at most'
    const { code, stderr } = await run(['show', path, url])
    expect([code, stderr]).toEqual([3, expect.stringContaining(message)])
    const raw = await run(['show', path, url, '--format', 'json'])
    expect([raw.code, raw.stderr]).toEqual([3, expect.stringContaining(message)])
  },
)
