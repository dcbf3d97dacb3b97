/** Ways to damage one thing in an archive: a record, a record file, or another file. */

import type { JsonObject } from '../../src/records/json/json.ts'

/** The bytes of each file of an archive, by path. */
export type ArchiveFiles = Readonly<Record<string, Buffer>>

/** One thing that is damaged. */
export interface Damage {
  /** What is damaged, such as `a record of issues` or `git: HEAD`. */
  what: string
  /** In which way, such as `removed`. */
  how: string
  /** What becomes of files. Undefined removes one. */
  changed: Readonly<Record<string, Buffer | undefined>>
}

const RECORD_FILE = /^(?:\.\/)?([a-z_]+)_(\d{6})\.json$/

/** Damages the first record of each kind, and each record file. */
export function* damageRecords(files: ArchiveFiles): Generator<Damage> {
  for (const [file, content] of Object.entries(files)) {
    const name = RECORD_FILE.exec(file)?.[1]
    if (name === undefined) continue
    const records = JSON.parse(content.toString()) as JsonObject[]
    const [first, ...others] = records as [JsonObject, ...JsonObject[]]
    const variants: Record<string, unknown> = {
      removed: others,
      null: [null, ...others],
      'a text': ['text', ...others],
      empty: [{}, ...others],
      repeated: [first, ...records],
      'of another type': [{ ...first, type: 'gadget' }, ...others],
      'without a type': [{ ...first, type: undefined }, ...others],
    }
    for (const [how, changed] of Object.entries(variants)) {
      const bytes = Buffer.from(JSON.stringify(changed))
      yield { what: `a record of ${name}`, how, changed: { [file]: bytes } }
    }
    // Of single bytes most are letters of texts.
    for (const damage of damageFile(files, file, `the file of ${name}`)) {
      if (!damage.how.startsWith('with another byte')) yield damage
    }
  }
}

/** Damages each other file, called by the last parts of its path. */
export function* damageFiles(files: ArchiveFiles): Generator<Damage> {
  for (const file of Object.keys(files)) {
    if (RECORD_FILE.test(file)) continue
    const name = file
      .replace(/^(?:\.\/)?repositories\/[^/]+\/[^/]+\.git\//, 'git: ')
      .replace(/[0-9a-f]{2}\/[0-9a-f]{38}$/, '<loose>')
      .replace(/[0-9a-f]{40}/, '<id>')
    yield* damageFile(files, file, name)
  }
}

function* damageFile(files: ArchiveFiles, file: string, what: string): Generator<Damage> {
  const content = files[file] as Buffer
  const changed = (how: string, bytes: Buffer | undefined, more = {}): Damage => ({
    what,
    how,
    changed: { [file]: bytes, ...more },
  })
  yield changed('removed', undefined)
  yield changed('renamed', undefined, { [`${file}x`]: content })
  if (content.length === 0) return
  yield changed('emptied', Buffer.alloc(0))
  yield changed('cut in half', content.subarray(0, content.length >> 1))
  yield changed('without its last byte', content.subarray(0, -1))
  for (const part of [0, 0.25, 0.5, 0.75, 1]) {
    const bytes = Buffer.from(content)
    const at = Math.min(bytes.length - 1, Math.floor(bytes.length * part))
    bytes[at] = (bytes[at] as number) ^ 0x11
    yield changed(`with another byte at ${part}`, bytes)
  }
}

/** The archive after this happened to it. */
export const damaged = (files: ArchiveFiles, { changed }: Damage): ArchiveFiles =>
  Object.fromEntries(
    Object.entries({ ...files, ...changed }).filter(
      (entry): entry is [string, Buffer] => entry[1] !== undefined,
    ),
  )
