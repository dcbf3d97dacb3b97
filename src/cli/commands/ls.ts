import type { ArchiveEntry } from '../../archive/entry.ts'
import { roleOf } from '../../archive/entry-role.ts'
import { openArchive } from '../../archive/open-archive.ts'
import { readRecordBatches } from '../../records/read-records.ts'
import { defineCommand } from '../command.ts'
import { escapeControls, escapeControlsInJson } from '../output/escape-controls.ts'
import { writeAll } from '../output/write-all.ts'
import { limitsOf, READING_OPTIONS, sourceOf } from '../reading-options.ts'

export const ls = defineCommand({
  usage: '<archive> [path]',
  summary: 'List the entries of an archive: mode, bytes, records, time, purpose, path',
  options: {
    archive: {
      type: 'string',
      demandOption: true,
      describe: 'A tar.gz or tar file, a folder, or -',
    },
    path: { type: 'string', describe: 'Only this entry, or what is in this folder' },
    json: { type: 'boolean', describe: 'Print a JSON object a line' },
    ...READING_OPTIONS,
  },
  examples: [
    ['marc ls samples/hello.tar.gz', 'every entry'],
    ['marc ls samples/hello.tar.gz repositories --json', 'Git data, for a program'],
  ],
  async run({ archive: named, path, json, ...options }, io) {
    const limits = limitsOf(options)
    const { entries } = await openArchive(sourceOf(named, io), { limits })
    const print = json ? asJson : asLine
    let found = 0
    const lines = async function* () {
      for await (const entry of entries) {
        if (path !== undefined && !isIn(entry.path, path)) continue
        found++
        yield `${print(await describe(entry))}\n`
      }
    }
    await writeAll(io.stdout, lines())
    return found > 0 ? 0 : 1
  },
})

const isIn = (entry: string, path: string): boolean =>
  entry === path || entry.startsWith(path.endsWith('/') ? path : `${path}/`)

type Listed = Awaited<ReturnType<typeof describe>>

async function describe({ path, size, mode, modifiedAt, content }: ArchiveEntry) {
  const role = roleOf(path)
  let records: number | undefined
  if (role.role === 'records') {
    records = 0
    for await (const batch of readRecordBatches(content, path)) records += batch.length
  }
  return {
    mode: mode.toString(8).padStart(4, '0'),
    size,
    records,
    modified_at: modifiedAt.toISOString().replace('.000Z', 'Z'),
    role: role.role === 'records' ? role.stem : role.role,
    path,
  }
}

const asJson = (listed: Listed): string => escapeControlsInJson(JSON.stringify(listed))

// Fixed widths, because the lines appear while the archive is read.
const asLine = ({ mode, size, records, modified_at, role, path }: Listed): string =>
  [
    mode,
    String(size).padStart(10),
    String(records ?? '').padStart(6),
    modified_at,
    role.padEnd(28),
    escapeControls(path),
  ].join('  ')
