import type { Database } from '../../src/database/database.ts'
import { keepIndex } from '../../src/reading/index/keep-index.ts'
import { Library } from '../../src/reading/library.ts'

/** Databases with their index, which is gone when they are closed. */
export function openIndexed(paths: readonly string[]): Library {
  const library = Library.open(paths)
  const keeper = keepIndex({})
  const databases = library.stores.map(({ database }) => database)
  keeper.makeSmall(databases)
  library.useIndex(keeper.find(databases) as Database)
  library.keep(() => keeper)
  return library
}
