import type { ScannedRecords } from '../records/canonical/read-canonical.ts'
import { NONE } from '../records/cells.ts'
import { isObject, type JsonObject } from '../records/json/json.ts'
import { perKind } from '../records/kinds/kind.ts'

const DATES = ['created_at', 'updated_at', 'closed_at'] as const

const UTC = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/
const LENGTH = '2024-01-31T23:59:59Z'.length

/** The columns of the dates in records of a kind. */
const dateColumns = perKind((kind) => {
  const names = Object.keys(kind.columns)
  return DATES.map((date) => names.indexOf(date)).filter((column) => column >= 0)
})

/** The latest time of any record: it tells which of two exports is newer. */
export class NewestTime {
  /** Empty before there is one. */
  text = ''
  #bytes = Buffer.alloc(LENGTH)

  note(record: JsonObject): void {
    if (!isObject(record)) return
    for (const member of DATES) {
      const time = record[member]
      if (typeof time === 'string' && time > this.text && UTC.test(time)) this.#set(time)
    }
  }

  noteScanned({ kind, memory, what, start, end, records, columns }: ScannedRecords): void {
    for (const column of dateColumns(kind)) {
      for (let cell = column; cell < records * columns; cell += columns) {
        const from = start[cell] as number
        const to = end[cell] as number
        if (what[cell] === NONE || to - from !== LENGTH || !this.#isBefore(memory, from)) continue
        const time = memory.toString('latin1', from, to)
        if (UTC.test(time)) this.#set(time)
      }
    }
  }

  #set(time: string): void {
    this.text = time
    this.#bytes.write(time)
  }

  #isBefore(memory: Buffer, from: number): boolean {
    for (let i = 0; i < LENGTH; i++) {
      const difference = (memory[from + i] as number) - (this.#bytes[i] as number)
      if (difference !== 0) return difference > 0
    }
    return false
  }
}
