import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { zipOf } from '../../samples/make/bitbucket-issues.ts'
import { BACKUPS } from '../../samples/make-samples.ts'
import { tarGzOf } from '../support/build-tar.ts'
import { folderOf } from '../support/folder.ts'
import { inFolder, run } from '../support/run-command.ts'
import { firstOfEach, THOROUGH } from '../support/thorough.ts'

/** THE TABLE of commands that read an archive, and what they answer; `it` is the source. */
const COMMANDS: readonly (readonly [words: string, expected: RegExp])[] = [
  ['inspect it', /read as an archive/],
  ['load it -o it.db', /it\.db is ready/],
  ['tables it', /issues/],
  ['query it SELECT\u00a0title\u00a0FROM\u00a0issues', /Lid jams/],
  ['search it jams', /Lid jams/],
  ['show it ISSUE', /Lid jams/],
  ['site it pages', /./],
  ['check it', /no errors/],
  ['diff it it', /^(?!.*changed)/s],
  ['redact it -o redacted.tar.gz', /redacted/],
  ['export it --parquet exported', /issues/],
  ['map it --rename ben=zoe -o mapped.tar.gz', /mapped\.tar\.gz/],
  ['build it -o built.tar.gz', /records.*source-made/s],
  ['diff it built.tar.gz', /^(?!.*issues)/s],
  ['repo list it', /kettle/],
  ['attachments list it', /./],
  ['serve it --port 0', /http:\/\/127\.0\.0\.1:\d+/],
]

/** The number of the issue that every sample has. */
const issueOf = (name: string) => (name.startsWith('gitlab') ? '12' : '1')

const [[first], [others]] = firstOfEach(Object.entries(BACKUPS), () => 'backup')
describe.each([
  ...first.map((row) => [...row, {}] as const),
  ...others.map((row) => [...row, { tags: ['thorough'] }] as const),
])('%s is taken by', (name, make, options) => {
  const write = async () => {
    const files = make()
    const source = join(await folderOf(), name)
    writeFileSync(source, name.endsWith('.zip') ? await zipOf(files) : tarGzOf({ ...files }))
    return source
  }

  const expectAll = async (source: string, isPiped: boolean) => {
    for (const [words, expected] of COMMANDS) {
      const argv = (isPiped ? words.replace(/\bit\b/, '-') : words)
        .split(' ')
        .map((word) =>
          word === 'it'
            ? source
            : word === 'ISSUE'
              ? issueOf(name)
              : word.replaceAll('\u00a0', ' '),
        )
      // The name of the source is that of the partition.
      if (isPiped && words.startsWith('export')) argv.push('--as', 'it')
      const stdin = isPiped && { stdin: readFileSync(source) }
      const done = await run(argv, { interrupt: words.startsWith('serve'), ...stdin })
      expect({ words, ...done }).toMatchObject({ words, code: 0 })
      expect(done.stdout + done.stderr, words).toMatch(expected)
    }
  }

  test('every command', options, async () => {
    const source = await write()
    inFolder()
    await expectAll(source, false)
  })

  test('every command, from standard input', THOROUGH, async () => {
    const source = await write()
    inFolder()
    await expectAll(source, true)
  })
})
