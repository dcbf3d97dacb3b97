/** The process in which a shell runs its statements, because SQLite can be stopped only with its process. */

import { Writable } from 'node:stream'
import { openDatabase } from '../../database/open-database.ts'
import { ArchiveError } from '../../errors.ts'
import { writeAll } from '../output/write-all.ts'
import { remedyFor } from '../remedies.ts'
import { type AskedStatement, answerStatement } from './answer-statement.ts'
import type { ServerMessage } from './statement-process.ts'

const database = openDatabase(process.argv[2] as string)
// The shell handles interrupts and ends this process if needed.
process.on('SIGINT', () => {})

const send = (message: ServerMessage) => process.send?.(message)
let proceed = () => {}

// Each piece waits until the shell has shown the previous one.
const pieces = () =>
  new Writable({
    write(piece: Buffer, _encoding, done) {
      proceed = done
      send({ piece })
    },
  })

process.on('message', async (message: AskedStatement | 'more') => {
  if (message === 'more') return proceed()
  try {
    await writeAll(pieces(), answerStatement(database, message))
    send({ done: true })
  } catch (error) {
    const known = error instanceof ArchiveError ? error : undefined
    const { code, place, message } = known ?? { ...UNKNOWN, message: String(error) }
    const remedy = known ? remedyFor(known) : ''
    send({ error: { known: known !== undefined, message, code, place, remedy } })
  }
})

const UNKNOWN = { code: 'usage', place: {} } as const
