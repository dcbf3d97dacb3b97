import type { Random } from '../bench/random.ts'

/** Bytes that mean something to gzip, tar, JSON or Git. */
const TELLING = [
  0x00, 0x01, 0x1f, 0x20, 0x22, 0x2c, 0x2f, 0x30, 0x37, 0x5b, 0x5c, 0x5d, 0x7b, 0x7d, 0x7f, 0x80,
  0xff,
]

type Mutation = (bytes: Buffer, at: number, random: Random) => Buffer

const some = (random: Random) => 1 + random.skewed(64)
const noise = (random: Random, length: number) =>
  Buffer.from(Array.from({ length }, () => random.below(256)))

const splice = (bytes: Buffer, from: number, to: number, ...parts: Buffer[]) =>
  Buffer.concat([bytes.subarray(0, from), ...parts, bytes.subarray(to)])

const MUTATIONS: readonly Mutation[] = [
  function flipBit(bytes, at, random) {
    const copy = Buffer.from(bytes)
    copy[at] = (copy[at] as number) ^ (1 << random.below(8))
    return copy
  },
  (bytes, at, random) => splice(bytes, at, at + 1, Buffer.from([random.pick(TELLING)])),
  (bytes, at, random) => splice(bytes, at, at + some(random)),
  (bytes, at, random) => splice(bytes, at, at, noise(random, some(random))),
  (bytes, at, random) => splice(bytes, at, at, bytes.subarray(at, at + 8 * some(random))),
  (bytes, at, random) => {
    const from = random.below(bytes.length)
    const length = some(random)
    return splice(bytes, at, at + length, bytes.subarray(from, from + length))
  },
  (bytes, at, random) => (random.chance(0.3) ? bytes.subarray(0, at) : bytes),
  (bytes, at, random) => splice(bytes, at, at + 512, Buffer.alloc(random.below(513))),
]

/** The same bytes with a few changes; never more than a few KiB longer. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  let mutated = bytes
  for (let left = 1 + random.skewed(4); left > 0 && mutated.length > 0; left--) {
    mutated = random.pick(MUTATIONS)(mutated, random.below(mutated.length), random)
  }
  return mutated
}
