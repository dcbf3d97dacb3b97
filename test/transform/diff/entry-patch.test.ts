import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Database } from '../../../src/database/open-database.ts'
import { diffDatabases } from '../../../src/transform/diff/diff-databases.ts'
import { diffAsSql } from '../../../src/transform/diff/sql-patch.ts'
import { user } from '../../support/archives.ts'
import { built, builtFiles } from '../../support/build.ts'
import { type Files, type TarStyle, tarGzOf } from '../../support/build-tar.ts'
import { listOf } from '../../support/entries.ts'
import { copyOf, type Loaded, loaded } from '../../support/load.ts'
import { runs } from '../../support/property-runs.ts'
import { THOROUGH } from '../../support/thorough.ts'

/** A copy of a database to which the SQL was applied that makes it into another. */
async function patched(a: Loaded, b: Loaded): Promise<Database> {
  const copy = await copyOf(a.path)
  copy.exec([...diffAsSql(a.database, b.database)].join(''))
  return copy
}

describe('What is built of a patched database', () => {
  interface Parts {
    git: { name: string; refs: Record<string, string> }[]
    uploads: Record<string, string>
  }
  const dictionaryOf = (keys: readonly string[], values: fc.Arbitrary<string>) =>
    fc.dictionary(fc.constantFrom(...keys), values, { noNullPrototype: true })
  const oids = ['1', '2', 'a'].map((digit) => digit.repeat(40))
  // The header of a long name is kept as a whole.
  const long = 'long'.repeat(30)
  const parts: fc.Arbitrary<Parts> = fc.record({
    git: fc.uniqueArray(
      fc.record({
        name: fc.constantFrom('acme/a', 'acme/b', 'acme/b.wiki', 'ada/a'),
        refs: dictionaryOf(
          ['heads/main', 'heads/x', 'tags/v1', 'pull/1/head'],
          fc.constantFrom(...oids),
        ),
      }),
      { maxLength: 3, selector: ({ name }) => name },
    ),
    uploads: dictionaryOf(['a1/x.txt', "a2/it's.bin", 'a2/y', `a3/${long}`], fc.string()),
  })
  // Repositories with the same refs have the same files here: any others are equal to `diff`.
  const gitFiles = ({ name, refs }: Parts['git'][number]): Files => {
    const git = `repositories/${name}.git`
    const all = Object.entries(refs).sort(([one], [other]) => (one < other ? -1 : 1))
    const files: [string, string][] =
      'tags/v1' in refs
        ? [['packed-refs', all.map(([ref, oid]) => `${oid} refs/${ref}\n`).join('')]]
        : all.map(([ref, oid]) => [`refs/${ref}`, oid])
    return Object.fromEntries(
      [
        ['HEAD', 'ref: refs/heads/main\n'],
        ...files,
        ['heads/x' in refs ? `hooks/${long}` : 'description', 'x'],
      ].map(([path, content]) => [`${git}/${path}`, content as string]),
    )
  }
  /** In the order of their paths, as most tools write them, but for the records. */
  const archiveOf = ({ git, uploads }: Parts): Files => {
    const files: Files = Object.assign(
      Object.fromEntries(Object.entries(uploads).map(([path, b]) => [`attachments/${path}`, b])),
      ...git.map(gitFiles),
    )
    const sorted = (start: string) =>
      Object.entries(files)
        .filter(([path]) => path.startsWith(start))
        .sort(([one], [other]) => (one < other ? -1 : 1))
    return {
      'schema.json': { version: '1.2.0' },
      ...Object.fromEntries(sorted('repositories/')),
      'users_000001.json': [user('ada')],
      ...Object.fromEntries(sorted('attachments/')),
      'zzz.txt': 'last',
    }
  }
  const style: fc.Arbitrary<TarStyle> = fc.record({
    dialect: fc.constantFrom('gnu', 'ustar', 'pax'),
    prefix: fc.constantFrom('', './'),
    directories: fc.boolean(),
  })

  it('is the second, byte for byte, if only files and Git data differ', THOROUGH, async () => {
    await fc.assert(
      fc.asyncProperty(parts, parts, style, async (one, other, form) => {
        const a = await loaded(tarGzOf(archiveOf(one), form))
        const b = await loaded(tarGzOf(archiveOf(other), form))
        const copy = await patched(a, b)
        expect(await listOf(diffDatabases(copy, b.database, { bytes: true }))).toEqual([])
        expect(Buffer.compare(await built(copy), await built(b.database))).toBe(0)
      }),
      { numRuns: runs(60) },
    )
  })

  it('passes the rules: no file of Git data is missing', async () => {
    const git = 'repositories/acme/tools.git'
    const [one, two] = ['1'.repeat(40), '2'.repeat(40)]
    const a = await loaded({
      [`${git}/HEAD`]: 'ref: refs/heads/main\n',
      [`${git}/refs/heads/main`]: one,
    })
    const b = await loaded({
      [`${git}/HEAD`]: 'ref: refs/heads/main\n',
      [`${git}/packed-refs`]: `${two} refs/heads/main\n`,
    })
    const files = async (database: Database) => builtFiles(database, { allowInvalid: false })
    expect(await files(await patched(a, b))).toEqual(await files(b.database))
  })
})
