/** Redacts an archive with planted values, and looks for these in the bytes of the new one. */

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { redactDatabase } from '../../../../src/transform/redact/redact-database.ts'
import type {
  RedactOptions,
  RedactReport,
} from '../../../../src/transform/redact/redact-options.ts'
import { unpack } from '../../../support/build.ts'
import { type Files, tarOf } from '../../../support/build-tar.ts'
import { createPlantedSearch } from '../../../support/find-planted.ts'
import { folderOf } from '../../../support/folder.ts'
import { loaded } from '../../../support/load.ts'
import * as places from './places.ts'
import type { Cell, Planter } from './planter.ts'

/** The key follows from the seed of the values, so that a seed repeats a failure. */
export const EVERYTHING: RedactOptions = {
  key: createHash('sha256')
    .update(process.env.FC_SEED ?? '1')
    .digest(),
  what: ['emails', 'names', 'logins', 'ips', 'secrets'],
  git: 'drop',
}
const SCHEMA: Files = { 'schema.json': { version: '1.2.0' } }

/** Redacts an archive. Returns the values that are left, as `describeCell` says them, and the new archive. */
export async function attack(
  planter: Planter,
  files: Files | Buffer,
  options: RedactOptions = {},
  name = 'o.tar.gz',
): Promise<{ report: RedactReport; left: string[]; bytes: Buffer }> {
  const people = places.peopleOf(planter)
  const { database } = await loaded(
    Buffer.isBuffer(files)
      ? Buffer.concat([files, tarOf(people)])
      : { ...SCHEMA, ...files, ...people },
  )
  const output = join(await folderOf(), name)
  const report = await redactDatabase(database, output, { ...EVERYTHING, ...options })
  const bytes = readFileSync(output)
  const left = name.endsWith('.gz') ? await leftIn(planter, bytes) : searchFor(planter)(bytes)
  return { report, left, bytes }
}

/** What is left in the names, contents and headers of an archive. */
export async function leftIn(planter: Planter, bytes: Buffer): Promise<string[]> {
  const search = searchFor(planter)
  const left = new Set<string>(search(gunzipSync(bytes)))
  for (const [path, content] of Object.entries((await unpack(bytes)).files)) {
    const entry = Buffer.concat([Buffer.from(path), Buffer.from(`\n${content}`, 'latin1')])
    for (const cell of search(entry)) left.add(cell)
  }
  return [...left].sort()
}

/** A search for all that was planted. */
export function searchFor(planter: Planter): (bytes: Buffer) => string[] {
  const search = createPlantedSearch(planter.hidden.keys())
  return (bytes) => [...search(bytes)].map((part) => describeCell(planter.hidden.get(part) as Cell))
}

export const describeCell = ({ kind, form, place, clothes }: Cell): string =>
  [kind, form, place, clothes].join(' | ')
