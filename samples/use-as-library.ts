// node samples/use-as-library.ts: the library in one file, on the small sample.
import { createReadStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  type ArchiveRecord,
  inspectArchive,
  loadArchive,
  openDatabase,
  readArchive,
  readRecords,
  roleOf,
  runQuery,
} from '../src/index.ts' // 'migration-archive' once it is installed

const archive = new URL('hello.tar.gz', import.meta.url).pathname

// What is in it?
const { kinds, repositories } = await inspectArchive(archive)
console.log(Object.keys(repositories), kinds.issues?.records, 'issues')

// Stream entries and records, without a database. Entries come in the archive's own order.
for await (const entry of readArchive(createReadStream(archive))) {
  const role = roleOf(entry.path)
  if (role.role !== 'records' || role.stem !== 'issues') continue
  for await (const { record, index } of readRecords(entry.content, entry.path)) {
    const issue = record as ArchiveRecord<'issues'>
    console.log(index, issue.title, issue.labels.length)
  }
}

// Load, and ask in SQL.
const folder = mkdtempSync(join(tmpdir(), 'hello-'))
try {
  const { archives } = await loadArchive(archive, join(folder, 'hello.db'))
  console.log(archives[0]?.files, archives[0]?.problems)
  const database = openDatabase(join(folder, 'hello.db'))
  const { columns, rows } = runQuery(
    database,
    'SELECT event, count(*) AS times FROM issue_events GROUP BY event ORDER BY times DESC LIMIT :most',
    { most: 3 },
  )
  console.log(columns, [...rows])
  database.close()
} finally {
  rmSync(folder, { recursive: true })
}
