import type { Database } from '../../src/database/database.ts'

interface Instruction {
  readonly opcode: string
  readonly p1: number
  readonly p2: number
  readonly p3: number
}

/**
 * The tables of a database that a statement reads from the first row to the last, as often as it does. Rows that it finds by an
 * index or by their rowid are not among them, nor what it reads of an index alone.
 */
export function scansOf(
  database: Database,
  sql: string,
  values: readonly unknown[] = [],
): string[] {
  const roots = new Map(
    database
      .prepare<[], [number, string]>(
        "SELECT rootpage, name FROM sqlite_schema WHERE type = 'table'",
      )
      .raw()
      .all(),
  )
  const cursors = new Map<number, string | undefined>()
  const program = database.prepare<unknown[], Instruction>(`EXPLAIN ${sql}`).all(...values)
  return program.flatMap(({ opcode, p1, p2, p3 }) => {
    if (opcode === 'OpenRead') cursors.set(p1, p3 === 0 ? roots.get(p2) : undefined)
    const table = opcode === 'Rewind' || opcode === 'Last' ? cursors.get(p1) : undefined
    return table === undefined ? [] : [table]
  })
}
