// npm run build && node test/hostile/measure-giants.ts [words of cases]
// Feeds archives that are larger than memory, made while they are read, to a command (load, without files), and
// prints how it ended, how long it took and how much memory it held at once. By hand: it takes half an hour.
import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip, gzipSync } from 'node:zlib'
import { END, header, member, pax } from '../support/build-tar.ts'

type Pieces = Iterable<Uint8Array>

const MIB = 2 ** 20

/** The same byte again and again. */
function* same(byte: string, size: number): Pieces {
  const piece = Buffer.alloc(MIB, byte)
  for (let left = size; left > 0; left -= MIB) yield piece.subarray(0, left)
}

/** The same text again and again. */
function* repeated(text: string, times: number): Pieces {
  const many = Buffer.from(text.repeat(10_000))
  for (let left = times; left > 0; left -= 10_000) {
    yield many.subarray(0, Math.min(left, 10_000) * text.length)
  }
}

/** An entry of any size. */
function* entry(name: string, size: number, content: Pieces, type = '0'): Pieces {
  const field = Buffer.alloc(12)
  field[0] = 0x80
  field.writeUIntBE(size, 6, 6)
  yield header({ name, type, size: field })
  yield* content
  yield Buffer.alloc((512 - (size % 512)) % 512)
}

/** A file of records in which a text stands many times. */
function* records(before: string, text: string, times: number, after: string): Pieces {
  const size = before.length + text.length * times + after.length
  const content = function* () {
    yield Buffer.from(before)
    yield* repeated(text, times)
    yield Buffer.from(after)
  }
  yield* entry('issues_000001.json', size, content())
  yield END
}

function* tinyMembers(count: number): Pieces {
  for (let i = 0; i < count; i += 1000) {
    const numbers = Array.from({ length: Math.min(1000, count - i) }, (_, n) => i + n)
    yield Buffer.concat(numbers.map((n) => header({ name: `files/${n}` })))
  }
  yield END
}

function* largeFile(size: number): Pieces {
  yield* entry('attachments/1/zeros.bin', size, same('\0', size))
  yield END
}

interface Giant {
  pieces: () => Pieces
  /** Compressed on the way; true unless told otherwise. */
  gzip?: boolean
  options?: readonly string[]
}

const STRING = 600 * MIB
const LONG = 15 * MIB
const GIANTS: Readonly<Record<string, Giant>> = {
  'T11 a PAX header of 600 MiB': {
    pieces: () => entry('PaxHeader', STRING, same('x', STRING), 'x'),
  },
  'T11 ten thousand PAX headers of 900 KiB': {
    pieces: function* () {
      const one = pax({ comment: 'x'.repeat(900 * 1024) })
      for (let i = 0; i < 10_000; i++) yield one
      yield END
    },
    options: ['--max-expansion', 'off'],
  },
  'T15 ten million tiny members': { pieces: () => tinyMembers(10_000_000), gzip: false },
  'T15 ten million and one': { pieces: () => tinyMembers(10_000_001), gzip: false },
  'T15 a thousand to one': { pieces: () => largeFile(4096 * MIB) },
  'T15 a thousand to one, allowed': {
    pieces: () => largeFile(4096 * MIB),
    options: ['--max-expansion', 'off'],
  },
  'T14 a million empty gzip members': {
    pieces: function* () {
      const thousand = Buffer.concat(Array(1000).fill(gzipSync('')))
      yield gzipSync(member({ name: 'a' }))
      for (let i = 0; i < 1000; i++) yield thousand
    },
    gzip: false,
  },
  'J2 a record 200,000 deep': {
    pieces: () => records('[{"x":', '[', 200_000, `${']'.repeat(200_000)}}]`),
  },
  'J3 a string of 600 MB': {
    pieces: () => records('[{"body":"', 'x', 600_000_000, '"}]'),
    gzip: false,
  },
  'J3 60 MB of empty arrays': { pieces: () => records('[{"x":[[]', ',[]', 20_000_000, ']}]') },
  'J3 600 MB of elements that are no records': {
    pieces: () => records('[1', ',1', 300_000_000, ']'),
    gzip: false,
  },
  'J3 100,000 members': {
    pieces: () => {
      const members = Array.from({ length: 100_000 }, (_, i) => `"member${i}":${i}`)
      return records(`[{${members.join(',')}}`, ' ', 1, ']')
    },
  },
  // One long text, and what takes more memory for its size.
  'J3 a text of 15 MiB': {
    pieces: () => records('[{"url":"a","body":"', 'x', LONG, '"}]'),
    gzip: false,
  },
  'J3 a text of 15 MiB in a member that is not known': {
    pieces: () => records('[{"url":"a","unheard":"', 'x', LONG, '"}]'),
    gzip: false,
  },
  'J3 a text of 15 MiB that is not Latin in a member that is not known': {
    pieces: () => records('[{"url":"a","unheard":"\\u20ac', 'x', LONG, '"}]'),
    gzip: false,
  },
  'J3 a text of 15 MiB made of escapes': {
    pieces: () => records('[{"url":"a","body":"', '\\n', LONG / 2, '"}]'),
    gzip: false,
  },
  'J3 two million names and values': {
    pieces: () => records('[{"url":"a","unheard":[{}', ',{"a":0}', 510_000, ']}]'),
  },
  'J5 a name 300,000 times in a record': {
    pieces: () => records('[{"a":1', ',"a":1', 300_000, '}]'),
  },
  'J7 a million records without a url': { pieces: () => records('[{}', ',{}', 1_000_000, ']') },
}

const TELL_PEAK = `data:text/javascript,${encodeURIComponent(
  "import { writeSync } from 'node:fs'; process.on('exit', () => writeSync(3, String(process.resourceUsage().maxRSS)))",
)}`

async function measureGiant({ pieces, gzip = true, options = [] }: Giant): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'marc-giant-'))
  const argv = ['load', '-', '-o', join(folder, 'it.db'), '--no-files', '-q', '--json', ...options]
  const start = performance.now()
  const child = spawn(process.execPath, ['--import', TELL_PEAK, 'dist/bin.js', ...argv], {
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
  })
  const said = { stderr: '', peak: '' }
  child.stderr?.on('data', (chunk: Buffer) => (said.stderr += chunk))
  child.stdio[3]?.on('data', (chunk: Buffer) => (said.peak += chunk))
  const source = Readable.from(pieces())
  const feeding = gzip
    ? pipeline(source, createGzip({ level: 6 }), child.stdin as NodeJS.WritableStream)
    : pipeline(source, child.stdin as NodeJS.WritableStream)
  feeding.catch(() => {}) // it stops reading when it refuses
  const code = await new Promise((resolve) => child.on('close', resolve))
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  rmSync(folder, { recursive: true, force: true })
  const refused = /"code":"(.*?)"/.exec(said.stderr)?.[1] ?? said.stderr.slice(0, 200)
  return `exit ${code} ${refused} · ${seconds} s · ${Math.round(Number(said.peak) / 1024)} MiB`
}

const words = process.argv.slice(2)
for (const [name, giant] of Object.entries(GIANTS)) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue
  process.stdout.write(`${name}: ${await measureGiant(giant)}\n`)
}
