/** Functions of the library on the database at a path, which is opened for the call alone. */

import {
  type ExamineOptions,
  examineDatabase,
} from '../../src/conformance/doctor/examine-database.ts'
import { openDatabase } from '../../src/database/open-database.ts'
import { type UpdateOptions, updateSearchIndex } from '../../src/search/update-search-index.ts'

export function examineAt(path: string, options?: ExamineOptions) {
  const database = openDatabase(path)
  try {
    return examineDatabase(database, options)
  } finally {
    database.close()
  }
}

export async function updateIndexAt(path: string, options?: UpdateOptions): Promise<boolean> {
  const database = openDatabase(path)
  try {
    return await updateSearchIndex(database, options)
  } finally {
    database.close()
  }
}
