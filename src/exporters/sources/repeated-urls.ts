import { closeSync, openSync, readSync, writeSync } from 'node:fs'
import { createUrlSet, type UrlSet } from '../../base/url-set.ts'
import { attemptSync } from '../../files/attempt.ts'
import { RepeatedRecord } from './record-source.ts'

/** URLs whose hashes stay in memory, at most: four fifths of the slots of a set of 4 MiB. */
const MOST = Math.floor(0.8 * 2 ** 19)

/** Hashes fall into so many parts by their first bits. */
const PARTS = 2 ** 12
const SIZE = 8

/** Finds out whether a URL comes twice. */
export interface RepeatedUrls extends Pick<UrlSet, 'add' | 'addBytes'> {
  /** Throws `RepeatedRecord` if there was a duplicate that `add` did not find. */
  finish(): void
  close(): void
}

/** Hashes that were written to the file. */
interface Run {
  readonly at: number
  /** The number of hashes before each part. */
  readonly before: Uint32Array
}

/** @param path a file that may be created: sorted hashes go there when there are more than `limit` */
export function openRepeatedUrls(path: string, limit = MOST): RepeatedUrls {
  const urls = createUrlSet()
  const runs: Run[] = []
  let file: number | undefined
  let size = 0
  const spill = () => {
    const hashes = urls.takeHashes()
    const bytes = new Uint8Array(hashes.buffer)
    attemptSync(path, () => {
      file ??= openSync(path, 'wx+', 0o600)
      for (let at = 0; at < bytes.length; ) {
        at += writeSync(file, bytes, at, bytes.length - at, size + at)
      }
    })
    runs.push({ at: size, before: countBefore(hashes) })
    size += bytes.length
  }
  const spillIfFull = (isNew: boolean): boolean => {
    if (urls.size >= limit) spill()
    return isNew
  }
  return {
    add: (text, space) => spillIfFull(urls.add(text, space)),
    addBytes: (bytes, start, end, space) => spillIfFull(urls.addBytes(bytes, start, end, space)),
    finish() {
      if (file === undefined) return
      spill()
      // As many hashes at a time as there are in a run.
      const step = Math.ceil(PARTS / runs.length)
      for (let part = 0; part < PARTS; part += step) {
        const next = Math.min(part + step, PARTS)
        const pieces = runs.map(({ at, before }) => ({
          at: at + (before[part] as number) * SIZE,
          length: ((before[next] as number) - (before[part] as number)) * SIZE,
        }))
        if (hasTwice(readPieces(file, pieces))) throw new RepeatedRecord()
      }
    },
    close() {
      if (file !== undefined) closeSync(file)
    },
  }
}

/** For each part, and for the end, how many of sorted hashes come before it. */
function countBefore(hashes: BigUint64Array): Uint32Array {
  const before = new Uint32Array(PARTS + 1)
  for (let part = 1; part < PARTS; part++) {
    const least = BigInt.asUintN(64, BigInt(part) << 52n)
    let [low, high] = [before[part - 1] as number, hashes.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      if ((hashes[middle] as bigint) < least) low = middle + 1
      else high = middle
    }
    before[part] = low
  }
  before[PARTS] = hashes.length
  return before
}

function readPieces(file: number, pieces: readonly { at: number; length: number }[]) {
  const bytes = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0))
  let filled = 0
  for (const { at, length } of pieces) {
    if (readSync(file, bytes, filled, length, at) < length) throw new TypeError('a file was cut')
    filled += length
  }
  return new BigUint64Array(bytes.buffer)
}

function hasTwice(hashes: BigUint64Array): boolean {
  hashes.sort()
  const halves = new Uint32Array(hashes.buffer)
  for (let i = 2; i < halves.length; i += 2) {
    if (halves[i] === halves[i - 2] && halves[i + 1] === halves[i - 1]) return true
  }
  return false
}
