/** Makes the sample archives again: `node samples/make-samples.ts [folder]`. */
import { createWriteStream, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { gzipSync } from 'node:zlib'
import type { ArchiveEntry } from '../src/archive/entry.ts'
import { writeArchive } from '../src/archive/write-archive.ts'
import { asBytes, collect } from '../src/base/streams.ts'
import { bitbucketIssues, type Files, zipOf } from './make/bitbucket-issues.ts'
import { compressBadly, makeBrokenTar } from './make/broken-archive.ts'
import { type Content, entriesOf } from './make/content.ts'
import { backupFiles, metadataFiles, UPLOADED, WHOLE } from './make/github-backup.ts'
import { gitlabProject } from './make/gitlab-project.ts'
import { makeHello } from './make/hello.ts'
import { makeOrganization } from './make/organization.ts'

/** The samples by name, each the same every time it is made. */
export const SAMPLES: { readonly [name: string]: () => Content } = {
  hello: makeHello,
  organization: makeOrganization,
}

/** Backups and exports of other programs by the names of their files, likewise. */
export const BACKUPS: { readonly [name: string]: () => Files } = {
  'github-backup.tar.gz': () => ({ ...backupFiles(WHOLE), ...UPLOADED }),
  'github-metadata-backup.tar.gz': metadataFiles,
  'bitbucket-issues.zip': () => bitbucketIssues('1.0'),
  'gitlab-project.tar.gz': () => gitlabProject('17'),
}

/** The bytes of such a file; of a tar.gz, those of its tar. */
export const bytesOfBackup = (name: string, files: Files): Promise<Buffer> =>
  name.endsWith('.zip') ? zipOf(files) : collect(writeArchive(fileEntries(files), { gzip: false }))

function* fileEntries(files: Files): Generator<ArchiveEntry> {
  for (const [path, text] of Object.entries(files)) {
    const content = Buffer.from(text)
    const modifiedAt = new Date('2026-08-01T12:00:00Z')
    yield { path, size: content.length, modifiedAt, mode: 0o644, content: asBytes([content]) }
  }
}

if (import.meta.main) {
  const folder = process.argv[2] ?? import.meta.dirname
  for (const [name, make] of Object.entries(SAMPLES)) {
    const archive = writeArchive(entriesOf(make()), { level: 9 })
    await pipeline(archive, createWriteStream(join(folder, `${name}.tar.gz`)))
  }
  writeFileSync(join(folder, 'broken.tar.gz'), compressBadly(await makeBrokenTar()))
  mkdirSync(join(folder, 'backups'), { recursive: true })
  for (const [name, make] of Object.entries(BACKUPS)) {
    const bytes = await bytesOfBackup(name, make())
    const file = name.endsWith('.gz') ? gzipSync(bytes, { level: 9 }) : bytes
    writeFileSync(join(folder, 'backups', name), file)
  }
}
