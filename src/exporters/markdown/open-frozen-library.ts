import { refuseLargeCells } from '../../database/large-cells.ts'
import { Library } from '../../reading/library.ts'

/** Opens databases to read one state of each, whatever others write meanwhile. */
export function openFrozenLibrary(databases: readonly string[]): Library {
  const library = Library.open(databases)
  try {
    for (const { database } of library.stores) {
      // Threads are read about as they lie in the file, in two threads of the processor: twice 16 MB would gain nothing.
      database.pragma('cache_size = -8000')
      database.exec('BEGIN')
      refuseLargeCells(database)
    }
    return library
  } catch (error) {
    library.close()
    throw error
  }
}
