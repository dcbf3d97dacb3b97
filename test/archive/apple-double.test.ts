import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import type { ArchiveEntry } from '../../src/archive/entry.ts'
import { readArchive } from '../../src/archive/read-archive.ts'
import { writeArchive } from '../../src/archive/write-archive.ts'
import { asBytes } from '../../src/base/streams.ts'
import { inFolder, ROOT, run } from '../support/run-command.ts'

const DOUBLE = Buffer.from('0005160700020000', 'hex')

/** The entries of an archive, each file after the one that tar on macOS puts beside it. */
async function* withDoubles(archive: string): AsyncGenerator<ArchiveEntry> {
  for await (const entry of readArchive(archive)) {
    const path = entry.path.replace(/[^/]+$/, '._$&')
    if (path !== entry.path)
      yield { ...entry, path, size: DOUBLE.length, content: asBytes([DOUBLE]) }
    yield entry
  }
}

test('Files of macOS beside packs, refs and uploads are kept, and are none of these', async () => {
  inFolder()
  await writeFile(
    'mac.tar',
    writeArchive(withDoubles(join(ROOT, 'samples/hello.tar.gz')), { gzip: false }),
  )
  expect(await run(['load', 'mac.tar', '-q'])).toMatchObject({ code: 0 })
  expect(await run(['repo', 'fsck', 'mac.db'])).toMatchObject({ code: 0 })
  expect(await run(['repo', 'log', 'mac.db', '--oneline'])).toMatchObject({ code: 0 })
  const uploads = await run(['attachments', 'check', 'mac.db'])
  expect(uploads.stdout).toContain('no errors, no warnings')
  expect(await run(['build', 'mac.db', '-o', 'built.tar.gz', '-q'])).toMatchObject({ code: 0 })
  await writeFile('mac.tar.gz', writeArchive(withDoubles(join(ROOT, 'samples/hello.tar.gz'))))
  expect(readFileSync('built.tar.gz').equals(readFileSync('mac.tar.gz'))).toBe(true)
})
