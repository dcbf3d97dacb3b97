import { orInterrupted } from './errors.ts'

/**
 * The same sequence. Throws `interrupted` as soon as the signal fires, even while the source is busy.
 */
export function untilAborted<T>(
  source: AsyncIterable<T>,
  signal: AbortSignal | undefined,
): AsyncIterable<T>
export function untilAborted<T>(
  source: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): Iterable<T> | AsyncIterable<T>
export function untilAborted<T>(
  source: Iterable<T> | AsyncIterable<T>,
  signal: AbortSignal | undefined,
): Iterable<T> | AsyncIterable<T> {
  return signal && Symbol.asyncIterator in source ? heeding(source, signal) : source
}

async function* heeding<T>(source: AsyncIterable<T>, signal: AbortSignal): AsyncGenerator<T> {
  const iterator = source[Symbol.asyncIterator]()
  let done = false
  try {
    while (true) {
      const next = await nextOf(iterator, signal)
      done = next.done === true
      if (next.done) return
      yield next.value
    }
  } finally {
    const closing = done ? undefined : iterator.return?.()
    // A stuck source would never answer.
    if (signal.aborted) closing?.catch(() => {})
    else await closing
  }
}

/** The next element, unless the signal fires first. No promise outlives an element, or promises would pile up. */
function nextOf<T>(iterator: AsyncIterator<T>, signal: AbortSignal): Promise<IteratorResult<T>> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(orInterrupted(signal.reason, signal))
    if (signal.aborted) return stop()
    signal.addEventListener('abort', stop, { once: true })
    iterator
      .next()
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}
