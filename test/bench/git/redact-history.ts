/**
 * Generates a repository and measures what it takes to redact its whole history, after `npm run build`:
 *
 *     node test/bench/git/redact-history.ts 20000       # commits of 3,000 people, each with two files
 *     node test/bench/git/redact-history.ts 1 100       # a file of 100 MiB
 */

import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { measure } from '../measure.ts'

const [commits = 20_000, mebibytes = 0] = process.argv.slice(2).map(Number)
const PEOPLE = 3000

const data = (content: string) => `data ${Buffer.byteLength(content)}\n${content}\n`
const addressOf = (i: number) => `p${i % PEOPLE}@kettle${i % 7}.example`
const personOf = (i: number) => `Ada Number${i % PEOPLE} <${addressOf(i)}> 1600000000 +0000`
const linesOf = (i: number, count: number) =>
  Array.from({ length: count }, (_, j) => `line ${j} of ${i} by ${addressOf(i + j)}\n`).join('')

/** A commit for git fast-import. */
function commitOf(i: number): string {
  return [
    `commit refs/heads/main\nauthor ${personOf(7 * i)}\ncommitter ${personOf(11 * i)}\n`,
    data(`Change ${i}\n\nSee ${addressOf(i)} about it.\n`),
    `M 100644 inline src/folder${i % 40}/file${i % 800}.ts\n${data(linesOf(i, 40))}`,
    `M 100644 inline docs/page${i % 200}.md\n${data(`# Page ${i}\n\n${linesOf(0, 20)}`)}`,
    i === 0 && mebibytes > 0
      ? `M 100644 inline large.log\n${data(linesOf(0, mebibytes * 2 ** 15).slice(0, mebibytes * 2 ** 20))}`
      : '',
  ].join('')
}

const folder = mkdtempSync(join(tmpdir(), 'redact-history-'))
try {
  const directory = join(folder, 'archive/repositories/ada/kettle.git')
  mkdirSync(directory, { recursive: true })
  execFileSync('git', ['init', '--quiet', '--bare', '--initial-branch=main', directory])
  rmSync(join(directory, 'hooks'), { recursive: true })
  const git = spawn('git', ['-C', directory, 'fast-import', '--quiet'])
  const errors = text(git.stderr)
  for (let i = 0; i < commits; i++) {
    if (!git.stdin.write(commitOf(i))) await once(git.stdin, 'drain')
  }
  git.stdin.end()
  const [code] = await once(git, 'close')
  if (code !== 0) throw new Error(await errors)
  execFileSync('git', ['-C', directory, 'repack', '-adfq'])
  writeFileSync(join(folder, 'archive/schema.json'), '{"version":"1.2.0"}')
  const marc = join(import.meta.dirname, '../marc-here.ts')
  const run = (...args: string[]) => measure(process.execPath, [marc, ...args])
  await run('load', join(folder, 'archive'), '-o', join(folder, 'it.db'))
  for (const scope of ['authors', 'history']) {
    const output = join(folder, `${scope}.tar.gz`)
    const measured = await run('redact', join(folder, 'it.db'), '-o', output, '--git', scope)
    process.stdout.write(`${scope} ${JSON.stringify(measured)}\n`)
  }
} finally {
  rmSync(folder, { recursive: true })
}
