import { Agent, get } from 'node:http'

export interface Rate {
  /** Answers per second. */
  perSecond: number
  /** Milliseconds within which 95 of 100 answers were complete. */
  p95: number
  /** Milliseconds within which 99 of 100 answers were complete. */
  p99: number
  /** Milliseconds of the slowest answer. */
  slowest: number
}

/**
 * Sends requests over connections that are kept open, and reads the answers whole.
 *
 * @param urls what to ask, in turn
 * @param until when to stop: after so many requests, or when it returns true
 * @param connections how many requests are under way at once; with one, times are those of an answer and not of a queue
 */
export async function sendRequests(
  urls: readonly string[],
  until: number | (() => boolean),
  headers: Record<string, string> = {},
  connections = 16,
): Promise<Rate> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  let next = 0
  const isDone = () => (typeof until === 'number' ? next >= until : until())
  const start = performance.now()
  const work = async () => {
    while (!isDone()) {
      const url = urls[next++ % urls.length] as string
      const sent = performance.now()
      await ask(url, headers, agent)
      times.push(performance.now() - sent)
    }
  }
  await Promise.all(Array.from({ length: connections }, work))
  const seconds = (performance.now() - start) / 1000
  agent.destroy()
  times.sort((a, b) => a - b)
  return {
    perSecond: times.length / seconds,
    p95: times[Math.floor(times.length * 0.95)] ?? Number.NaN,
    p99: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    slowest: times.at(-1) ?? Number.NaN,
  }
}

const ask = (url: string, headers: Record<string, string>, agent: Agent): Promise<void> =>
  new Promise<void>((resolve, reject) => {
    const request = get(url, { agent, headers }, (answer) => {
      const { statusCode = 0 } = answer
      if (statusCode !== 200 && statusCode !== 304) reject(new Error(`${url}: ${statusCode}`))
      answer.resume().on('end', resolve).on('error', reject)
    })
    request.on('error', (error: NodeJS.ErrnoException) => {
      // The server may close a connection that was idle for long just when it is used again.
      const isStale = request.reusedSocket && error.code === 'ECONNRESET'
      if (isStale) ask(url, headers, agent).then(resolve, reject)
      else reject(error)
    })
  })
