import { extname } from 'node:path'
import self from 'node:process'
import { orInterrupted, throwIfInterrupted } from '../base/errors.ts'
import { decodeError, type Order, type Reply } from './messages.ts'
import { limitProcess, type ProcessLimits } from './process-limits.ts'
import type { AnyRun, Context } from './run.ts'
import { type Side, type StartOptions, startWorker, WorkerEnded } from './worker.ts'

/** How a program is called. Limits of time and memory are for processes: only they can be stopped at any moment. */
export interface CallOptions<Progress = unknown> extends StartOptions, ProcessLimits {
  readonly signal?: AbortSignal | undefined
  progress?: ((value: Progress) => void) | undefined
  /** Milliseconds to end after `signal`, before the thread or process is killed. Default 0. */
  readonly grace?: number | undefined
  /** Whether calls of one program share a thread, in turns. It outlives `signal`, which only ends the call. */
  readonly isShared?: boolean | undefined
  /** A name for the work, such as `the search`, for the message of `limit-memory`. */
  readonly label?: string | undefined
}

/** The pieces of a program, as they are wanted. */
export interface Pieces<T> extends AsyncGenerator<T, undefined> {
  /** Lets the program reuse the memory of a piece. */
  giveBack(memory: ArrayBuffer): void
}

type InputOf<F extends AnyRun> = Parameters<F>[0]
type ProgressOf<F extends AnyRun> = Parameters<F>[1] extends Context<infer P> ? P : never
type PieceOf<F extends AnyRun> =
  Awaited<ReturnType<F>> extends AsyncIterable<infer T> | Iterable<infer T> ? Unwrapped<T> : never
type Unwrapped<T> = T extends { readonly value: infer V; readonly memory: readonly ArrayBuffer[] }
  ? V
  : T

/** Calls programs of one table. */
export interface Caller {
  /**
   * Runs a program in a thread or process, and gives its result.
   *
   * @param name its name in the table of programs; its function is the type argument
   * @throws what the program throws: an error of ours as it is, any other as an `Error` with the stack of the other side;
   *   `interrupted`; `query-timeout` and `limit-memory` at a limit; `WorkerEnded` if something ends the thread or process
   * @example
   * const sum = await call<typeof checksum>('checksum', { path }, { in: 'thread', signal })
   */
  call<F extends AnyRun>(
    name: string,
    input: InputOf<F>,
    options: CallOptions<ProgressOf<F>>,
  ): Promise<Awaited<ReturnType<F>>>
  /**
   * Runs a program that returns pieces. It makes the next ones only when earlier ones have been taken.
   *
   * @param ahead pieces that it may be ahead. Default 2
   * @throws as `call`
   */
  stream<F extends AnyRun>(
    name: string,
    input: InputOf<F>,
    options: CallOptions<ProgressOf<F>> & { readonly ahead?: number | undefined },
  ): Pieces<PieceOf<F>>
}

/** Milliseconds that a thread or process waits for another call: to start one takes longer than most calls. */
const LINGER = 30_000

/** A thread or process, and who listens to it. */
interface Held {
  readonly side: Side
  readonly key: string
  readonly env: StartOptions['env']
  readonly calls: Map<number, (reply: Reply) => void>
  lingering?: NodeJS.Timeout
}

/** The exchange of messages of one call. */
interface Exchange {
  /** The next piece or the result. */
  next(): Promise<{ readonly piece: unknown } | { readonly result: unknown }>
  send(order: Order, memory?: readonly ArrayBuffer[]): void
  readonly id: number
  close(): Promise<void>
}

/** Calls the programs of a table: a file that exports `PROGRAMS`. */
export function createCaller(table: URL): Caller {
  const idle = new Set<Held>()
  const shared = new Map<string, Held>()
  let count = 0

  /** A thread or process that has run the program before, or a new one. */
  const take = (name: string, options: CallOptions<never>): Held => {
    // A process keeps the working folder that it started in, which decides what relative paths name.
    const key = [name, options.in, options.in === 'process' ? self.cwd() : ''].join(' ')
    const alone = [...idle].find((held) => held.key === key && held.env === options.env)
    const known = options.isShared ? shared.get(key) : options.streams ? undefined : alone
    if (known?.side.isAlive()) {
      clearTimeout(known.lingering)
      idle.delete(known)
      known.side.hold(true)
      return known
    }
    const calls: Held['calls'] = new Map()
    const side = startWorker(table, options, (reply) => calls.get(reply.id)?.(reply))
    const held: Held = { side, key, env: options.env, calls }
    if (options.isShared) shared.set(key, held)
    void side.ended.then(() => forget(held))
    return held
  }
  const forget = (held: Held) => {
    clearTimeout(held.lingering)
    idle.delete(held)
    if (shared.get(held.key) === held) shared.delete(held.key)
  }
  const rest = (held: Held) => {
    held.side.hold(false)
    held.lingering = setTimeout(() => {
      forget(held)
      held.side.kill()
    }, LINGER).unref()
    if (shared.get(held.key) !== held) idle.add(held)
  }

  function open(
    name: string,
    input: unknown,
    options: CallOptions<never>,
    credit?: number,
  ): Exchange {
    const { signal, grace = 0, isShared, streams, label = name } = options
    throwIfInterrupted(signal)
    const held = take(name, options)
    const { side } = held
    const id = ++count
    const arrived: Exclude<Reply, { progress: unknown }>[] = []
    let isOver = false
    let fault: { readonly error: unknown } | undefined
    let wake = () => {}
    const fail = (error: unknown) => {
      fault ??= { error }
      wake()
    }
    held.calls.set(id, (reply) => {
      if ('progress' in reply) return options.progress?.(reply.progress as never)
      isOver = !('piece' in reply)
      arrived.push(reply)
      wake()
    })
    let stopped: unknown
    let patience: NodeJS.Timeout | undefined
    const stop = () => {
      stopped ??= orInterrupted(signal?.reason, signal)
      if (isShared) fail(stopped)
      else if (grace === 0) side.kill()
      else {
        side.cancel(id)
        patience = setTimeout(side.kill, grace)
      }
    }
    void side.ended.then((how) => fail(stopped ?? how))
    const endWatch =
      options.in === 'process'
        ? limitProcess(side, options, label, (error) => {
            stopped ??= error
          })
        : () => {}
    signal?.addEventListener('abort', stop)
    side.send({ id, run: name, input, credit })
    return {
      id,
      send: side.send,
      async next() {
        for (;;) {
          // Those that are not given time to end have nothing more to say.
          const reply = stopped && grace === 0 ? undefined : arrived.shift()
          if (reply && 'error' in reply) throw decodeError(reply.error)
          if (reply) return reply
          if (fault) throw fault.error
          await new Promise<void>((resolve) => {
            wake = resolve
          })
        }
      },
      async close() {
        signal?.removeEventListener('abort', stop)
        clearTimeout(patience)
        endWatch()
        held.calls.delete(id)
        if (isShared) {
          if (!isOver && side.isAlive()) side.cancel(id)
          if (held.calls.size === 0) rest(held)
        } else if (isOver && !stopped && !streams) rest(held)
        else {
          if (isOver) side.leave()
          else side.kill()
          const how = await side.ended
          // Its output could not be written.
          if (isOver && !(how instanceof WorkerEnded)) throw how
        }
      },
    }
  }

  return {
    async call(name, input, options) {
      const exchange = open(name, input, options)
      try {
        const reply = await exchange.next()
        return ('result' in reply ? reply.result : undefined) as never
      } finally {
        await exchange.close()
      }
    },
    stream(name, input, { ahead = 2, ...options }) {
      let exchange: Exchange | undefined
      const pieces = async function* () {
        exchange = open(name, input, options, ahead)
        const { id } = exchange
        try {
          for (;;) {
            const reply = await exchange.next()
            if (!('piece' in reply)) return
            yield reply.piece as never
            exchange.send({ id, credit: 1 })
          }
        } finally {
          await exchange.close()
        }
      }
      return Object.assign(pieces(), {
        giveBack(memory: ArrayBuffer) {
          if (exchange) exchange.send({ id: exchange.id, memory }, [memory])
        },
      }) as never
    },
  }
}

const { url, filename } = import.meta

/** Calls the programs of `programs.ts`. */
export const { call, stream } = createCaller(new URL(`../programs${extname(filename)}`, url))
