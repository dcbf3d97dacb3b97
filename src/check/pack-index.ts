import type { Database } from '../database/open-database.ts'

/** Which objects a pack of Git has. */
export interface PackIndex {
  has(oid: string): boolean
}

const PIECE = 2 ** 20
const MAGIC = 0xff744f63
const FANOUT = 8
const NAMES = FANOUT + 256 * 4
const NAME = 20

/** The indexes of all packs of a repository; undefined where one was not stored. */
export function openPackIndexes(database: Database, repository: string): PackIndex[] | undefined {
  const packs = database
    .prepare<[string], { path: string; index: number | null }>(
      `SELECT path, (SELECT id FROM files AS i WHERE stored
         AND i.path = substr(p.path, 1, length(p.path) - 5) || '.idx') AS "index"
       FROM files AS p WHERE repository = ? AND path GLOB '*/objects/pack/*.pack'`,
    )
    .all(repository)
  const indexes = packs.map(({ index }) =>
    index === null ? undefined : openIndex(database, index),
  )
  return indexes.every((index) => index !== undefined) ? indexes : undefined
}

/** Looks names up in an index of version 2, of which one piece at a time is in memory. */
function openIndex(database: Database, file: number): PackIndex | undefined {
  const select = database
    .prepare<[number, number], Buffer>(
      `SELECT bytes FROM file_pieces JOIN pieces ON pieces.id = piece
       WHERE file = ? AND position = ?`,
    )
    .pluck()
  let position = -1
  let piece: Buffer | undefined
  const byteAt = (at: number): number => {
    const wanted = Math.floor(at / PIECE)
    if (wanted !== position) {
      piece = select.get(file, wanted)
      position = wanted
    }
    return piece?.[at % PIECE] ?? 0
  }
  const numberAt = (at: number) => [0, 1, 2, 3].reduce((sum, i) => sum * 256 + byteAt(at + i), 0)
  const compare = (name: Buffer, at: number): number => {
    for (let i = 0; i < NAME; i++) {
      const difference = (name[i] ?? 0) - byteAt(at + i)
      if (difference !== 0) return difference
    }
    return 0
  }
  if (numberAt(0) !== MAGIC || numberAt(4) !== 2) return undefined
  // How many names begin with this byte or a smaller one; read once, for every search begins here.
  const upTo = Array.from({ length: 256 }, (_, byte) => numberAt(FANOUT + 4 * byte))
  return {
    has(oid) {
      const name = Buffer.from(oid, 'hex')
      const first = name[0]
      if (name.length !== NAME || first === undefined) return false
      let low = upTo[first - 1] ?? 0
      let high = upTo[first] ?? 0
      while (low < high) {
        const middle = Math.floor((low + high) / 2)
        const order = compare(name, NAMES + NAME * middle)
        if (order === 0) return true
        if (order < 0) high = middle
        else low = middle + 1
      }
      return false
    },
  }
}
