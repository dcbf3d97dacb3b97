/** What every target of exports promises, whatever it is. */

import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { ExportFormat } from '../../src/exporters/export-options.ts'
import { EXPORTERS } from '../../src/exporters/exporters.ts'
import { tableOfKind } from '../../src/exporters/table.ts'
import {
  type ExportDataOptions,
  exportData,
  removePartition,
  verifyExport,
} from '../../src/index.ts'
import type { JsonObject } from '../../src/records/json/json.ts'
import type { Kind } from '../../src/records/kinds/kind.ts'
import { KINDS } from '../../src/records/kinds/kinds.ts'
import { filesOfKinds, someRecords } from '../support/any-records.ts'
import { issue, smallArchive } from '../support/archives.ts'
import { folderOf } from '../support/folder.ts'
import { runs } from '../support/property-runs.ts'
import { THOROUGH } from '../support/thorough.ts'

/** A target to write to, and the titles of the issues that an engine finds in a partition, sorted. */
export interface Contractor {
  format: ExportFormat
  /** A place without partitions. */
  place(): Promise<string>
  /** What else leads to a place. */
  options?(place: string): Pick<ExportDataOptions, 'schema' | 's3'>
  titles(place: string, partition: string): Promise<string[]>
  /** The records of a table in the partition `any`, in order. */
  records?(place: string, table: string, kind: Kind): Promise<JsonObject[]>
}

const archiveOf = (...titles: string[]): Buffer =>
  smallArchive({ 'issues_000001.json': titles.map((title, i) => issue(i + 1, title)) })

export function keepsThePromises({
  format,
  place,
  options: of = () => ({}),
  titles,
  records: read,
}: Contractor): void {
  /** Writes an archive with these issues to a partition. */
  const write = async (
    to: string,
    as: string,
    names: string[],
    options: ExportDataOptions = {},
  ) => {
    const folder = await folderOf({ 'it.tar.gz': archiveOf(...names) })
    return exportData(join(folder, 'it.tar.gz'), to, { format, as, ...of(to), ...options })
  }

  test('keeps partitions apart, and replaces one as a whole', async () => {
    const to = await place()
    await write(to, 'a', ['One', 'Two'])
    await write(to, 'b', ['Three'])
    await write(to, 'a', ['Four'])
    expect([await titles(to, 'a'), await titles(to, 'b')]).toEqual([['Four'], ['Three']])
  })

  test('writes nothing if the source is the same, unless it is forced', async () => {
    const to = await place()
    expect((await write(to, 'a', ['One'])).outcome).toBe('written')
    expect((await write(to, 'a', ['One'])).outcome).toBe('unchanged')
    expect((await write(to, 'a', ['One'], { derived: false })).outcome).toBe('written')
    expect((await write(to, 'a', ['One'], { force: true })).outcome).toBe('written')
    expect(await titles(to, 'a')).toEqual(['One'])
  })

  test('keeps a partition if its next export fails', THOROUGH, async () => {
    const to = await place()
    await write(to, 'a', ['One'])
    const folder = await folderOf({ 'cut.tar.gz': archiveOf('Two').subarray(0, 300) })
    const cut = exportData(join(folder, 'cut.tar.gz'), to, { format, as: 'a', ...of(to) })
    await expect(cut).rejects.toMatchObject({ code: 'gzip-truncated' })
    expect(await titles(to, 'a')).toEqual(['One'])
    expect((await write(to, 'a', ['One'])).outcome).toBe('unchanged')
  })

  test('shows nothing of a partition before it is complete', async () => {
    const to = await place()
    const target = await EXPORTERS[format].open(to, of(to))
    const release = await target.lock('a', {})
    const writer = await target.openPartition('a', { format: `${format} none` })
    expect(await target.readManifest('a')).toBeUndefined()
    await writer.abort()
    expect(await target.readManifest('a')).toBeUndefined()
    await release()
    await target.close()
  })

  test('can abandon a partition whose files are complete', async () => {
    const to = await place()
    await write(to, 'a', ['One'])
    const target = await EXPORTERS[format].open(to, of(to))
    const writer = await target.openPartition('a', { format: `${format} none` })
    const record = issue(2, 'Two') as JsonObject
    writer.addRecord(tableOfKind('issues', KINDS.issues, {}), { record, entry: '', index: 1 })
    const failed = writer.commit(() => {
      throw new Error('no room for the manifest')
    })
    await expect(failed).rejects.toThrow('no room')
    await writer.abort()
    await target.close()
    expect(await titles(to, 'a')).toEqual(['One'])
  })

  test('has one writer for a partition, and others for others', async () => {
    const to = await place()
    await write(to, 'a', ['One'])
    const target = await EXPORTERS[format].open(to, of(to))
    const release = await target.lock('a', {})
    await expect(write(to, 'a', ['Two'], { wait: false })).rejects.toMatchObject({
      code: 'partition-busy',
    })
    await write(to, 'b', ['Three'], { wait: false })
    await release()
    await target.close()
    await write(to, 'a', ['Two'], { wait: false })
    expect([await titles(to, 'a'), await titles(to, 'b')]).toEqual([['Two'], ['Three']])
  })

  test(
    'makes the second of two writers of a partition wait, and find nothing to do',
    THOROUGH,
    async () => {
      const to = await place()
      const folder = await folderOf({ 'it.tar.gz': archiveOf('One') })
      const both = [1, 2].map(() =>
        exportData(join(folder, 'it.tar.gz'), to, { format, as: 'a', ...of(to) }),
      )
      const outcomes = (await Promise.all(both)).map(({ outcome }) => outcome)
      expect(outcomes.sort()).toEqual(['unchanged', 'written'])
      expect(await titles(to, 'a')).toEqual(['One'])
    },
  )

  test('gives a kind that is unknown a table of its own, whatever it is called', async () => {
    const to = await place()
    const folder = await folderOf({
      'it.tar.gz': smallArchive({ 'latest_issues_000001.json': [{ type: 'x', url: 'a' }] }),
    })
    const archive = join(folder, 'it.tar.gz')
    const { tables } = await exportData(archive, to, { format, as: 'a', ...of(to) })
    expect(tables.latest_issues_records?.rows).toBe(1)
    const [found] = await verifyExport(archive, to, { format, as: 'a', ...of(to) })
    expect(found?.differences).toEqual([])
  })

  test('removes a partition, and no other', async () => {
    const to = await place()
    await write(to, 'a', ['One'])
    await write(to, 'b', ['Two'])
    expect(await removePartition(to, 'a', { format, ...of(to) })).toBe(true)
    expect(await removePartition(to, 'a', { format, ...of(to) })).toBe(false)
    expect([await titles(to, 'a'), await titles(to, 'b')]).toEqual([[], ['Two']])
  })

  test('tells a partition that is as its source from one that is not', async () => {
    const to = await place()
    await write(to, 'a', ['One', 'Two'])
    const verify = async (as: string, names?: string[]) => {
      const folder = await folderOf({ 'it.tar.gz': archiveOf(...(names ?? [])) })
      const source = names && join(folder, 'it.tar.gz')
      const [found] = await verifyExport(source, to, { format, as, ...of(to) })
      return found?.differences.map(({ table }) => table)
    }
    expect(await verify('a', ['One', 'Two'])).toEqual([])
    expect(await verify('a')).toEqual([])
    expect(await verify('a', ['One', 'Three'])).toContain('issues')
    expect(await verify('b', ['One'])).toEqual([undefined])
  })

  test.skipIf(!read)('gives back any record, byte for byte but for white space', async () => {
    const to = await place()
    const print = (list: readonly JsonObject[]) => list.map((one) => JSON.stringify(one))
    const someKinds = fc.uniqueArray(someRecords, { selector: ({ name }) => name, minLength: 1 })
    await fc.assert(
      fc.asyncProperty(someKinds, async (kinds) => {
        const files = filesOfKinds(new Map(kinds.map(({ name, records }) => [name, records])))
        const folder = await folderOf({ 'any.tar.gz': smallArchive(files) })
        await exportData(join(folder, 'any.tar.gz'), to, { format, as: 'any', ...of(to) })
        for (const { name, kind, records } of kinds) {
          const found = (await read?.(to, name, kind)) ?? []
          // The archive has a few records of its own.
          expect(print(found.slice(-records.length))).toEqual(print(records))
        }
      }),
      { numRuns: runs(9) },
    )
  })

  test('takes any name and text for what they are', async () => {
    const to = await place()
    const title = `'); DROP TABLE issues; --\\\t"\u0001\n`
    await write(to, "a'b\\%=é", [title])
    await write(to, 'a', ['One'])
    expect(await titles(to, "a'b\\%=é")).toEqual([title])
  })
}
