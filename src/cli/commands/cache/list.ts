import { openDatabase } from '../../../database/open-database.ts'
import { cacheFolder } from '../../../files/private-folder.ts'
import { defineCommand } from '../../command/command.ts'
import { safe } from '../../command/safe-text.ts'
import { FORMAT_OPTIONS, isForPerson, writeRows } from '../../options/format-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatBytes, formatCount } from '../../output/quantities.ts'
import { type CacheEntry, listCache, maxCacheSize } from '../../sources/cache-folder.ts'

const COLUMNS = ['archive', 'contents', 'size', 'used_at', 'in_use', 'path'] as const

export const list = defineCommand({
  usage: '',
  options: FORMAT_OPTIONS,
  examples: [
    ['marc cache list', 'archives, sizes, when each was last used'],
    ['marc cache list --csv', 'the same with full paths, as CSV'],
  ],
  async run(format, io) {
    const forPerson = isForPerson(format, io)
    const maxSize = maxCacheSize(io)
    const entries = listCache(io)
    if (forPerson) {
      const rows = entries.map((entry) => [
        databaseNameOf(entry),
        entry.contents,
        formatBytes(entry.bytes),
        entry.usedAt.toISOString().slice(0, 16).replace('T', ' '),
        entry.inUse ? 'yes' : '',
      ])
      const columns = ['archive', 'contents', 'size', 'last used', 'in use']
      if (rows.length > 0) await writeRows({ columns, rows: rows.values() }, format, io)
      const total = entries.reduce((sum, { bytes }) => sum + bytes, 0)
      const limit = Number.isFinite(maxSize) ? ` of ${formatBytes(maxSize)}` : ''
      const what = `${formatCount(entries.length)} ${entries.length === 1 ? 'database' : 'databases'}`
      const line = `${what}, ${formatBytes(total)}${limit}, in ${cacheFolder(io.env)}`
      io.stderr.write(safe`${escapeControls(line)}\n`)
    } else {
      const rows = entries.map((entry) => [
        databaseNameOf(entry),
        entry.contents,
        entry.bytes,
        entry.usedAt.toISOString(),
        Number(entry.inUse),
        entry.path,
      ])
      await writeRows({ columns: COLUMNS, rows: rows.values() }, format, io)
    }
    return 0
  },
})

/** The name of the archive in a database; null if the database cannot be read. */
function databaseNameOf({ path }: CacheEntry): string | null {
  try {
    const database = openDatabase(path)
    try {
      const select = database.prepare<[], string>('SELECT CAST(name AS TEXT) FROM archives').pluck()
      return select.get() ?? null
    } finally {
      database.close()
    }
  } catch {
    return null
  }
}
