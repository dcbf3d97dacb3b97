import type { JsonObject } from './json/json.ts'
import { AROUND, printRecord } from './write-records.ts'

/** The JSON of records, and where that of each begins and ends. */
export interface PrintedPlaces {
  readonly memory: Buffer
  readonly from: ArrayLike<number>
  readonly to: ArrayLike<number>
}

/** The content of a record file, and its records. */
export interface PrintedRecords extends PrintedPlaces {
  readonly records: readonly JsonObject[]
}

/** Whether an object or list has something in it at this level; those of the record itself are at level 1. */
export function hasLevel({ memory }: PrintedPlaces, level: number): boolean {
  // Each level is indented more, and no text has a raw line break. The record is in a list.
  return memory.includes(`\n${INDENT.repeat(level + 1)}`)
}

const INDENT = '  '

/** Prints a record file like `writeRecords`, in one piece. For records that are in memory together. */
export function printRecordFile(records: readonly JsonObject[]): PrintedRecords {
  const pieces: Uint8Array[] = []
  const [from, to]: [number[], number[]] = [[], []]
  let length = 0
  const add = (piece: Uint8Array) => {
    pieces.push(piece)
    length += piece.length
  }
  for (const record of records) {
    add(pieces.length === 0 ? AROUND.before : AROUND.between)
    from.push(length)
    add(printRecord(record, { emptyArray: 'new' }))
    to.push(length)
  }
  add(AROUND.after)
  return { records, memory: Buffer.concat(pieces, length), from, to }
}
