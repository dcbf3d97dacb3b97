import {
  chmodSync,
  chownSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { holdEntry, listCache, trimCache } from '../../../src/cli/sources/cache-folder.ts'
import { makeFolder } from '../../../src/files/make-folder.ts'
import { issue, smallArchive } from '../../support/archives.ts'
import { inFolder, run } from '../../support/run-command.ts'
import { THOROUGH } from '../../support/thorough.ts'

const io = { env: { XDG_CACHE_HOME: 'cache' } }
const FOLDER = 'cache/migration-archive'

/** Puts databases of these sizes into the cache, the first one most recently used. */
function fill(...sizes: number[]): string[] {
  inFolder()
  makeFolder(FOLDER)
  return sizes.map((size, i) => {
    const digit = i.toString(16)
    const path = join(FOLDER, `${digit.repeat(16)}-${'0'.repeat(16)}-v2.db`)
    writeFileSync(path, Buffer.alloc(size))
    utimesSync(path, 1e9 - i, 1e9 - i)
    return path
  })
}

const left = () => listCache(io).map(({ path }) => path)

describe('the cache', () => {
  test('lists the most recently used database first', () => {
    const paths = fill(10, 20)
    holdEntry(paths[1] as string, {})
    const [first, second] = listCache(io)
    expect(first).toMatchObject({ path: paths[1], bytes: 20, inUse: true, archive: '1'.repeat(16) })
    expect(second).toMatchObject({ path: paths[0], inUse: false, contents: 'none' })
  })

  test('drops the least recently used databases if it is too large', () => {
    const [last, middle, oldest] = fill(100, 100, 100) as [string, string, string]
    expect(trimCache(io, 300)).toEqual([])
    expect(trimCache(io, 250).map(({ path }) => path)).toEqual([oldest])
    expect(left()).toEqual([last, middle])
    expect(trimCache(io, 0)).toHaveLength(2)
    expect(left()).toEqual([])
  })

  test('keeps databases in use, and other files', () => {
    const [, used] = fill(100, 100) as [string, string]
    const stop: (() => void)[] = []
    holdEntry(used, { atEnd: (work) => stop.push(work) })
    writeFileSync(join(FOLDER, 'notes.txt'), 'mine')
    mkdirSync(join(FOLDER, 'compiled'))
    trimCache(io, 0)
    expect(left()).toEqual([used])
    for (const work of stop) work()
    trimCache(io, 0)
    expect(readdirSync(FOLDER).sort()).toEqual(['compiled', 'notes.txt'])
  })

  test('ignores the marker of a process that is gone', () => {
    const [path] = fill(100) as [string]
    holdEntry(path, {})
    const [marker = ''] = readdirSync(FOLDER).filter((name) => name.includes('in-use'))
    const gone = marker.replace(/-\d+-([0-9a-f]{8}\.partial)/, '-999999999-$1')
    writeFileSync(join(FOLDER, gone), '')
    // The marker of this process stays, because it is alive.
    expect(listCache(io)[0]?.inUse).toBe(true)
    expect(readdirSync(FOLDER)).toContain(marker)
    expect(readdirSync(FOLDER)).not.toContain(gone)
  })

  test('loses the marker of a process that was killed when it is used again', () => {
    const [path] = fill(100) as [string]
    holdEntry(path, {})
    const [marker = ''] = readdirSync(FOLDER).filter((name) => name.includes('in-use'))
    const gone = marker.replace(/-\d+-([0-9a-f]{8}\.partial)/, '-999999999-$1')
    renameSync(join(FOLDER, marker), join(FOLDER, gone))
    holdEntry(path, {})
    const markers = readdirSync(FOLDER).filter((name) => name.includes('in-use'))
    expect(markers).toEqual([expect.not.stringContaining('-999999999-')])
  })

  test('M1: is neither read nor written if others can write to it', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const query = () => run(['query', 'a.tar.gz', 'select 1'])
    expect((await query()).code).toBe(0)
    chmodSync('.cache/migration-archive', 0o777)
    const { code, stdout, stderr } = await query()
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(
      /migration-archive: the cache folder cannot be used: other users may write to the folder\nName another one with XDG_CACHE_HOME, or use marc load\.\n$/,
    )
    const { stdout: listed } = await run(['cache', 'list'])
    expect(listed).toBe('[]\n')
  })

  test.runIf(process.getuid?.() === 0)('M1: is not used if another user owns it', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    await run(['query', 'a.tar.gz', 'select 1'])
    chownSync('.cache/migration-archive', 65_534, 65_534)
    const { code, stderr } = await run(['query', 'a.tar.gz', 'select 1'])
    expect(code).toBe(2)
    expect(stderr).toContain('the folder belongs to another user')
  })

  test('M1: is not emptied of clones if others can write to it', async () => {
    inFolder({ '.cache/migration-archive/clones/theirs': '' })
    chmodSync('.cache/migration-archive', 0o777)
    await run(['cache', 'clear'])
    expect(existsSync('.cache/migration-archive/clones/theirs')).toBe(true)
    chmodSync('.cache/migration-archive', 0o700)
    await run(['cache', 'clear'])
    expect(existsSync('.cache/migration-archive/clones')).toBe(false)
  })

  test.runIf(process.platform === 'linux')('M2: below /proc is refused', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const env = { XDG_CACHE_HOME: '/proc/nowhere' }
    const { code, stderr } = await run(['query', 'a.tar.gz', 'select 1'], { env })
    expect(code).toBe(2)
    expect(stderr).toContain('/proc/nowhere/migration-archive: the cache folder cannot be used')
  })

  test('M1: replaces a folder in place of a database', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const query = () => run(['query', 'a.tar.gz', 'select count(*) from issues', '-r'])
    const { stdout } = await query()
    const [{ path } = { path: '' }] = listCache({ env: { XDG_CACHE_HOME: '.cache' } })
    await run(['cache', 'clear'])
    mkdirSync(path)
    expect(await query()).toEqual({ code: 0, stdout, stderr: '' })
    expect(statSync(path).isFile()).toBe(true)
  })

  test('stays below MARC_CACHE_SIZE, except for the database in use', THOROUGH, async () => {
    inFolder({
      'a.tar.gz': smallArchive(),
      'b.tar.gz': smallArchive({ 'issues_000001.json': [issue(1, 'B')] }),
    })
    const env = { MARC_CACHE_SIZE: '1MiB' }
    for (const archive of ['a.tar.gz', 'b.tar.gz']) {
      const { code } = await run(['query', archive, 'select 1'], { env })
      expect(code).toBe(0)
      expect(listCache({ env: { XDG_CACHE_HOME: '.cache' } })).toHaveLength(1)
    }
    const wrong = await run(['query', 'a.tar.gz', 'select 1'], { env: { MARC_CACHE_SIZE: 'much' } })
    expect(wrong.stderr).toContain('MARC_CACHE_SIZE takes a size or off, not "much"')
  })
})

describe('marc cache', () => {
  test('lists and clears, all or one archive', THOROUGH, async () => {
    inFolder({
      'a.tar.gz': smallArchive(),
      'b.tar.gz': smallArchive({ 'issues_000001.json': [issue(1, 'B')] }),
    })
    await run(['query', 'a.tar.gz', 'select 1'])
    await run(['attachments', 'list', 'b.tar.gz'])
    const { stdout } = await run(['cache', 'list'])
    expect(JSON.parse(stdout)).toMatchObject([
      { archive: 'b.tar.gz', contents: 'none', in_use: 0 },
      { archive: 'a.tar.gz' },
    ])
    const shown = await run(['cache', 'list'], { tty: true, env: { NO_COLOR: '1' } })
    expect(shown.stdout).toMatch(
      /^archive +contents +size +last used +in use\n[\s\S]*a\.tar\.gz +none/,
    )
    expect(shown.stderr).toMatch(/^2 databases, .+ of 2\.0 GiB, in .+\/migration-archive\n$/)
    expect((await run(['cache', 'clear', 'a.tar.gz'])).stdout).toMatch(
      /^Removed 1 database, .+ MiB\.\n$/,
    )
    expect(JSON.parse((await run(['cache', 'list'])).stdout)).toMatchObject([
      { archive: 'b.tar.gz' },
    ])
    expect((await run(['cache', 'clear', '--max-size', 'off'])).stdout).toBe(
      'Removed 0 databases, 0 B.\n',
    )
    expect((await run(['cache', 'clear', '-q'])).stdout).toBe('')
    expect((await run(['cache', 'list'])).stdout).toBe('[]\n')
    expect((await run(['cache', 'clear', 'a', '--max-size', '1'])).code).toBe(2)
    expect(existsSync('.cache/migration-archive')).toBe(true)
  })

  test('tells which archives have no cached database, and exits with 1', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    await run(['query', 'a.tar.gz', 'select 1'])
    expect(await run(['cache', 'clear', 'no.tar.gz'])).toEqual({
      code: 1,
      stdout: '',
      stderr: 'no.tar.gz: there is no cached database of it\n',
    })
    const some = await run(['cache', 'clear', 'no.tar.gz', 'a.tar.gz'])
    expect(some).toMatchObject({ code: 1, stdout: expect.stringMatching(/^Removed 1 database/) })
    expect(await run(['cache', 'clear', 'no.tar.gz', '-q'])).toEqual({
      code: 1,
      stdout: '',
      stderr: '',
    })
  })

  test('says how many databases were kept because they are in use', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    await run(['query', 'a.tar.gz', 'select 1'])
    const [entry] = listCache({ env: { XDG_CACHE_HOME: '.cache' } })
    holdEntry(entry?.path as string, {})
    expect((await run(['cache', 'clear'])).stdout).toBe(
      'Removed 0 databases, 0 B. Kept 1 in use.\n',
    )
  })
})

describe('The databases of one archive', () => {
  const names = () =>
    listCache({ env: { XDG_CACHE_HOME: '.cache' } }).map(({ contents }) => contents)

  test('are one, which gets the contents that a command needs', THOROUGH, async () => {
    const texts = { 'issues_000001.json': [issue(1, 'A tide')], 'attachments/1/a.png': 'picture' }
    inFolder({ 'a.tar.gz': smallArchive(texts) })
    await run(['search', 'a.tar.gz', 'tide'])
    expect(names()).toEqual(['none'])
    await run(['attachments', 'check', 'a.tar.gz'])
    expect(names()).toEqual(['uploads'])
    await run(['repo', 'list', 'a.tar.gz'])
    await run(['repo', 'fsck', 'a.tar.gz'])
    expect(names()).toEqual(['all'])
    // What was made in it before is still there.
    const sql = 'select (select count(*) from archives) || (select count(*) > 0 from search_index)'
    expect((await run(['query', 'a.tar.gz', sql, '-r'])).stdout).toBe('11\n')
  })

  test('are two while the one that lacks contents is in use', THOROUGH, async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    await run(['query', 'a.tar.gz', 'select 1'])
    const [entry] = listCache({ env: { XDG_CACHE_HOME: '.cache' } })
    holdEntry(entry?.path ?? '', {})
    await run(['attachments', 'check', 'a.tar.gz'])
    expect(names().sort()).toEqual(['none', 'uploads'])
  })

  test(
    'are replaced where a link is in their place, whether it leads somewhere or nowhere',
    THOROUGH,
    async () => {
      inFolder({ 'a.tar.gz': smallArchive(), 'kept.db': 'kept' })
      const query = () => run(['query', 'a.tar.gz', 'select count(*) from issues', '-r'])
      const expected = await query()
      const [{ path } = { path: '' }] = listCache({ env: { XDG_CACHE_HOME: '.cache' } })
      for (const target of ['nowhere', join(process.cwd(), 'kept.db')]) {
        rmSync(path)
        symlinkSync(target, path)
        expect(await query()).toEqual(expected)
        expect(lstatSync(path).isFile()).toBe(true)
      }
      expect(readFileSync('kept.db', 'utf8')).toBe('kept')
    },
  )

  test('are not written to when they are used: the time of a database says when it was changed', async () => {
    inFolder({ 'a.tar.gz': smallArchive() })
    const query = () => run(['query', 'a.tar.gz', 'select 1'])
    await query()
    const [{ path } = { path: '' }] = listCache({ env: { XDG_CACHE_HOME: '.cache' } })
    const { ctimeNs } = statSync(path, { bigint: true })
    await query()
    expect(statSync(path, { bigint: true }).ctimeNs).toBe(ctimeNs)
  })
})
