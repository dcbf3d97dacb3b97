import { openScratchFile } from '../../files/scratch-file.ts'
import { commonFields, FULL, longField, timeField, type ZipFile } from './zip-header.ts'

/** Bytes held in memory. */
const MOST_HELD = 4 * 2 ** 20
const MOST_FILES = 0xffff
const HEADER = Buffer.from('PK\x01\x02', 'latin1')

/** Collects the directory at the end of a zip. A large directory goes to a temporary file until then. */
export function createCentralDirectory() {
  const spilled = openScratchFile()
  let held: Buffer[] = []
  let size = 0
  let files = 0
  return {
    add(zipFile: ZipFile): void {
      const header = directoryHeader(zipFile)
      held.push(header)
      size += header.length
      files++
      if (size - spilled.size <= MOST_HELD) return
      spilled.append(Buffer.concat(held))
      held = []
    },
    /** The directory, which begins at `offset`, and the end of the zip. */
    *read(offset: number, comment: string): Generator<Buffer> {
      yield* spilled.pieces(MOST_HELD)
      yield* held
      yield endOf({ files, size, offset }, comment)
    },
    close: spilled.close,
  }
}

function directoryHeader(file: ZipFile): Buffer {
  const { packed, size, offset, attributes, path } = file
  const isLong = Math.max(packed, size, offset) >= FULL
  const time = timeField(file)
  const extra = isLong ? Buffer.concat([time, longField([size, packed, offset])]) : time
  const rest = Buffer.alloc(14)
  rest.writeUInt32LE(attributes, 6)
  rest.writeUInt32LE(isLong ? FULL : offset, 10)
  // Made on Unix, by version 2.3 of the format.
  const madeBy = Buffer.from([23, 3])
  return Buffer.concat([
    HEADER,
    madeBy,
    commonFields(file, extra.length, { isLong }),
    rest,
    path,
    extra,
  ])
}

/** The end of a zip, after its long form if it has too many files or bytes for the short one. */
function endOf(
  { files, size, offset }: { files: number; size: number; offset: number },
  comment: string,
): Buffer {
  const end = Buffer.alloc(22)
  end.write('PK\x05\x06', 'latin1')
  end.writeUInt16LE(Math.min(files, MOST_FILES), 8)
  end.writeUInt16LE(Math.min(files, MOST_FILES), 10)
  end.writeUInt32LE(Math.min(size, FULL), 12)
  end.writeUInt32LE(Math.min(offset, FULL), 16)
  end.writeUInt16LE(comment.length, 20)
  const short = Buffer.concat([end, Buffer.from(comment)])
  if (files < MOST_FILES && Math.max(size, offset) < FULL) return short
  const long = Buffer.alloc(76)
  long.write('PK\x06\x06', 'latin1')
  long.writeBigUInt64LE(44n, 4)
  long.writeUInt16LE(45, 12)
  long.writeUInt16LE(45, 14)
  long.writeBigUInt64LE(BigInt(files), 24)
  long.writeBigUInt64LE(BigInt(files), 32)
  long.writeBigUInt64LE(BigInt(size), 40)
  long.writeBigUInt64LE(BigInt(offset), 48)
  long.write('PK\x06\x07', 56, 'latin1')
  long.writeBigUInt64LE(BigInt(offset + size), 64)
  long.writeUInt32LE(1, 72)
  return Buffer.concat([long, short])
}
