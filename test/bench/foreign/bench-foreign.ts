// npm run bench:foreign -- [--threads 21000] [--runs 3]
// Reads sources of other programs, beside a bare JSON.parse of their files and a load of the archive that is built of them.
// Seconds are those of processors, medians of the runs.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { type Measurement, measure, median } from '../measure.ts'
import { FORMS, type Form, writeForeign } from './write-foreign.ts'

const { values } = parseArgs({
  options: {
    threads: { type: 'string', default: '21000' },
    runs: { type: 'string', default: '3' },
  },
})
const threads = Number(values.threads)
const runs = Number(values.runs)
const here = import.meta.dirname
const marc = join(here, '../marc-here.ts')
const folder = mkdtempSync(join(tmpdir(), 'marc-bench-foreign-'))

/** The command of each trial, in the order in which one needs what another one wrote. */
function trialsOf(form: Form): [name: string, args: string[]][] {
  const source = join(folder, form)
  const database = join(folder, `${form}.db`)
  const archive = join(folder, `${form}.tar.gz`)
  return [
    ['JSON.parse of all files', [join(here, 'parse-json.ts'), source]],
    ['inspect', [marc, 'inspect', source, '-q']],
    ['load', [marc, 'load', source, '-o', database, '-q']],
    ['build', [marc, 'build', source, '-o', archive, '-q']],
    ['load the archive of it', [marc, 'load', archive, '-o', join(folder, `${form}-2.db`), '-q']],
    ['insert the same rows', [join(here, 'copy-rows.ts'), database, join(folder, `${form}-3.db`)]],
  ]
}

const print = (line: string) => process.stdout.write(`${line}\n`)

const clear = (form: Form, ...ends: string[]) => {
  for (const end of ends) rmSync(join(folder, form + end), { force: true, recursive: true })
}

try {
  print('| form | trial | seconds | of processors | peak MiB | × JSON.parse |')
  print('|---|---|--:|--:|--:|--:|')
  for (const form of FORMS) {
    writeForeign(form, join(folder, form), threads)
    const found = new Map<string, Measurement[]>()
    for (let run = 0; run < runs; run++) {
      clear(form, '.db', '.tar.gz', '-2.db', '-3.db')
      for (const [name, args] of trialsOf(form)) {
        const measured = await measure(process.execPath, args)
        found.set(name, [...(found.get(name) ?? []), measured])
      }
    }
    const used = (name: string) =>
      median((found.get(name) ?? []).map(({ processorSeconds = 0 }) => processorSeconds))
    for (const [name, measured] of found) {
      const figures = [
        median(measured.map(({ seconds }) => seconds)).toFixed(1),
        used(name).toFixed(1),
        Math.max(...measured.map(({ peakMiB = 0 }) => peakMiB)).toFixed(0),
        (used(name) / used('JSON.parse of all files')).toFixed(1),
      ]
      print(`| ${form} | ${name} | ${figures.join(' | ')} |`)
    }
    clear(form, '', '.db', '.tar.gz', '-2.db', '-3.db')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
