/** Databases that are attached rather than merged: a connection of `better-sqlite3` can attach ten. */
export const MOST_ATTACHED = 10

/** Tables of the databases that are attached, and of the rows of each that newer ones replace. No kind can have their names. */
export const TABLES_OF_ATTACHED = ['attached parts', 'replaced rows'] as const
