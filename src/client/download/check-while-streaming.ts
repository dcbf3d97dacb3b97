import { createHash } from 'node:crypto'
import { readArchive } from '../../archive/read-archive.ts'
import { requireArchive } from '../../archive-worker/require-archive.ts'

/** Checks an archive while its bytes come in. */
export interface StreamCheck {
  /** Takes the next bytes. Resolves when it has read them; throws as soon as the archive is known to be damaged. */
  write(bytes: Uint8Array): Promise<void>
  /** Finishes the check. Returns the SHA-256 of the archive in hex. */
  end(): Promise<string>
  /** Ends the check early. */
  abandon(): Promise<void>
}

/**
 * Checks an archive in one pass and bounded memory: CRC and length of gzip, headers and end of the tar, safe paths, and
 * that it is a migration archive.
 *
 * @param verify false to compute the SHA-256 alone
 * @returns a check whose `write` and `end` throw the codes of `readArchive`, and `archive-unrecognized`
 */
export function checkWhileStreaming({ verify }: { verify: boolean }): StreamCheck {
  const digest = createHash('sha256')
  let isOver = false
  let isJudged = !verify
  let fault: { error: unknown } | undefined
  let given: Uint8Array | undefined
  let onGiven = () => {}
  let onTaken = () => {}
  async function* bytes() {
    while (!isOver) {
      if (given) {
        yield given
        given = undefined
        onTaken()
      } else await new Promise<void>((resolve) => (onGiven = resolve))
    }
  }
  const judging = verify
    ? judge(bytes())
        .catch((error: unknown) => {
          fault = { error }
        })
        .finally(() => {
          isJudged = true
          onTaken()
        })
    : undefined
  const settle = async () => {
    isOver = true
    onGiven()
    await judging
  }
  return {
    async write(piece) {
      if (fault) throw fault.error
      digest.update(piece)
      if (isJudged) return
      const taken = new Promise<void>((resolve) => (onTaken = resolve))
      given = piece
      onGiven()
      await taken
    },
    async end() {
      await settle()
      if (fault) throw fault.error
      return digest.digest('hex')
    },
    async abandon() {
      await settle()
    },
  }
}

/** Reads all entries; contents that nobody asks for are skipped, but pass through the checksums. */
async function judge(bytes: AsyncGenerator<Uint8Array>): Promise<void> {
  const form = {}
  const entries = requireArchive(readArchive(bytes, { form }), () => false, form)
  for await (const _ of entries);
}
