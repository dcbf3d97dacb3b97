/** The file that threads and processes start with. It answers calls until its caller ends it; several may be under way. */

import self from 'node:process'
import { isMainThread, parentPort, Worker, workerData } from 'node:worker_threads'
import { encodeError, type Order, type Reply } from './messages.ts'
import { type AnyRun, type Context, type Programs, type Run, Transferred } from './run.ts'

/** A call that is being answered. */
interface Running {
  readonly stop: AbortController
  readonly memory: ArrayBuffer[]
  /** Pieces that the caller wants now. */
  credit: number
  /** Continues when there is credit, or nobody wants more. */
  wake(): void
}

type RunOrder = Extract<Order, { run: string }>

/** The file of the table of programs. */
const table: Promise<{ PROGRAMS: Programs }> = import(parentPort ? workerData : self.argv[3])
const running = new Map<number, Running>()

const send = (reply: Reply, memory: readonly ArrayBuffer[] = []): void => {
  if (parentPort) parentPort.postMessage(reply, [...memory])
  else self.send?.(reply)
}

function answer(order: Order): void {
  if ('leave' in order) self.exit()
  if ('run' in order) return void carryOut(order)
  const call = running.get(order.id)
  if ('cancel' in order) cancel(call)
  else if ('memory' in order) call?.memory.push(order.memory)
  else if (call) {
    call.credit += order.credit
    call.wake()
  }
}

function cancel(call: Running | undefined): void {
  call?.stop.abort()
  call?.wake()
}

if (parentPort) parentPort.on('message', answer)
else {
  endWithParent(Number(self.argv[2]))
  // A terminal sends its signals to all processes. The caller decides when this one ends.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    self.on(signal, () => running.forEach(cancel))
  }
  self.on('message', answer).on('disconnect', () => self.exit())
}

async function carryOut({ id, run: name, input, credit }: RunOrder): Promise<void> {
  const call: Running = {
    stop: new AbortController(),
    memory: [],
    credit: credit ?? 0,
    wake: () => {},
  }
  running.set(id, call)
  const context: Context<unknown> = {
    signal: call.stop.signal,
    progress: (value) => send({ id, progress: value }),
    reuse: () => call.memory.pop(),
  }
  try {
    const load = (await table).PROGRAMS[name]
    if (!load) throw new TypeError(`there is no program ${name}`)
    const run = (await load()) as AnyRun as Run<unknown, unknown, unknown>
    const output = await run(input, context)
    if (credit === undefined) send({ id, result: output })
    else {
      await pour(output as AsyncIterable<unknown>, id, call)
      send({ id, result: undefined })
    }
  } catch (error) {
    send({ id, error: encodeError(error) })
  } finally {
    running.delete(id)
  }
}

/** Sends pieces, each when it is wanted. */
async function pour(
  pieces: AsyncIterable<unknown> | Iterable<unknown>,
  id: number,
  call: Running,
): Promise<void> {
  const { signal } = call.stop
  const wanted = async () => {
    while (call.credit === 0 && !signal.aborted) {
      await new Promise<void>((resolve) => {
        call.wake = resolve
      })
    }
    call.credit--
    return !signal.aborted
  }
  if (!(await wanted())) return
  for await (const piece of pieces) {
    if (piece instanceof Transferred) send({ id, piece: piece.value }, piece.memory)
    else send({ id, piece })
    if (!(await wanted())) return
  }
}

/**
 * Ends this process as soon as its parent is gone, even while SQLite works: a parent that was killed cannot do so itself.
 * A thread of its own looks, because SQLite blocks this one.
 */
function endWithParent(parent: number): void {
  if (!isMainThread) return
  const watch = `setInterval(() => {
    if (process.ppid !== ${parent}) process.kill(process.pid, 'SIGKILL')
  }, 250)`
  new Worker(watch, { eval: true, execArgv: [] }).unref()
}
