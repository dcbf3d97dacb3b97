import { rmSync } from 'node:fs'
import { isOwnFolder } from '../../../files/own-folder.ts'
import { cacheFolder } from '../../../files/private-folder.ts'
import { defineCommand } from '../../command/command.ts'
import { safe } from '../../command/safe-text.ts'
import { UsageError } from '../../command/usage-error.ts'
import { parseSize } from '../../options/parse-size.ts'
import { QUIET_OPTION } from '../../options/shared-options.ts'
import { escapeControls } from '../../output/escape-controls.ts'
import { formatBytes, formatCount } from '../../output/quantities.ts'
import { writeResult } from '../../output/write-all.ts'
import { cloneFolder, listCache, removeEntry, trimCache } from '../../sources/cache-folder.ts'
import { cacheKey } from '../../sources/cached-database.ts'

export const clear = defineCommand({
  usage: '[archives..]',
  options: {
    archives: {
      type: 'string',
      array: true,
      describe: 'Only databases of these archives [all]',
    },
    'max-size': {
      type: 'string',
      value: '<size>',
      describe: 'Remove the least recently used until the cache is this small, such as 500MiB',
    },
    quiet: { ...QUIET_OPTION, describe: 'Print nothing' },
    json: { type: 'boolean', describe: 'Print the result and errors as JSON' },
  },
  exits: [1],
  examples: [
    ['marc cache clear', 'remove everything'],
    ['marc cache clear --max-size 500MiB', 'keep the most recently used'],
  ],
  async run({ archives, 'max-size': typed, quiet, json }, io) {
    if (archives && typed) throw new UsageError('expected archives or --max-size, found both')
    const keys = archives?.map(cacheKey)
    const cached = listCache(io)
    const chosen = cached.filter(({ archive }) => keys?.includes(archive) ?? true)
    const unknown = (archives ?? []).filter(
      (_, i) => !cached.some(({ archive }) => archive === keys?.[i]),
    )
    const removed =
      typed === undefined
        ? chosen.filter(removeEntry)
        : trimCache(io, parseSize('--max-size', typed))
    // Bare clones that git made of marc:: addresses are made again at the next fetch.
    if (!archives && typed === undefined && isOwnFolder(cacheFolder(io.env))) {
      rmSync(cloneFolder(io), { recursive: true, force: true })
    }
    const code = unknown.length > 0 ? 1 : 0
    if (quiet) return code
    for (const archive of unknown) {
      io.stderr.write(safe`${escapeControls(archive)}: there is no cached database of it\n`)
    }
    if (!json && unknown.length > 0 && chosen.length === 0) return code
    const bytes = removed.reduce((sum, entry) => sum + entry.bytes, 0)
    const inUse = chosen.filter((entry) => entry.inUse).length
    const kept = inUse === 0 ? safe`` : safe` Kept ${formatCount(inUse)} in use.`
    const what = safe`${formatCount(removed.length)} ${removed.length === 1 ? safe`database` : safe`databases`}`
    const summary = { removed: removed.length, bytes, in_use: inUse, unknown }
    await writeResult(json, summary, safe`Removed ${what}, ${formatBytes(bytes)}.${kept}`, io)
    return code
  },
})
