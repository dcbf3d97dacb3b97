import { createHash } from 'node:crypto'
import { readArchive } from '../../archive/read-archive.ts'
import { requireArchive } from '../../archive-worker/require-archive.ts'

/** Judges an archive while its bytes come in. */
export interface StreamCheck {
  /** Takes the next bytes. Resolves when there is room for more; throws as soon as the archive is known to be damaged. */
  write(bytes: Uint8Array): Promise<void>
  /** Judges the archive as a whole. Returns its SHA-256 in hex. */
  end(): Promise<string>
  /** Gives up. */
  abandon(): Promise<void>
}

/** Bytes that may wait for gunzip and the tar reader. */
const MOST_WAITING = 2 ** 20

/**
 * Checks an archive in one pass and bounded memory: CRC and length of gzip, headers and end of the tar, safe paths, and that
 * it holds anything of a migration.
 *
 * @param verify false to compute the SHA-256 alone
 * @returns a check whose `write` and `end` throw the codes of `readArchive`, and `archive-unrecognized`
 */
export function checkWhileStreaming({ verify }: { verify: boolean }): StreamCheck {
  const digest = createHash('sha256')
  const waiting: Uint8Array[] = []
  let waitingBytes = 0
  let isOver = false
  let isJudged = !verify
  let fault: { error: unknown } | undefined
  let onMore = () => {}
  let onLess = () => {}
  async function* bytes() {
    for (;;) {
      const piece = waiting.shift()
      if (piece) {
        waitingBytes -= piece.length
        onLess()
        yield piece
      } else if (isOver) return
      else await new Promise<void>((resolve) => (onMore = resolve))
    }
  }
  const judging = verify
    ? judge(bytes())
        .catch((error: unknown) => {
          fault = { error }
        })
        .finally(() => {
          isJudged = true
          onLess()
        })
    : undefined
  const settle = async () => {
    isOver = true
    onMore()
    await judging
  }
  return {
    async write(piece) {
      if (fault) throw fault.error
      digest.update(piece)
      if (isJudged) return
      waiting.push(piece)
      waitingBytes += piece.length
      onMore()
      while (waitingBytes > MOST_WAITING && !isJudged) {
        await new Promise<void>((resolve) => (onLess = resolve))
      }
    },
    async end() {
      await settle()
      if (fault) throw fault.error
      return digest.digest('hex')
    },
    async abandon() {
      waiting.length = 0
      waitingBytes = 0
      await settle()
    },
  }
}

/** Reads all entries; contents that nobody asks for are skipped, but pass through the checksums. */
async function judge(bytes: AsyncGenerator<Uint8Array>): Promise<void> {
  const entries = requireArchive(readArchive(bytes), () => false)
  for await (const _ of entries);
}
