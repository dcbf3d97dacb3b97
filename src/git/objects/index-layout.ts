import type { StoredFile } from './stored-file.ts'

/** Where in the index of a pack things are, in bytes. */
export interface IndexLayout {
  readonly version: 1 | 2
  /** Number of objects. */
  readonly count: number
  /** How many names begin with a byte or with one before it. */
  readonly upTo: readonly number[]
  /** Where the first name is, and how far the next is from it. */
  readonly names: number
  readonly nameStep: number
  /** Where the offset of the first object is, and how far the next is from it. */
  readonly offsets: number
  readonly offsetStep: number
  /** Where the checksums of objects begin, which version 1 has not. */
  readonly sums: number | undefined
  /** Where the offsets begin that need eight bytes, of which version 1 has none. */
  readonly large: number
}

export const NAME = 20
const MAGIC = 0xff744f63
const TABLE = 256 * 4

/** Reads the beginning of an index; a message where it is none, and where it is too short or long for its objects. */
export function readIndexLayout(file: StoredFile): IndexLayout | string {
  const head = file.read(0, 8 + TABLE)
  const isFirst = head.length >= TABLE && head.readUInt32BE(0) !== MAGIC
  const start = isFirst ? 0 : 8
  if (head.length < start + TABLE || !(isFirst || head.readUInt32BE(4) === 2)) {
    return 'expected the index of a pack, version 1 or 2'
  }
  const upTo = Array.from({ length: 256 }, (_, byte) => head.readUInt32BE(start + 4 * byte))
  const count = upTo[255] as number
  const layout = isFirst ? layoutOfFirst(count) : layoutOfSecond(count)
  const large = (file.size - 2 * NAME - layout.large) / 8
  // Whatever begins with numbers might be an index of version 1, but for its size.
  const most = isFirst ? 0 : count
  if (!upTo.every((value, i) => value >= (upTo[i - 1] ?? 0))) {
    return 'its table is out of order, or this is no index of a pack'
  }
  if (large < 0 || large > most || !Number.isInteger(large)) {
    return `its size is not that of an index of ${count} objects`
  }
  return { ...layout, count, upTo }
}

const layoutOfFirst = (count: number) => {
  const step = 4 + NAME
  return {
    ...{ version: 1 as const, offsets: TABLE, offsetStep: step, names: TABLE + 4, nameStep: step },
    ...{ sums: undefined, large: TABLE + step * count },
  }
}

const layoutOfSecond = (count: number) => {
  const names = 8 + TABLE
  const sums = names + NAME * count
  const offsets = sums + 4 * count
  return {
    ...{ version: 2 as const, names, nameStep: NAME, sums, offsets, offsetStep: 4 },
    large: offsets + 4 * count,
  }
}

const LARGE = 0x80000000

/** Where in its pack the object at this place begins; undefined where that is beyond the end of the index. */
export function readOffset(
  file: StoredFile,
  layout: IndexLayout,
  place: number,
): number | undefined {
  const { version, offsets, offsetStep, large } = layout
  const offset = file.read(offsets + offsetStep * place, 4).readUInt32BE(0)
  if (version === 1 || offset < LARGE) return offset
  const at = large + 8 * (offset - LARGE)
  return at + 8 > file.size - 2 * NAME ? undefined : Number(file.read(at, 8).readBigUInt64BE(0))
}
