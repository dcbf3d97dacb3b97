/** Databases that are attached rather than merged: a connection of `better-sqlite3` can attach ten. */
export const MOST_ATTACHED = 10
