import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database } from '../../database/open-database.ts'
import type { Pack } from '../objects/pack.ts'
import type { PackEntries } from '../objects/read-whole-index.ts'
import type { ObjectFile } from '../objects/repository-files.ts'
import { createTally, type GitFault, type MakeFault, type Tally } from './faults.ts'
import { oidAt, type StoredIds } from './object-table.ts'
import { offsetOf, verifyChecksums } from './verify-checksums.ts'
import { noteObject, readObject, type Verification } from './verify-object.ts'

/** A pack with an index that leads to its objects. */
export interface IndexedPack {
  readonly pack: ObjectFile
  readonly index: ObjectFile
  readonly stored: StoredIds
}

// After this many objects, timers and signals get their turn.
const TURN = 1000

/**
 * Verifies a pack: its checksum, and that each object can be read and has the id and CRC-32 of the index. Whatever is wrong
 * with the pack is one fault, as is whatever is wrong with the index.
 */
export async function* verifyPack(
  database: Database,
  { pack, index, stored }: IndexedPack,
  { entries, reader }: { entries: PackEntries; reader: Pack },
  verification: Verification,
): AsyncGenerator<GitFault> {
  const { fault, progress } = verification
  const checksums = verifyChecksums(database, pack, entries, (bytes) => progress({ bytes }))
  const unreadable = createTally(
    (count) => `${count} of its ${entries.count} objects cannot be read`,
  )
  const misnamed = createTally((count) => `the index gives ${count} of its objects another id`)
  const wrongSums = createTally((count) => `it has a wrong CRC-32 for ${count} objects`)
  for (let rank = 0; rank < entries.count; rank++) {
    if (rank % TURN === TURN - 1) await nextTurn()
    const place = entries.order[rank] as number
    const oid = oidAt(stored.ids, place)
    const start = offsetOf(entries, rank)
    const read = readObject(() => reader.streamAt(start))
    const object = read instanceof Promise ? await read : read
    if (typeof object === 'string') unreadable.add(oid, object)
    else if (object.oid !== oid) misnamed.add(oid, `the object at byte ${start} is ${object.oid}`)
    else {
      if (checksums.wrongSums[rank] === 1) wrongSums.add(oid, `the object at byte ${start}`)
      const wrong = noteObject(object, stored.first + place, verification)
      if (wrong) yield fault('git-object-damaged', wrong, { entry: pack.entry, oid })
    }
  }
  // The bytes of a pack with a right checksum are as they were written, so its index is wrong.
  const isIntact = checksums.faults.length === 0
  const ofPack = [unreadable, ...(isIntact ? [] : [misnamed])]
  const ofIndex = [...(isIntact ? [misnamed] : []), wrongSums]
  const join = (texts: readonly string[], tallies: readonly Tally[]) =>
    [...texts, ...tallies.flatMap((one) => one.text() ?? [])].join('; ')
  const packFaults = join(checksums.faults, ofPack)
  const indexFaults = join([...entries.faults, ...checksums.indexFaults], ofIndex)
  const firstOf = (tallies: readonly Tally[]) => tallies.find((one) => one.oid())?.oid() ?? null
  if (packFaults !== '') {
    yield fault('git-pack-damaged', packFaults, { entry: pack.entry, oid: firstOf(ofPack) })
  }
  if (indexFaults !== '') {
    yield fault('git-index-damaged', indexFaults, { entry: index.entry, oid: firstOf(ofIndex) })
  }
}

/** Verifies an index without its pack. */
export async function* verifyIndex(
  { index }: IndexedPack,
  { faults }: PackEntries,
  fault: MakeFault,
): AsyncGenerator<GitFault> {
  if (faults.length > 0) yield fault('git-index-damaged', faults.join('; '), { entry: index.entry })
}
