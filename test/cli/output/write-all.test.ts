import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Writable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { type Piece, writeAll as writeSafe } from '../../../src/cli/output/write-all.ts'

type Loose = Iterable<string | Uint8Array> | AsyncIterable<string | Uint8Array>

const writeAll = (stream: Writable, pieces: Loose) => writeSafe(stream, pieces as Iterable<Piece>)

test('all pieces arrive in their order', async () => {
  const { stream, chunks } = collect()
  const done = await writeAll(stream, ['a', Buffer.from('b'), 'c', Buffer.from([255]), 'é'])
  expect(done).toBe(true)
  expect(Buffer.concat(chunks)).toEqual(Buffer.from([97, 98, 99, 255, 0xc3, 0xa9]))
})

test('asynchronous pieces arrive too', async () => {
  const { stream, chunks } = collect()
  const pieces = (async function* () {
    yield Buffer.from('a')
    yield Buffer.from('b')
  })()
  expect(await writeAll(stream, pieces)).toBe(true)
  expect(Buffer.concat(chunks).toString()).toBe('ab')
})

test('small pieces are written together', async () => {
  const { stream, chunks } = collect()
  await writeAll(stream, Array<string>(100_000).fill('0123456789'))
  expect(chunks.length).toBeLessThan(20)
  expect(Buffer.concat(chunks)).toHaveLength(1_000_000)
})

test('nothing is written for no pieces', async () => {
  const { stream, chunks } = collect()
  expect(await writeAll(stream, [])).toBe(true)
  expect(chunks).toEqual([])
})

test('pieces are read no faster than the stream writes them', async () => {
  let release = () => {}
  const stream = new Writable({
    write(_chunk, _encoding, callback) {
      release = callback
    },
  })
  let taken = 0
  const done = writeAll(stream, endless(() => taken++).take(10))
  await setImmediate()
  expect(taken).toBe(1)
  while (taken < 10) {
    release()
    await setImmediate()
  }
  release()
  expect(await done).toBe(true)
})

test('a closed pipe ends the work quietly', async () => {
  const stream = failing('EPIPE')
  expect(await writeAll(stream, endless())).toBe(false)
})

test('a closed pipe releases the pieces', async () => {
  let released = false
  const pieces = (function* () {
    try {
      yield* endless()
    } finally {
      released = true
    }
  })()
  await writeAll(failing('EPIPE'), pieces)
  expect(released).toBe(true)
})

test('a destroyed stream ends the work quietly', async () => {
  const { stream } = collect()
  stream.destroy()
  expect(await writeAll(stream, endless())).toBe(false)
})

test('a stream that is destroyed during a write ends the work quietly', async () => {
  const stream = new Writable({ write() {} })
  const done = writeAll(stream, endless())
  await setImmediate()
  stream.destroy()
  expect(await done).toBe(false)
})

test('a full disk is an error', async () => {
  await expect(writeAll(failing('ENOSPC'), endless())).rejects.toMatchObject({
    code: 'output-failed',
    message: expect.stringContaining('ENOSPC'),
    place: { archive: 'standard output' },
  })
})

test('pieces before an error are written', async () => {
  const chunks: string[] = []
  const sink = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(String(chunk))
      done()
    },
  })
  const pieces = function* () {
    yield 'a'
    throw new Error('oops')
  }
  await expect(writeAll(sink, pieces())).rejects.toThrow('oops')
  expect(chunks).toEqual(['a'])
})

test('an error of the pieces is passed on', async () => {
  const { stream } = collect()
  const pieces = (function* (): Generator<string> {
    yield 'a'
    throw new Error('no more rows')
  })()
  await expect(writeAll(stream, pieces)).rejects.toThrow('no more rows')
})

test.each([
  ['after success', () => collect().stream, ['a']],
  ['after a closed pipe', () => failing('EPIPE'), ['a']],
])('no listener is left %s', async (_, makeStream, pieces) => {
  const stream = makeStream()
  const count = () => stream.listenerCount('error') + stream.listenerCount('close')
  const before = count()
  await writeAll(stream, pieces)
  expect(count()).toBe(before)
})

test('a reader that closes a real pipe early ends the work quietly', async () => {
  const reader = spawn('head', ['-c', '10'], { stdio: ['pipe', 'ignore', 'ignore'] })
  const exit = once(reader, 'exit')
  expect(await writeAll(reader.stdin, endless())).toBe(false)
  await exit
})

function* endless(onPiece: () => void = () => {}): Generator<string> {
  for (;;) {
    onPiece()
    yield 'x'.repeat(70_000)
  }
}

function collect() {
  const chunks: Buffer[] = []
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      chunks.push(chunk)
      callback()
    },
  })
  return { stream, chunks }
}

function failing(code: string): Writable {
  return new Writable({
    write: (_chunk, _encoding, callback) => callback(Object.assign(new Error(code), { code })),
  })
}
