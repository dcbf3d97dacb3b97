import { once } from 'node:events'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { connect, type Socket } from 'node:net'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { LARGEST_BODY } from '../../src/http/body.ts'
import { deliver } from '../../src/http/deliver.ts'
import { type Listening, listen } from '../../src/http/listen.ts'
import type { App } from '../../src/serve/create-app.ts'
import { type ArchiveServer, serveArchive } from '../../src/serve/serve-archive.ts'
import { THOROUGH } from '../support/thorough.ts'

let server: ArchiveServer
beforeAll(async () => {
  server = await serveArchive([], { port: 0 })
})
afterAll(() => server.close())

/** Sends bytes as they are and returns everything that comes back until the connection ends. */
const send = (
  parts: readonly string[],
  url = server.url ?? '',
  pause: () => Promise<void> = async () => {},
) =>
  new Promise<string>((resolve, reject) => {
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(url).port) })
    let text = ''
    socket.setEncoding('latin1')
    socket.on('data', (chunk) => {
      text += chunk
    })
    socket.on('error', (error) => (text === '' ? reject(error) : resolve(text)))
    socket.on('close', () => resolve(text))
    socket.on('connect', async () => {
      for (const part of parts) {
        socket.write(part)
        await pause()
      }
    })
  })

const HOST = 'Host: localhost\r\nConnection: close\r\n'
const statusOf = (text: string) => Number(/^HTTP\/1\.1 (\d{3})/.exec(text)?.[1])

describe('Refused before the application sees it:', () => {
  test.each([
    [400, 'what is no HTTP', 'hello\r\n\r\n'],
    [400, 'no Host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n'],
    [400, 'two Hosts', `GET / HTTP/1.1\r\nHost: localhost\r\n${HOST}\r\n`],
    [400, 'a Host that is no host', 'GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n'],
    [400, 'an empty Host', 'GET / HTTP/1.1\r\nHost:\r\nConnection: close\r\n\r\n'],
    [421, 'another Host', 'GET / HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n'],
    [421, 'an absolute target of another host', `GET http://evil.example/ HTTP/1.1\r\n${HOST}\r\n`],
    [400, 'an absolute target that is no address', `GET http://:x@/ HTTP/1.1\r\n${HOST}\r\n`],
    [414, 'a target of 8 KiB', `GET /${'a'.repeat(8_192)} HTTP/1.1\r\n${HOST}\r\n`],
    [414, 'a target of 20 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\n${HOST}\r\n`],
    [431, 'one large header', `GET / HTTP/1.1\r\n${HOST}X: ${'a'.repeat(17_000)}\r\n\r\n`],
    [431, 'many headers', `GET / HTTP/1.1\r\n${HOST}${'X: a\r\n'.repeat(5_000)}\r\n`],
    [
      400,
      'a length and chunks',
      `POST /user/migrations HTTP/1.1\r\n${HOST}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
    ],
    [400, 'a line break without carriage return', 'GET / HTTP/1.1\nHost: localhost\n\n'],
    [400, 'a header folded over two lines', `GET / HTTP/1.1\r\n${HOST}X: a\r\n b\r\n\r\n`],
  ])('%d answers %s', async (status, _what, text) => {
    expect(statusOf(await send([text]))).toBe(status)
  })
})

describe('A raw target is judged as it was sent:', () => {
  test.each([
    '/rate_limit/../rate_limit',
    '/./rate_limit',
    '//rate_limit',
    '/rate_limit/',
    '/rate%5Flimit/%2e%2e/',
    '/rate_limit\\',
    '/rate_limit%00',
    '/rate_limit%0d%0aX:%20y',
    '/%',
  ])('%s is 404', async (target) => {
    expect(statusOf(await send([`GET ${target} HTTP/1.1\r\n${HOST}\r\n`]))).toBe(404)
  })

  test('an absolute target of our own is answered, with the Host as its address', async () => {
    const text = await send([`GET http://127.0.0.1:1/ HTTP/1.1\r\n${HOST}\r\n`])
    expect(statusOf(text)).toBe(200)
    expect(text).toContain('"http://localhost/events"')
  })
})

describe('A body', () => {
  const post = (path: string, headers: string, body: string) =>
    send([`POST ${path} HTTP/1.1\r\n${HOST}${headers}\r\n\r\n`, body])

  test('is not read if no endpoint takes it', async () => {
    const length = `Content-Length: ${LARGEST_BODY * 2}`
    expect(statusOf(await post('/rate_limit', length, 'x'))).toBe(405)
  })

  test('of a GET request is read and ignored', async () => {
    const text = await send([`GET /rate_limit HTTP/1.1\r\n${HOST}Content-Length: 3\r\n\r\n`, '{"}'])
    expect(statusOf(text)).toBe(200)
  })

  test('of a GET request above 1 MiB is refused, by its length or while it is read', async () => {
    const announced = `Content-Length: ${LARGEST_BODY + 1}`
    expect(statusOf(await send([`GET / HTTP/1.1\r\n${HOST}${announced}\r\n\r\n`]))).toBe(413)
    const chunk = `10001\r\n${'a'.repeat(65_537)}\r\n`
    const head = `GET / HTTP/1.1\r\n${HOST}Transfer-Encoding: chunked\r\n\r\n`
    expect(statusOf(await send([head, ...Array.from({ length: 17 }, () => chunk)]))).toBe(413)
  })
})

describe('Slowness', () => {
  let patient: Listening
  beforeAll(async () => {
    const app = { handle: async () => {} }
    const limits = { headersTimeout: 40, requestTimeout: 80, connectionsCheckingInterval: 10 }
    patient = await listen(app, 0, {}, limits)
  })
  afterAll(() => patient.close())

  test('of a head that never ends is answered with 408', async () => {
    expect(statusOf(await send(['GET / HTTP/1.1\r\nX: '], patient.url))).toBe(408)
  })

  test('of a body that never ends is answered with 408', async () => {
    const head = `POST /authorizations HTTP/1.1\r\n${HOST}Content-Length: 9\r\n\r\n`
    expect(statusOf(await send([head, '{'], patient.url))).toBe(408)
  })

  test(
    'of a body that may take long is no reason to end, and other bodies are answered with 408',
    THOROUGH,
    async () => {
      const app = {
        handle: async (incoming: IncomingMessage, outgoing: ServerResponse) => {
          const pieces: string[] = []
          for await (const piece of incoming) pieces.push(String(piece))
          outgoing.end(pieces.join(''))
        },
      }
      const limits = { headersTimeout: 40, requestTimeout: 80, connectionsCheckingInterval: 10 }
      const takesLong = (target: string) => target === '/long'
      const both = await listen(app, 0, { takesLong }, limits)
      onTestFinished(() => both.close())
      const head = (path: string) => `POST ${path} HTTP/1.1\r\n${HOST}Content-Length: 5\r\n\r\n`
      const pause = () => new Promise<void>((resolve) => setTimeout(resolve, 200))
      const slow = await send([head('/long'), 'he', 'llo'], both.url, pause)
      expect([statusOf(slow), slow.slice(-5)]).toEqual([200, 'hello'])
      expect(statusOf(await send([head('/short'), 'he'], both.url))).toBe(408)
    },
  )

  test('of a client that reads nothing ends its download, and what it was read from', async () => {
    let isOver = false
    async function* endless() {
      try {
        for (;;) yield Buffer.alloc(65_536)
      } finally {
        isOver = true
      }
    }
    const app: Pick<App, 'handle'> = {
      async handle(_incoming, outgoing) {
        await deliver({ status: 200, headers: {}, body: endless() }, 'GET', outgoing)
      },
    }
    const stalling = await listen(app, 0, {}, { stallTimeout: 30 })
    onTestFinished(() => stalling.close())
    const socket = connect({ host: '127.0.0.1', port: Number(new URL(stalling.url).port) }).pause()
    socket.write(`GET / HTTP/1.1\r\n${HOST}\r\n`)
    await expect.poll(() => isOver, { interval: 5, timeout: 5000 }).toBe(true)
    socket.destroy()
  })
})

test('A client that goes away before the first byte of a download leaves no file open', async () => {
  let isClosed = false
  const body: AsyncIterable<Uint8Array> = {
    [Symbol.asyncIterator]: () => ({
      next: async () => ({ done: true, value: undefined }),
      async return() {
        isClosed = true
        return { done: true, value: undefined }
      },
    }),
  }
  const app: Pick<App, 'handle'> = {
    async handle(incoming, outgoing) {
      incoming.socket.destroy()
      await once(outgoing, 'close')
      await deliver({ status: 200, headers: {}, body }, 'GET', outgoing)
    },
  }
  const leaving = await listen(app, 0, {})
  onTestFinished(() => leaving.close())
  await expect(fetch(leaving.url)).rejects.toThrow()
  await expect.poll(() => isClosed, { interval: 5 }).toBe(true)
})

test(
  'Of more connections than 512 the others are closed, and a place that is left is taken',
  THOROUGH,
  async () => {
    const port = Number(new URL(server.url ?? '').port)
    const open = () => connect({ host: '127.0.0.1', port })
    const closed: Socket[] = []
    const sockets = Array.from({ length: 520 }, () => {
      const socket = open()
      return socket
        .resume()
        .on('error', () => {})
        .on('close', () => void closed.push(socket))
    })
    await expect.poll(() => closed.length, { interval: 5, timeout: 5000 }).toBe(8)
    const kept = sockets.filter((socket) => !closed.includes(socket))
    const answers = kept.map(async (socket) => {
      socket.write('GET /_ready HTTP/1.1\r\nHost: localhost\r\n\r\n')
      const [bytes] = (await once(socket, 'data')) as [Buffer]
      return statusOf(bytes.toString('latin1'))
    })
    expect(new Set(await Promise.all(answers))).toEqual(new Set([204]))
    for (const socket of kept) socket.destroy()
    await expect.poll(async () => statusOf(await ready()), { interval: 5 }).toBe(204)
  },
)

test('Clients that send half a head keep nobody out: the one that has waited longest is closed', async () => {
  const small = await listen(
    { handle: async (_incoming, outgoing) => void outgoing.end() },
    0,
    {},
    {
      mostConnections: 3,
    },
  )
  onTestFinished(() => small.close())
  const port = Number(new URL(small.url).port)
  const closed: number[] = []
  const halves = await Promise.all(
    [0, 1, 2].map(async (number) => {
      const socket = connect({ host: '127.0.0.1', port }).on('close', () => closed.push(number))
      await once(socket, 'connect')
      socket.write('GET / HTTP/1.1\r\nX: ')
      return socket
    }),
  )
  for (const _ of [1, 2]) {
    const text = await send([`GET / HTTP/1.1\r\n${HOST}\r\n`], small.url)
    expect(statusOf(text)).toBe(200)
  }
  expect(closed).toHaveLength(1)
  for (const socket of halves) socket.destroy()
})

test('A client that is refused, and keeps its side open, loses the connection', async () => {
  const limits = { headersTimeout: 20, connectionsCheckingInterval: 10, lingerTime: 20 }
  const refusing = await listen({ handle: async () => {} }, 0, {}, limits)
  onTestFinished(() => refusing.close())
  const port = Number(new URL(refusing.url).port)
  const socket = connect({ host: '127.0.0.1', port, allowHalfOpen: true }).resume()
  socket.write('GET / HTTP/1.1\r\nX: ')
  await once(socket, 'end')
  const isReset = new Promise<void>((resolve) => void socket.once('error', () => resolve()))
  const writing = setInterval(() => socket.write('x'), 20)
  await isReset
  clearInterval(writing)
})

const ready = () => send([`GET /_ready HTTP/1.1\r\n${HOST}\r\n`]).catch(() => '')

test('A request under way is finished when the server stops', async () => {
  let release = () => {}
  const wait = new Promise<void>((resolve) => {
    release = resolve
  })
  let begin = () => {}
  const begun = new Promise<void>((resolve) => {
    begin = resolve
  })
  const app: Pick<App, 'handle'> = {
    async handle(_incoming, outgoing) {
      begin()
      await wait
      outgoing.end('done')
    },
  }
  const one = await listen(app, 0, {})
  const answer = fetch(`${one.url}/`)
  await begun
  const closed = one.close()
  release()
  expect(await (await answer).text()).toBe('done')
  await closed
})

test('A connection on which nothing came does not keep a server from stopping', {
  timeout: 5000,
}, async () => {
  const handle = async (_incoming: IncomingMessage, outgoing: ServerResponse) => void outgoing.end()
  const one = await listen({ handle }, 0, {})
  const socket = connect({ host: '127.0.0.1', port: Number(new URL(one.url).port) }).resume()
  const end = once(socket, 'close')
  // It was accepted before the one of this request.
  await (await fetch(one.url)).text()
  await one.close()
  await end
})
