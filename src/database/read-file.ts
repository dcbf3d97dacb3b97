import type { Database } from './open-database.ts'

/** A file's content, piece by piece; nothing where it was loaded without contents. */
export function* readFile(database: Database, file: number | bigint): Generator<Buffer> {
  const next = database
    .prepare<[number | bigint, number], Buffer>(
      `SELECT CAST(bytes AS BLOB) FROM file_pieces JOIN pieces ON pieces.id = file_pieces.piece
       WHERE file = ? AND position = ?`,
    )
    .pluck()
  for (let position = 0; ; position++) {
    const bytes = next.get(file, position)
    if (bytes === undefined) return
    yield bytes
  }
}
