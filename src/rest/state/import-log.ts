import { closeSync, openSync, renameSync, writeSync } from 'node:fs'
import { shorten } from '../../base/text.ts'
import { attemptSync } from '../../files/attempt.ts'
import { partialOf } from '../../files/partial-file.ts'

type Level = 'INFO' | 'WARN' | 'ERROR'

/** The log of an import, a line for each thing that people should know: `[time] LEVEL -- message`. */
export interface ImportLog {
  /** Lines of the level WARN. */
  readonly warnings: number
  add(level: Level, message: string): void
  /** Gives the log its name. */
  close(): void
}

const BATCH = 65_536
/** Characters of a message: texts of archives may be long. */
const LONGEST = 2_000

/** What archives say cannot begin a line of its own, nor reach a terminal. */
const onOneLine = (message: string): string =>
  shorten(message, LONGEST).replace(
    /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu,
    (c) => `\\u${(c.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  )

/**
 * Opens the log of an import. It has its name when it is complete.
 *
 * @param ahead milliseconds that the server's clock is ahead of the machine's
 */
export function openImportLog(path: string, ahead: number): ImportLog {
  const partial = partialOf(path)
  const file = attemptSync(path, () => openSync(partial, 'wx', 0o600))
  let warnings = 0
  let lines = ''
  const flush = () => {
    if (lines !== '') attemptSync(path, () => writeSync(file, lines))
    lines = ''
  }
  return {
    get warnings() {
      return warnings
    },
    add(level, message) {
      if (level === 'WARN') warnings++
      const time = new Date(Date.now() + ahead).toISOString()
      lines += `[${time}] ${level} -- ${onOneLine(message)}\n`
      if (lines.length > BATCH) flush()
    },
    close() {
      flush()
      closeSync(file)
      renameSync(partial, path)
    },
  }
}
