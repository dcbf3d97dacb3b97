// node samples/use-as-library.ts: the library in one file, on the small sample.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  inspectArchive,
  loadArchive,
  openDatabase,
  readArchive,
  readArchiveRecords,
  roleOf,
  runQuery,
} from '../src/index.ts' // 'migration-archive' once it is installed

const archive = new URL('hello.tar.gz', import.meta.url).pathname

// What is in it?
const { kinds, repositories } = await inspectArchive(archive)
console.log(Object.keys(repositories), kinds.issues?.records, 'issues')

// Stream records, without a database: `record` has the members of an issue.
for await (const { record, index } of readArchiveRecords(archive, { kinds: ['issues'] })) {
  console.log(index, record.title, record.labels.length)
}

// Stream entries, in the archive's own order. Their content can be read, too.
for await (const { path, size } of readArchive(archive)) {
  if (roleOf(path).role === 'attachment') console.log(path, size)
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
