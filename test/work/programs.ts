/** Programs that end in every way. */

import { writeSync } from 'node:fs'
import { ArchiveError } from '../../src/base/errors.ts'
import { AdvisedError, UsageError } from '../../src/cli/command/usage-error.ts'
import { type Context, type Programs, Transferred } from '../../src/work/run.ts'

export const echo = (input: unknown) => input

export const pid = () => process.pid

export const folder = () => process.cwd()

export const fail = (what: 'archive' | 'advised' | 'usage' | 'bug' | 'system' | 'text'): never => {
  const cause = Object.assign(new Error('no such file'), { code: 'ENOENT' })
  const place = { archive: 'a.db', record: 3 }
  const error = new ArchiveError('limit-rows', 'too many', place, cause).over({ allowed: 2 })
  if (what === 'archive') throw error
  if (what === 'advised') throw new AdvisedError(error, 'Ask for fewer.')
  if (what === 'usage') throw new UsageError('no such option', 'Ask for help.')
  if (what === 'bug') return (undefined as unknown as { x: { y: never } }).x.y
  if (what === 'system') throw cause
  throw what
}

export const end = (how: 'kill' | 'exit' | 'throw'): Promise<never> => {
  if (how === 'kill') process.kill(process.pid, 'SIGKILL')
  if (how === 'exit') {
    process.stderr.write('out of memory\n')
    process.exit(134)
  }
  setImmediate(() => {
    throw new RangeError('thrown later')
  })
  return new Promise(() => {})
}

/** Sees no message until its end. */
export const spin = (milliseconds: number, { progress }: Context<string>): string => {
  progress('begun')
  const end = performance.now() + milliseconds
  while (performance.now() < end);
  return 'done'
}

export const fill = (): number => {
  const held: Buffer[] = []
  for (;;) held.push(Buffer.alloc(2 ** 20, held.length + 1))
}

/** Waits until nobody wants it, and says so. */
export const wait = (answer: string, { signal, progress }: Context<string>): Promise<string> =>
  new Promise((resolve) => {
    progress('begun')
    signal.addEventListener('abort', () => resolve(answer))
  })

export async function* count(to: number, { signal, progress }: Context<string | number>) {
  try {
    for (let i = 0; i < to; i++) {
      progress(i)
      yield i
    }
  } finally {
    progress(signal.aborted ? 'left' : 'ended')
  }
}

export async function* lend(pieces: number, { reuse, progress }: Context<string>) {
  for (let i = 0; i < pieces; i++) {
    const known = reuse()
    progress(known ? 'reused' : 'made')
    const memory = known ?? new ArrayBuffer(8)
    new Uint8Array(memory)[0] = i
    yield new Transferred(memory, [memory])
  }
}

export async function* failLate() {
  yield 1
  throw new ArchiveError('tar-damaged', 'no')
}

export const write = (text: string): number => {
  writeSync(1, text)
  return 7
}

export const PROGRAMS: Programs = Object.fromEntries(
  Object.entries({
    echo,
    pid,
    folder,
    fail,
    end,
    spin,
    fill,
    wait,
    count,
    lend,
    failLate,
    write,
  }).map(([name, run]) => [name, async () => run]),
)
