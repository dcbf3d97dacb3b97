import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import {
  type ArchiveRecord,
  buildArchive,
  checkDatabase,
  type KindName,
  loadArchive,
  openDatabase,
  type Problem,
  readArchiveRecords,
  type SourceOptions,
} from '../../src/index.ts'
import { folderOf } from './folder.ts'

/**
 * Loads a source, builds the archive of it, and reads that.
 *
 * @param into where the database and the archive go; by default a folder that goes away with the test
 * @param options facts that the source does not tell
 */
export async function builtSource(source: string, into?: string, options?: SourceOptions) {
  const folder = into ?? (await folderOf())
  const database = join(folder, 'it.db')
  const archive = join(folder, 'it.tar.gz')
  const problems: Problem[] = []
  await loadArchive(source, database, {
    report: (problem) => problems.push(problem),
    ...(options && { source: options }),
  })
  const opened = openDatabase(database)
  await writeFile(archive, buildArchive(opened))
  const { findings } = await checkDatabase(opened)
  opened.close()
  const records: Record<string, ArchiveRecord<KindName>[]> = {}
  for await (const { kind, record } of readArchiveRecords(archive)) {
    const list = records[kind as string] ?? []
    list.push(record as ArchiveRecord<KindName>)
    records[kind as string] = list
  }
  const errors = findings.filter(({ severity }) => severity === 'error')
  return { archive, database, problems, records, findings, errors }
}
