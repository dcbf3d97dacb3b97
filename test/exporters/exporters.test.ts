import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parquetReadObjects } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { describe, expect, test } from 'vitest'
import { folderName } from '../../src/exporters/dataset/partition-name.ts'
import {
  EXPORT_FORMATS,
  FOLDER_FORMATS,
  type FolderFormat,
} from '../../src/exporters/export-options.ts'
import { EXPORTERS } from '../../src/exporters/exporters.ts'
import { openFolderTarget } from '../../src/exporters/targets/folder.ts'
import { exportData } from '../../src/index.ts'
import { smallArchive } from '../support/archives.ts'
import { folderOf } from '../support/folder.ts'
import { keepsThePromises } from './exporter-contract.ts'

test('Every format has its target', () => {
  expect(Object.keys(EXPORTERS)).toEqual(EXPORT_FORMATS)
})

test('A folder holds partitions of several formats', async () => {
  const folder = await folderOf({ 'it.tar.gz': smallArchive() })
  const lake = join(folder, 'lake')
  for (const as of FOLDER_FORMATS)
    await exportData(join(folder, 'it.tar.gz'), lake, { format: as, as })
  const names = await openFolderTarget(lake, { existing: true }).names()
  expect(names).toEqual([...FOLDER_FORMATS].sort())
})

const READERS: Readonly<Record<FolderFormat, (bytes: Buffer) => Promise<string[]>>> = {
  async parquet({ buffer, byteOffset, length }) {
    const file = buffer.slice(byteOffset, byteOffset + length) as ArrayBuffer
    const rows = await parquetReadObjects({ file, compressors, columns: ['title'] })
    return rows.map(({ title }) => title as string)
  },
  ndjson: async (bytes) =>
    bytes
      .toString()
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line).title),
  csv: async (bytes) => {
    const [, ...rows] = bytes.toString().trimEnd().split('\r\n')
    // A URL, a repository and a user, none of which has a comma.
    return rows.map((row) => {
      const [, quoted, plain] = /^(?:[^,]*,){3}(?:"((?:[^"]|"")*)"|([^,]*))/.exec(row) ?? []
      return quoted?.replaceAll('""', '"') ?? plain ?? ''
    })
  },
}

describe.each(FOLDER_FORMATS)('A dataset of %s', (format) => {
  keepsThePromises({
    format,
    place: () => folderOf(),
    async titles(place, partition) {
      const path = join(place, `kind=issues/archive=${folderName(partition)}/data.${format}`)
      return existsSync(path) ? (await READERS[format](readFileSync(path))).sort() : []
    },
  })
})
