import { type ChildProcess, fork } from 'node:child_process'
import { extname, join } from 'node:path'
import { ArchiveError, type ErrorCode, type Place } from '../../errors.ts'
import { AdvisedError } from '../command/usage-error.ts'
import { childOptions } from '../process/end-with-parent.ts'
import type { AskedStatement } from './answer-statement.ts'
import type { Screen } from './open-screen.ts'

/** A message from the process that runs statements. */
export type ServerMessage = { piece: Uint8Array } | { done: true } | { error: SentError }

interface SentError {
  known: boolean
  message: string
  code: ErrorCode
  place: Place
  remedy: string
}

export interface StatementProcess {
  /** Writes the result of a statement. Throws as `runQuery` does, and `interrupted`. */
  run(asked: AskedStatement, screen: Screen): Promise<void>
  /** Stops the running statement, if any. */
  stop(): void
  close(): void
}

const { dirname, filename } = import.meta
const SERVER = join(dirname, `statement-program${extname(filename)}`)

/** Starts the process that runs the statements of a shell, and a new one after a statement was stopped. */
export function openStatementProcess(path: string): StatementProcess {
  const start = () =>
    fork(SERVER, [path], {
      serialization: 'advanced',
      execArgv: childOptions(),
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    })
  let child = start()
  let isRunning = false
  return {
    async run(asked, screen) {
      isRunning = true
      try {
        await exchange(child, asked, screen)
      } finally {
        isRunning = false
        if (child.killed || !child.connected) child = start()
      }
    },
    stop: () => void (isRunning && child.kill('SIGKILL')),
    close: () => void child.kill('SIGKILL'),
  }
}

function exchange(child: ChildProcess, asked: AskedStatement, screen: Screen): Promise<void> {
  return new Promise<void>((resolve, reject) => {
    const settle = (work: () => void) => {
      child.off('message', onMessage).off('exit', onExit)
      work()
    }
    // Nobody reads the rest.
    const leave = (work: () => void) => {
      child.kill('SIGKILL')
      settle(work)
    }
    const onExit = () => settle(() => reject(new ArchiveError('interrupted', 'interrupted')))
    const onMessage = (message: ServerMessage) => {
      if ('done' in message) return settle(resolve)
      if ('error' in message) return settle(() => reject(asError(message.error)))
      screen.write([message.piece]).then(
        (wanted) => (wanted ? child.send('more') : leave(resolve)),
        (error) => leave(() => reject(error)),
      )
    }
    child.on('message', onMessage).on('exit', onExit)
    child.send(asked)
  })
}

const asError = ({ known, message, code, place, remedy }: SentError): Error => {
  if (!known) return new Error(message)
  return new AdvisedError(new ArchiveError(code, message, place), remedy)
}
