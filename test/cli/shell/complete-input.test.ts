import { expect, test } from 'vitest'
import { databaseSource } from '../../../src/cli/shell/asked-source.ts'
import { type Completer, createCompleter } from '../../../src/cli/shell/complete-input.ts'
import { type Database, openDatabase } from '../../../src/database/open-database.ts'
import { smallArchive } from '../../support/archives.ts'
import { inFolder, run } from '../../support/run-command.ts'

let pending = ''

async function withCompleter(work: (complete: Completer) => void): Promise<void> {
  inFolder({ 'a.tar.gz': smallArchive() })
  await run(['load', 'a.tar.gz', '-o', 'a.db', '-q'])
  const database: Database = openDatabase('a.db')
  try {
    work(
      createCompleter(
        databaseSource(database),
        { env: { MARC_QUERIES: '/nowhere' } },
        () => pending,
      ),
    )
  } finally {
    database.close()
    pending = ''
  }
}

test('Each word of a line is completed by its position', async () => {
  await withCompleter((complete) => {
    const found = (line: string) => complete(line)[0]
    expect(found('sel')).toContain('select')
    expect(found('SEL')).toEqual(['SELECT'])
    expect(found('select * from thre')).toEqual(['threads', 'thread_facts'])
    expect(found('select user_log')).toContain('user_login')
    expect(found('select * from threads t, issues as i where i.tit')).toEqual(['title'])
    expect(found('select * from issues i where i.tit')).toEqual(['title'])
    expect(found('select * from issues where miles')).toContain('milestone')
    expect(found('.sch')).toEqual(['.schema'])
    expect(found('.schema timel')).toEqual(['timeline'])
    expect(found('.mode nd')).toEqual(['ndjson'])
    expect(found('.saved reviewe')).toEqual(['reviewers'])
    expect(found('.saved stale-pull-requests d')).toEqual(['days='])
    expect(found('.saved stale-pull-requests days=3 re')).toEqual(['repo='])
    expect(found('.saved stale-pull-requests ')).toEqual(['days=', 'repo='])
    expect(found('.headers o')).toEqual(['on', 'off'])
    expect(found('select ')).toEqual([])
    expect(found('select * from issues where ')).toContain('title')
    expect(complete('select * from thre')[1]).toBe('thre')
    pending = 'select * from issues i\n'
    expect(found('where i.tit')).toEqual(['title'])
    expect(found('.sch')).not.toContain('.schema')
  })
})
