/** The table of all unknown kinds that have none of their own. */
export const SHARED = 'unknown_records'

/** In SQL, what tells the kinds in the shared table apart: the name of the file up to its number. */
export const KIND_OF_ENTRY = `rtrim("_entry", replace("_entry", '_', ''))`

/** The same of one entry. */
export const kindOfEntry = (entry: string): string => entry.slice(0, entry.lastIndexOf('_') + 1)
