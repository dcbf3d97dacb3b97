/** Repositories made of plain files, all loaded into one database: that is much faster than one for each test. */

import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeAll } from 'vitest'
import { type Database, openDatabase } from '../../src/database/open-database.ts'
import { loadArchive } from '../../src/load/load-archive.ts'
import { repositoryOf } from './build-pack.ts'
import type { Files } from './build-tar.ts'
import { sourceOf } from './load.ts'

/** Collects the repositories of a test file, and loads them before its tests. */
export function repositorySet() {
  const archive: Files = {}
  let path: string
  let database: Database
  beforeAll(async () => {
    const folder = mkdtempSync(join(tmpdir(), 'repositories-'))
    path = join(folder, 'it.db')
    await loadArchive(sourceOf(archive), path)
    database = openDatabase(path)
    return () => {
      database.close()
      rmSync(folder, { recursive: true })
    }
  })
  return {
    /** Adds a repository with these files and returns its name. */
    put(files: Files, name = `ada/kettle-${Object.keys(archive).length}`): string {
      Object.assign(archive, repositoryOf(name, files))
      return name
    },
    database: () => database,
    path: () => path,
  }
}
