import { PassThrough, type Writable } from 'node:stream'
import { stripVTControlCharacters } from 'node:util'
import type { Io } from '../command/io.ts'
import { ownText, safe } from '../command/safe-text.ts'
import { displayWidth } from '../output/display-width.ts'
import { spawnPager } from '../output/pager.ts'
import { type Piece, writeAll } from '../output/write-all.ts'

export type Pieces = Iterable<Piece> | AsyncIterable<Piece>

/** The destination of results. Each result is written in pieces and ended. */
export interface Screen {
  /** Returns false if the reader has closed. */
  write(pieces: Pieces): Promise<boolean>
  end(): Promise<void>
}

/** Writes to standard output directly. */
export const plainScreen = ({ stdout }: Io): Screen => ({
  write: (pieces) => writeAll(stdout, pieces),
  end: async () => {},
})

export interface Terminal {
  /** Lets another program read the keyboard during `work`. */
  handOver(work: () => Promise<void>): Promise<void>
}

/** Shows a result that fits the terminal directly, and any other in a pager. */
export function pagedScreen(io: Io, pager: string, terminal: Terminal): Screen {
  let held = safe``
  let paging: { input: PassThrough; ended: Promise<void> } | undefined
  return {
    async write(pieces) {
      for await (const piece of pieces) {
        // Bytes were safe text before the other process sent them.
        const text =
          typeof piece === 'string' ? piece : ownText(Buffer.from(piece).toString('utf8'))
        held = safe`${held}${text}`
        if (!paging && fits(held, io)) continue
        paging ??= startPager(io, pager, terminal)
        const ready = held
        held = safe``
        if (!(await writeAll(paging.input, [ready]))) return false
      }
      return true
    },
    async end() {
      if (paging) {
        paging.input.end()
        await paging.ended
      } else if (held !== '') await writeAll(io.stdout, [held])
      held = safe``
      paging = undefined
    },
  }
}

function fits(text: string, { stdout }: Io): boolean {
  const { columns = 80, rows = 24 } = stdout as { columns?: number; rows?: number }
  const lines = text.split('\n')
  if (lines.length >= rows) return false
  return lines.every((line) => displayWidth(stripVTControlCharacters(line)) <= columns)
}

function startPager({ env }: Io, pager: string, terminal: Terminal) {
  const input = new PassThrough()
  const ended = terminal.handOver(
    () =>
      new Promise<void>((resolve) => {
        const child = spawnPager(pager, env, 'FRSX')
        child.on('error', () => resolve()).on('close', () => resolve())
        // The user may quit before the end.
        child.stdin?.on('error', () => input.destroy()).on('close', () => input.destroy())
        input.on('error', () => {}).pipe(child.stdin as Writable)
      }),
  )
  return { input, ended }
}
