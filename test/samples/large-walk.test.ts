import { createWriteStream, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { expect, test } from 'vitest'
import { generateArchive } from '../bench/generate-archive.ts'
import { blocksOf, commandsOf } from '../support/read-document.ts'
import { inFolder, ROOT, run } from '../support/run-command.ts'
import { THOROUGH } from '../support/thorough.ts'
import { wordsOf } from '../support/words-of.ts'

const RECORDS = 3_000

const document = readFileSync(join(ROOT, 'samples/large.md'), 'utf8')
const [make, ...commands] = blocksOf(document).flatMap(({ text }) => commandsOf(text))

/** The lines that are the same for any size: the names of columns. */
const namesIn = (output: string) =>
  output.split('\n').flatMap((line, i, lines) => (/^---/.test(lines[i + 1] ?? '') ? [line] : []))

test('Every command of the walk through a large archive runs on a small one', {
  ...THOROUGH,
  timeout: 30_000,
}, async () => {
  inFolder()
  expect(make?.text).toBe(
    'npx node test/bench/generate-archive.ts --records 600000 --out large.tar.gz',
  )
  await pipeline(
    Readable.from(generateArchive({ records: RECORDS, seed: 1 })),
    createGzip(),
    createWriteStream('large.tar.gz'),
  )
  for (const { text, output = '' } of commands) {
    const words = wordsOf(text)
    expect(words.slice(0, 2)).toEqual(['npx', 'marc'])
    const { code, stdout } = await run(words.slice(2), {
      tty: 'stdout',
      columns: 100,
      env: { NO_COLOR: '1' },
    })
    // Like the large one, the small one refers to people who are not in it, which is a warning.
    expect({ text, code }).toEqual({ text, code: 0 })
    const shown = namesIn(stdout).map((line) => line.split(/ +/))
    for (const names of namesIn(output)) expect(shown, text).toContainEqual(names.split(/ +/))
  }
})
