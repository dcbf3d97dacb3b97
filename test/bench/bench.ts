// npm run bench -- [--records 590000] [--runs 3] [--archive file.tar.gz] [words of trials]
// Every trial runs in a process of its own, all of them in turn, so that a machine whose speed drifts treats
// them alike. The reference is gzip -dc of the same archive; quote ratios, not seconds.
import { createWriteStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { createGzip } from 'node:zlib'
import { generateArchive } from './generate-archive.ts'
import { type Measurement, measure, median } from './measure.ts'

interface Trial {
  name: string
  command: string
  args: readonly string[]
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    records: { type: 'string', default: '590000' },
    runs: { type: 'string', default: '3' },
    archive: { type: 'string' },
  },
})

const folder = mkdtempSync(join(tmpdir(), 'marc-bench-'))
try {
  const archive = values.archive ?? (await generate(Number(values.records)))
  const trials = trialsOn(archive).filter(
    ({ name }) => positionals.length === 0 || name === 'gzip -dc' || positionals.includes(name),
  )
  const results = new Map<string, Measurement[]>(trials.map(({ name }) => [name, []]))
  for (let run = 0; run < Number(values.runs); run++) {
    for (const { name, command, args } of trials) {
      results.get(name)?.push(await measure(command, args))
    }
  }
  print(archive, results)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

async function generate(records: number): Promise<string> {
  const path = join(folder, 'bench.tar.gz')
  const file = createWriteStream(path)
  await pipeline(generateArchive({ records, seed: 1 }), createGzip({ level: 6 }), file)
  return path
}

function trialsOn(archive: string): Trial[] {
  const marc = (name: string, ...args: string[]): Trial => ({
    name,
    command: process.execPath,
    args: ['dist/bin.js', ...args],
  })
  const database = join(folder, 'bench.db')
  return [
    { name: 'gzip -dc', command: 'gzip', args: ['-dc', archive] },
    marc('inspect', 'inspect', archive),
    marc('load', 'load', archive, '-o', database, '--force'),
    marc('build', 'build', database, '-o', join(folder, 'built.tar.gz'), '--force'),
    { name: 'gzip -6', command: 'sh', args: ['-c', `gzip -dc '${archive}' | gzip -6`] },
    marc('query', 'query', database, 'select count(*) from timeline'),
  ]
}

function print(archive: string, results: ReadonlyMap<string, Measurement[]>): void {
  const reference = median(results.get('gzip -dc')?.map(({ seconds }) => seconds) ?? [])
  const mebibytes = statSync(archive).size / 2 ** 20
  const lines = [`${mebibytes.toFixed(1)} MiB, Node.js ${process.version}`, '']
  lines.push('| trial | seconds | × gzip -dc | peak MiB |', '|---|--:|--:|--:|')
  for (const [name, runs] of results) {
    const seconds = median(runs.map((run) => run.seconds))
    const peak = Math.max(...runs.map((run) => run.peakMiB ?? 0))
    const ratio = (seconds / reference).toFixed(2)
    lines.push(`| ${name} | ${seconds.toFixed(2)} | ${ratio} | ${peak ? peak.toFixed(0) : ''} |`)
  }
  process.stdout.write(`${lines.join('\n')}\n`)
}
